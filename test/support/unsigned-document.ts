import { type AttachedEvidence, attachEvidence } from '#domain/reports/document/attach.ts'

/** Returns a document with its evidence inside, as the service makes it, without the signature. */
export async function unsignedDocument(printed: Buffer, attached: AttachedEvidence): Promise<Buffer> {
  const document = await attachEvidence(printed, attached)
  return Buffer.from(await document.save({ useObjectStreams: false }))
}
