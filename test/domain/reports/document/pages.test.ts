import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Caller } from '#domain/access/caller.ts'
import { readDocumentFacts } from '#domain/reports/document/facts.ts'
import { PRINTED_MAX } from '#domain/reports/document/numbered-records.ts'
import { documentPage } from '#domain/reports/document/page.ts'
import { sourcesFiles } from '#domain/reports/document/sources-file.ts'
import { reportPdf } from '#domain/reports/document-store/pdf.ts'
import { findReport, listReportEvents } from '#domain/reports/find.ts'
import { evidenceDocument } from '#domain/reports/fingerprint.ts'
import { layoutElements, layoutImagery, layoutSections, mapLayers } from '#domain/reports/layout.ts'
import { requestReport } from '#domain/reports/request.ts'
import type { CitedRecordView, ReportView } from '#domain/reports/view.ts'
import { type OwnPrinter, openOwnPrinter } from '#test/support/browser.ts'
import { aCaller, aTeam } from '#test/support/factories.ts'
import { faultsOf, flat, hasProgram, type PrintedPage, skippedWithout, structureOf, textsOf, wordsOf } from '#test/support/pdf.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { plantStorms, stormyPlace } from '../storms.ts'

const RECORDS = 400
/** Takes seconds on an idle machine. */
const SLOW_MS = 120_000
const everything = {
  sections: layoutSections,
  imagery: layoutImagery,
  elements: layoutElements,
  map: { base: 'plain', layers: mapLayers },
}

let own: OwnPrinter
beforeAll(async () => {
  own = await openOwnPrinter()
})
afterAll(() => own.close())

describe(`a report of ${RECORDS} records with every option`, { timeout: SLOW_MS }, () => {
  let report: ReportView
  let records: CitedRecordView[]
  let bytes: Buffer
  let file: string
  /** Texts of the rows and records that must not be split across pages. */
  let rowTexts: string[]
  let pages: PrintedPage[]
  let texts: string[]
  beforeAll(async () => {
    const printed = await aPrintedReport(RECORDS)
    ;({ report, bytes, file } = printed)
    records = await recordsOf(printed.world, printed.caller, report.id)
    rowTexts = await rowTextsOf(printed.world, report.id)
    await printed.world.close()
    if (!hasProgram('pdftotext')) return
    pages = wordsOf(file)
    texts = textsOf(file)
  }, SLOW_MS)

  it('has its tags, language, title, outline, fonts and evidence', async () => {
    const structure = await structureOf(bytes)
    expect(structure).toMatchObject({ language: '(en-US)', has_tags: true, has_outline: true, draws_text: true, fonts_outside: [] })
    expect(structure.title).toBe('Weather report: 100 Main St, Frisco, TX 75034, 2022-01-01 to 2024-12-31')
    expect(structure.fonts).toBeGreaterThan(0)
    expect(structure.attached).toEqual([
      { name: 'evidence.json', text: evidenceDocument(report, records) },
      { name: 'log-inclusion.txt', text: expect.stringMatching(/^c2sp\.org\/tlog-proof@v1\nextra .{44}\nindex 0\n\n127/) },
      { name: 'records.csv', text: expect.stringMatching(/^number,occurred_on,begins_at,[^\n]*,caveats\r\n1,20/) },
      ...sourcesFiles({ fingerprint: report.fingerprint ?? '', as_of: report.as_of }, records).map(({ name, bytes }) => ({
        name,
        text: String(bytes),
      })),
    ])
  })

  it.skipIf(!hasProgram('qpdf'))(`passes qpdf's checks${skippedWithout('qpdf')}`, () => {
    expect(execFileSync('qpdf', ['--check', file]).toString()).toContain('No syntax or stream encoding errors found')
  })

  describe.skipIf(!hasProgram('pdftotext'))(`read with pdftotext${skippedWithout('pdftotext')}`, () => {
    it('has no text beyond a page’s edge or over other text', () => {
      expect(pages.flatMap((page, index) => faultsOf(page).map((fault) => `page ${index + 1}: ${fault}`))).toEqual([])
      const [page] = pages as [PrintedPage]
      const [word] = page.words.filter(({ text }) => text.length > 3)
      if (!word) throw new Error('no word was read')
      const moved = { ...word, text: 'moved', left: word.left + 3, right: word.right + 3 }
      expect(faultsOf({ ...page, words: [...page.words, moved] })).toEqual([`${word.text} and moved`])
      expect(faultsOf({ ...page, width: word.right - 1 })).toContain(`${word.text} leaves the page`)
    })

    it('keeps every row and every record on one page', () => {
      expect(rowTexts.length).toBeGreaterThan(PRINTED_MAX)
      // Badges are printed in capitals.
      const printed = texts.map((page) => page.toLowerCase())
      const split = rowTexts.filter((text) => !printed.some((page) => page.includes(text.toLowerCase())))
      expect(split.slice(0, 3)).toEqual([])
    })

    it('answers the three questions on page one, in order', () => {
      const [first] = texts as [string]
      const at = ['Wasthereanevent?', 'Whatsize?', 'Werethereearlierones?'].map((question) => first.indexOf(question))
      expect(at[0]).toBeGreaterThan(-1)
      expect([...at].sort((one, other) => one - other)).toEqual(at)
      expect(first).toContain('FINAL')
    })

    it('contains every figure of the report and of each printed record', () => {
      const text = texts.join('')
      const isPrinted = ({ id }: CitedRecordView) => text.includes(`record${id}ofthearchive:`)
      const printed = records.filter(isPrinted)
      expect(printed).toHaveLength(PRINTED_MAX)
      expect([...figuresOf(report), ...printed.flatMap(figuresOfRecord)].filter((figure) => !text.includes(flat(figure)))).toEqual([])
    })

    it("has the page number and the report's short fingerprint on every page", () => {
      const short = flat((report.fingerprint as string).slice(0, 16).toUpperCase())
      texts.forEach((text, index) => {
        expect(text).toContain(`${short}${index + 1}/${texts.length}`)
      })
    })
  })
})

