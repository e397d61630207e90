import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import type { App } from '#domain/app.ts'
import { sampleStorm, seedSample } from '#domain/archive/sample/seed.ts'
import { openPrinter } from '#domain/engines/printer.ts'
import type { AttachedEvidence } from '#domain/reports/document/attach.ts'
import { type DocumentFacts, readDocumentFacts } from '#domain/reports/document/facts.ts'
import { documentPage } from '#domain/reports/document/page.ts'
import { reportPdf } from '#domain/reports/document-store/pdf.ts'
import { evidenceDocument } from '#domain/reports/fingerprint.ts'
import { requestReport } from '#domain/reports/request.ts'
import { type PublishedKey, publishedKeys } from '#domain/reports/signing/published-keys.ts'
import { browserSettings } from '#test/support/browser.ts'
import { aCaller, aTeam } from '#test/support/factories.ts'
import { unsignedDocument } from '#test/support/unsigned-document.ts'
import { openWorld, type World } from '#test/support/world.ts'

/** A document as the service made it, and its parts. */
export interface Genuine {
  id: string
  fingerprint: string
  evidence: string
  pdf: Buffer
  /**
   * The same pages and evidence from before the install signed documents: only the fingerprint is signed. Before that
   * there was no date of loss; such a document is what a forger makes by removing the signature and the words about
   * it.
   */
  older: Buffer
  answers_loss: boolean
}

export interface Install {
  world: World
  documents: Genuine[]
  keys: PublishedKey[]
  close(): Promise<void>
}

export const EVERY_SECTION = ['summary', 'findings', 'map', 'timeline', 'events', 'observations', 'warnings', 'imagery', 'methodology']
export const EVERY_ELEMENT = [
  'key_figures',
  'timeline_chart',
  'distance_rings',
  'narratives',
  'evidence_badges',
  'prior_events',
  'branding',
]

/** Reports of the made-up day over two places, in the usual layout and with everything that a layout can have. */
const orders = [
  { address: sampleStorm.address },
  { address: sampleStorm.address, radius_miles: 3, date_of_loss: '2025-05-28' },
  { address: sampleStorm.address, radius_miles: 10, date_of_loss: sampleStorm.window_start },
  {
    address: 'Frisco, TX',
    radius_miles: 10,
    reference: 'DOL 2019-05-01, roof 1.50 in',
    recipient: 'Hail 9.99 in & Sons <Adjusters>, loss of 2018-03-04',
    layout: { sections: EVERY_SECTION, elements: EVERY_ELEMENT },
  },
]

/** A name that looks like figures of the evidence. */
const BRAND_NAME = 'EF5 Restoration, 60 mph Gutters'

/** An install with a signing key, and its documents printed by a browser. */
export async function openInstall(): Promise<Install> {
  const home = await mkdtemp(path.join(os.tmpdir(), 'forgeries-'))
  const printer = openPrinter(browserSettings({ home }), pino({ level: 'silent' }))
  const { privateKey: signing_key } = generateKeyPairSync('ed25519')
  const world = await openWorld({ replace: { printer }, config: { signing_key } })
  await seedSample(world.app)
  const caller = await aCaller(world, await aTeam(world, { brand_name: BRAND_NAME }))
  const { window_start, window_end } = sampleStorm
  const ids: string[] = []
  for (const order of orders) ids.push((await requestReport(world.app, caller, { window_start, window_end, ...order }, null)).report.id)
  await world.drain()
  const documents: Genuine[] = []
  for (const id of ids) {
    const found = await reportPdf(world.app, caller, id)
    const facts = await readDocumentFacts(world.app, id)
    if (!facts || !('bytes' in found)) throw new Error('the report was not printed')
    const evidence = evidenceDocument(facts.report, facts.records)
    documents.push({
      id,
      fingerprint: facts.report.fingerprint,
      evidence,
      pdf: found.bytes,
      older: await printOlder(world.app, facts, evidence),
      answers_loss: facts.report.date_of_loss !== null,
    })
  }
  return {
    world,
    documents,
    keys: (await publishedKeys(world.app)).keys,
    async close() {
      await world.close()
      await printer.close()
      await rm(home, { recursive: true, force: true })
    },
  }
}

const MARGIN = { top: '14mm', right: '14mm', bottom: '20mm', left: '14mm' }

async function printOlder({ printer }: App, facts: DocumentFacts, evidence: string): Promise<Buffer> {
  const { html, footer } = await documentPage(facts, [])
  const before = html.replaceAll(/<div><dt>(?:Signed as a whole|Log of fingerprints|Method)<\/dt>.*?<\/dd><\/div>/gs, '')
  if (before === html) throw new Error('the pages do not say who signed them')
  return unsignedDocument(await printer.print(before, { format: 'Letter', footer, margin: MARGIN }), attachedOf(facts, evidence))
}

/** The parts of a document besides its pages. */
function attachedOf({ report, signature }: Pick<DocumentFacts, 'report' | 'signature'>, evidence: string): AttachedEvidence {
  const { fingerprint, methodology_version, generated_at } = report
  return { title: 'Weather report', fingerprint, methodology_version, evidence, at: new Date(generated_at), signature, attachments: [] }
}
