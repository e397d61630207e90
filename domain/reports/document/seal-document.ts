import { type AttachedEvidence, attachEvidence } from '#domain/reports/document/attach.ts'
import type { DocumentKey } from '#domain/reports/signing/document-key.ts'
import { addSignatureField, signDocument } from '#domain/reports/signing/sign-document.ts'

/** Attaches the evidence to the printed document and signs the whole: every byte, whichever program reads it. */
export async function sealDocument(printed: Buffer, attached: AttachedEvidence, key: DocumentKey, signed_at: Date): Promise<Buffer> {
  const document = await attachEvidence(printed, attached)
  addSignatureField(document, key, signed_at)
  // One revision of plain objects: nothing in the file is hidden or superseded, and verification checks this.
  return signDocument(Buffer.from(await document.save({ useObjectStreams: false })), key)
}
