import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventPosts } from '#domain/integrations/announcements/index.ts'
import { readDocumentFacts } from '#domain/reports/document/facts.ts'
import { documentPage } from '#domain/reports/document/page.ts'
import { findReport } from '#domain/reports/find.ts'
import { requestReport } from '#domain/reports/request.ts'
import { reportVerification } from '#domain/reports/verification.ts'
import type { ReportView } from '#domain/reports/view.ts'
import { present, skipped } from '#test/domain/archive/files.ts'
import { aCaller, aTeam } from '#test/support/factories.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { aroundOklahomaCity, importOklahoma } from './oklahoma.ts'

describe.skipIf(!present)(`100 E Reno Ave, Oklahoma City, over 1990 to 1995${skipped}`, () => {
  let world: World
  let report: ReportView
  let page: string
  let finding: NonNullable<ReportView['findings']>[number]

  beforeAll(async () => {
    world = await openWorld()
    await importOklahoma(world)
    const caller = await aCaller(world, await aTeam(world))
    const { id } = (await requestReport(world.app, caller, aroundOklahomaCity, null)).report
    await world.drain()
    report = await findReport(world.app, caller, id)
    finding = report.findings?.[0] as typeof finding
    const facts = await readDocumentFacts(world.app, id)
    if (!facts) throw new Error('the report has no document')
    page = (await documentPage(facts, [])).html
    expect((await reportVerification(world.app, caller, id)).finding).toBe(report.headline)
  })
  afterAll(() => world.close())

  it('has a headline of one clause about one record', () => {
    expect(report.headline).toBe('Hail 3.50 in reported 1.6 mi W of the centre of ZIP 73104 on 1992-09-06; 298 records in all')
    expect(report.findings?.some(({ statement }) => statement.includes(report.headline as string))).toBe(false)
  })

  it("combines no size with another record's day or distance, and separates county records", () => {
    const sentences = [
      '57 ground reports of hail within 10 mi: largest and nearest 3.50 in (measured or estimated: not stated), 1.6 mi W on 1992-09-06.',
      '25 reports of thunderstorm wind within 10 mi: strongest and nearest 100 mph (measured or estimated: not stated), 1.6 mi W on 1990-04-16.',
      '1 tornado record within 10 mi: F1 (estimated by the source), 1.6 mi W on 1992-10-07.',
      '215 county records of hail and thunderstorm wind for Oklahoma, Canadian and Cleveland counties; they name the county, not a point (largest hail 4.50 in, Canadian County, 1994-08-17; strongest wind 96 mph, Oklahoma County, 1995-07-24).',
      'Source: NOAA Storm Events Database (final).',
      'Dates are local (Central Time).',
      'Distances are from the centre of ZIP 73104, not from the building.',
    ]
    const at = sentences.map((sentence) => finding.statement.indexOf(sentence))
    expect(at).not.toContain(-1)
    expect(at).toEqual([...at].sort((one, other) => one - other))
  })

  it("takes its peaks from records with a place, and a tornado's scale from its row", () => {
    expect(finding).toMatchObject({
      event_count: 298,
      peak_hail_in: 3.5,
      peak_wind_mph: 100,
      peak_tornado_rating: 'F1',
      nearest_miles: 1.59,
    })
    expect(finding.confidence_label).toBe('Medium: one kind of evidence')
  })

  it("prints the same: no county record's figure is among the key figures, and no county record counts as within", () => {
    const text = flat(page)
    expect(text).toContain('83 records cited within 10 mi; 215 records cited that name a county or a forecast zone, not a point; ')
    expect(text).toContain('3.50 in Largest hail reported (measured or estimated: not stated), 1.6 mi W on 1992-09-06')
    expect(text).toContain('F1 Strongest tornado (estimated), 1.6 mi W on 1992-10-07')
    expect(text).toContain('Circle of 10 mi around the centre of ZIP 73104 (the cross)')
    expect(text).not.toMatch(/\bEF\d/)
    const figures = text.slice(text.indexOf('Three questions'), text.indexOf('Coverage and limits'))
    expect(figures).not.toContain('4.50 in')
  })

  it('is announced with the same headline, and with its first statement once', () => {
    const { headline, lede, rows } = eventPosts['report.completed'].announce(
      { data: [report] },
      { base_url: 'https://weather.example', total: 0 },
    )
    expect([headline, lede]).toEqual([report.headline, finding.statement])
    expect(rows).toEqual([])
  })
})

/** The text of a page as a reader sees it: without markup, pictures and repeated spaces. */
function flat(page: string): string {
  return page
    .replace(/<style>[\s\S]*?<\/style>|<svg[\s\S]*?<\/svg>/g, '')
    .replace(/<\/?span[^>]*>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
}
