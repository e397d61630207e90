import { AFRelationship, PDFDocument } from '@cantoo/pdf-lib'
import type { Signature } from '#domain/reports/document/signature.ts'

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

/** Puts the evidence inside the printed document, so that it verifies itself; tags, outline and language stay as printed. */
export async function attachEvidence(printed: Buffer, { title, fingerprint, evidence, at, signature }: Attached): Promise<Buffer> {
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
  return Buffer.from(await document.save({ useObjectStreams: false }))
}
