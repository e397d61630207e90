import { type Attached, attachEvidence } from '#domain/reports/document/attach.ts'

/** A document with its evidence inside, as the service makes it, but for the signature. */
export async function unsignedDocument(printed: Buffer, attached: Attached): Promise<Buffer> {
  const document = await attachEvidence(printed, attached)
  return Buffer.from(await document.save({ useObjectStreams: false }))
}
