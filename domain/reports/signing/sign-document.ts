import { type PDFDocument, PDFHexString, PDFName, PDFNumber, PDFString } from '@cantoo/pdf-lib'
import { SignPdf } from '@signpdf/signpdf'
import { DEFAULT_BYTE_RANGE_PLACEHOLDER, Signer, SUBFILTER_ETSI_CADES_DETACHED } from '@signpdf/utils'
import { type DocumentKey, signerName } from '#domain/reports/signing/document-key.ts'
import { padesSignature } from '#domain/reports/signing/pades.ts'

/** Size of a CMS signature without its certificates. */
const SIGNATURE_BYTES = 2048
/** Flags of a field (PDF 32000, 12.5.3): printed, locked. The field has no size, so nothing is visible. */
const PRINTED_AND_LOCKED = 0b1000_0100
/** Flags of the form (PDF 32000, 12.7.2): it has signatures, and changes may only be appended. */
const SIGNED_AND_APPENDED = 0b11
/** Permission of the certification (PDF 32000, 12.8.2.2): no change is allowed. */
const NO_CHANGES = 1

/** Adds an empty signature field, which certifies the document and allows no change to it. */
export function addSignatureField(document: PDFDocument, key: DocumentKey, at: Date): void {
  const { context, catalog } = document
  const page = document.getPage(0)
  const signature = context.register(
    context.obj({
      Type: 'Sig',
      Filter: 'Adobe.PPKLite',
      SubFilter: SUBFILTER_ETSI_CADES_DETACHED,
      ByteRange: [PDFNumber.of(0), ...Array(3).fill(PDFName.of(DEFAULT_BYTE_RANGE_PLACEHOLDER))],
      Contents: PDFHexString.of('0'.repeat(2 * roomFor(key))),
      Name: PDFHexString.fromText(signerName(key)),
      M: PDFString.fromDate(at),
      Reference: [
        { Type: 'SigRef', TransformMethod: 'DocMDP', TransformParams: { Type: 'TransformParams', P: NO_CHANGES, V: PDFName.of('1.2') } },
      ],
    }),
  )
  const field = context.register(
    context.obj({
      Type: 'Annot',
      Subtype: 'Widget',
      FT: 'Sig',
      T: PDFString.of('Signature'),
      TU: PDFString.of('Signature of this document'),
      Rect: [0, 0, 0, 0],
      F: PRINTED_AND_LOCKED,
      P: page.ref,
      V: signature,
    }),
  )
  page.node.set(PDFName.of('Annots'), context.obj([field]))
  catalog.set(PDFName.of('AcroForm'), context.obj({ Fields: [field], SigFlags: SIGNED_AND_APPENDED }))
  catalog.set(PDFName.of('Perms'), context.obj({ DocMDP: signature }))
}

/** Signs every byte of a document except the signature's own, in the field that was added. */
export function signDocument(bytes: Buffer, key: DocumentKey): Promise<Buffer> {
  return new SignPdf().sign(bytes, new PadesSigner(key))
}

const roomFor = ({ certificates }: DocumentKey) => SIGNATURE_BYTES + certificates.reduce((sum, { raw }) => sum + raw.length, 0)

/** Adapts `padesSignature` to the signing library. */
class PadesSigner extends Signer {
  constructor(readonly key: DocumentKey) {
    super()
  }
  override async sign(content: Buffer): Promise<Buffer> {
    return padesSignature(this.key, content)
  }
}