it("a report of 25 records is less than 1 MB, on its team's paper and with its logo", { timeout: SLOW_MS }, async () => {
  const { world, bytes } = await aPrintedReport(25, { paper: 'a4', brand_name: 'Example Adjusting', brand_logo: LOGO })
  await world.close()
  expect(bytes.length).toBeLessThan(1_000_000)
  expect(bytes.toString('latin1')).toMatch(/\/MediaBox \[\s*0 0 595\.9\d* 841\.\d+\s*\]/)
})

/** One grey dot. */
const LOGO = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')

async function aPrintedReport(count: number, columns: Parameters<typeof aTeam>[1] = {}) {
  const world = await openWorld({ replace: { printer: own.printer } })
  await plantStorms(world, count)
  const caller = await aCaller(world, await aTeam(world, columns))
  const { years: _, ...place } = stormyPlace
  const input = { ...place, window_start: '2022-01-01', window_end: '2024-12-31', layout: everything, recipient: 'A reader' }
  const { id } = (await requestReport(world.app, caller, input, null)).report
  await world.drain()
  const found = await reportPdf(world.app, caller, id)
  if (!('bytes' in found)) throw new Error('the document is not rendered')
  const file = path.join(own.folder, `${count}.pdf`)
  await writeFile(file, found.bytes)
  return { world, caller, bytes: found.bytes, file, report: await findReport(world.app, caller, id) }
}

async function recordsOf(world: World, caller: Caller, id: string): Promise<CitedRecordView[]> {
  const records: CitedRecordView[] = []
  for (let page = 1; records.length < RECORDS; page++)
    records.push(...(await listReportEvents(world.app, caller, id, { page, per_page: 100 })).data)
  return records
}

/** The text of each table row and cited record in the document, from its markup. */
async function rowTextsOf(world: World, id: string): Promise<string[]> {
  const facts = await readDocumentFacts(world.app, id)
  if (!facts) throw new Error('the report is not complete')
  const { html } = await documentPage(facts, [])
  return [...html.matchAll(/<tr>.*?<\/tr>|<article class="record">.*?<\/article>/gs)].map(([markup]) =>
    flat(markup.replace(/<[^>]+>/g, ' ').replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))),
  )
}

function figuresOf(report: ReportView): string[] {
  const { address, window, coverage } = report
  return [
    ...[report.id, report.headline, report.fingerprint, report.recipient, address.query, address.county, coverage.summary],
    ...[window.start, window.end, `${window.radius_miles} mi`, `${report.event_count} records`],
    ...[address.latitude?.toFixed(5), address.longitude?.toFixed(5)],
    ...(report.findings ?? []).flatMap((finding) => [
      ...[finding.family_label, finding.statement, finding.confidence_label, finding.most_recent, finding.peak_severity],
      ...[`${finding.event_count} record`, `nearest ${finding.nearest_miles?.toFixed(1)} mi`, finding.dates.join(', ')],
      ...(finding.peak_hail_in === null ? [] : [`hail up to ${finding.peak_hail_in.toFixed(2)} in`]),
      ...(finding.peak_wind_mph === null ? [] : [`wind up to ${finding.peak_wind_mph} mph`]),
      ...(finding.peak_tornado_ef === null ? [] : [`tornado up to ${finding.peak_tornado_rating}`]),
    ]),
  ].map(String)
}

function figuresOfRecord({
  id,
  occurred_on,
  begins_at,
  measurements,
  location,
  relevance,
  provenance,
  description,
}: CitedRecordView): string[] {
  const { hail_size_in, wind_gust_mph, tornado_ef_scale } = measurements
  return [
    ...[`record ${id} of the archive: ${provenance.citation_url}`, provenance.source_label, description, occurred_on],
    ...[begins_at.slice(0, 16).replace('T', ' '), `${relevance.distance_miles?.toFixed(1)} mi`, relevance.bearing ?? ''],
    ...[location.latitude?.toFixed(5), location.longitude?.toFixed(5)].map(String),
    ...(hail_size_in === null ? [] : [`${hail_size_in.toFixed(2)} in`]),
    ...(wind_gust_mph === null ? [] : [`gust ${wind_gust_mph} mph`]),
    ...(tornado_ef_scale === null ? [] : [`EF${tornado_ef_scale}`]),
  ]
}
