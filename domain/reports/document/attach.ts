import { AFRelationship, PDFDocument } from '@cantoo/pdf-lib'
import { type Inclusion, inclusionText } from '#domain/fingerprint-log/inclusion.ts'
import type { Signature } from '#domain/reports/signing/fingerprint-signature.ts'

/** What is written into a document besides its pages. */
export interface AttachedEvidence {
  title: string
  fingerprint: string
  /** The version of the rules that the report was made by. */
  methodology_version: string | null
  /** The canonical evidence document. */
  evidence: string
  at: Date
  /** Signature of the fingerprint with the install's key, if it has one. */
  signature: Signature | null
  /** Files attached beside the evidence, which the fingerprint does not cover. */
  attachments: AttachedFile[]
}

export interface AttachedFile {
  name: string
  media_type: string
  description: string
  bytes: Buffer
}

export const INCLUSION_FILE = 'log-inclusion.txt'
const TIMESTAMP_FILE = 'checkpoint.tst'

/** Attaches the evidence to the printed document. Tags, outline and language stay as printed. */
export async function attachEvidence(printed: Buffer, attached: AttachedEvidence): Promise<PDFDocument> {
  const { title, fingerprint, methodology_version, evidence, at, signature, attachments } = attached
  const document = await PDFDocument.load(printed, { updateMetadata: false })
  document.setTitle(title, { showInWindowTitleBar: true })
  document.setLanguage('en-US')
  document.setSubject(`Evidence fingerprint ${fingerprint}`)
  document.setKeywords([
    `weather-report fingerprint:${fingerprint}`,
    ...(methodology_version === null ? [] : [`methodology:${methodology_version}`]),
    ...(signature ? [`ed25519:${signature.ed25519} key:${signature.key_id}`] : []),
  ])
  document.setCreator('Weather Report Service')
  document.setProducer('Weather Report Service')
  document.setCreationDate(at)
  document.setModificationDate(at)
  const file = {
    name: 'evidence.json',
    media_type: 'application/json',
    description: 'The evidence of this report in canonical form: its SHA-256 is the fingerprint',
    bytes: Buffer.from(evidence, 'utf8'),
  }
  await attach(document, file, at, AFRelationship.Data)
  for (const attachment of attachments) await attach(document, attachment, at, AFRelationship.Supplement)
  return document
}

async function attach(
  document: PDFDocument,
  { name, media_type, description, bytes }: AttachedFile,
  at: Date,
  afRelationship: AFRelationship,
): Promise<void> {
  await document.attach(bytes, name, { mimeType: media_type, description, creationDate: at, modificationDate: at, afRelationship })
}

/** Returns the files that prove that the fingerprint is in the log; the first has the format of c2sp.org/tlog-proof. */
export function inclusionFiles(log: Inclusion): AttachedFile[] {
  const { timestamp } = log
  return [
    {
      name: INCLUSION_FILE,
      media_type: 'text/plain',
      description: 'The place of the fingerprint in the log of the service, and what it is checked by',
      bytes: Buffer.from(inclusionText(log), 'utf8'),
    },
    ...(timestamp === null
      ? []
      : [
          {
            name: TIMESTAMP_FILE,
            media_type: 'application/octet-stream',
            description: 'Time stamp of the checkpoint in the log (RFC 3161 TimeStampToken)',
            bytes: Buffer.from(timestamp, 'base64'),
          },
        ]),
  ]
}
