import { AFRelationship, PDFDocument } from '@cantoo/pdf-lib'
import type { DocumentKey } from '#domain/reports/signing/document-key.ts'
import type { Signature } from '#domain/reports/signing/fingerprint-signature.ts'
import { addSignatureField, signDocument } from '#domain/reports/signing/sign-document.ts'

/** What is written into a document beside its pages. */
export interface Attached {
  title: string
  fingerprint: string
  /** The canonical evidence document. */
  evidence: string
  at: Date
  /** Signature of the fingerprint with the install's key, where it has one. */
  signature: Signature | null
}

/** The evidence inside the printed document, and the whole signed: every byte, whichever program reads it. */
export async function sealDocument(printed: Buffer, attached: Attached, key: DocumentKey, signed_at: Date): Promise<Buffer> {
  const document = await withEvidence(printed, attached)
  addSignatureField(document, key, signed_at)
  return signDocument(await bytesOf(document), key)
}

/** The evidence inside the printed document, without a signature. */
export async function attachEvidence(printed: Buffer, attached: Attached): Promise<Buffer> {
  return bytesOf(await withEvidence(printed, attached))
}

/** One revision of plain objects: nothing in the file is hidden or superseded, and verification holds it to that. */
const bytesOf = async (document: PDFDocument) => Buffer.from(await document.save({ useObjectStreams: false }))

/** Tags, outline and language stay as printed. */
async function withEvidence(printed: Buffer, { title, fingerprint, evidence, at, signature }: Attached): Promise<PDFDocument> {
  const document = await PDFDocument.load(printed, { updateMetadata: false })
  document.setTitle(title, { showInWindowTitleBar: true })
  document.setLanguage('en-US')
  document.setSubject(`Evidence fingerprint ${fingerprint}`)
  document.setKeywords([
    `weather-report fingerprint:${fingerprint}`,
    ...(signature ? [`ed25519:${signature.ed25519} key:${signature.key_id}`] : []),
  ])
  document.setCreator('Weather Report Service')
  document.setProducer('Weather Report Service')
  document.setCreationDate(at)
  document.setModificationDate(at)
  await document.attach(Buffer.from(evidence, 'utf8'), 'evidence.json', {
    mimeType: 'application/json',
    description: 'The evidence of this report in canonical form: its SHA-256 is the fingerprint',
    creationDate: at,
    modificationDate: at,
    afRelationship: AFRelationship.Data,
  })
  return document
}
