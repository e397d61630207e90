import { expect, it } from 'vitest'
import { cite } from '#domain/reports/cite.ts'
import type { CitedRecordView } from '#domain/reports/view.ts'
import type { Calls, RestCall } from '#rest/mcp/calls.ts'
import { citedFigures, figuresOf } from '#rest/mcp/figures.ts'
import { aCell, aRecord, reportOf } from '#test/domain/reports/record-factories.ts'

const citedIn = (...records: Parameters<typeof reportOf>[0]) => citedFigures(reportOf(records).findings, records.map(cite))

it('an observed figure is used even if radar estimated as much nearer by', () => {
  const records = [
    aCell({ hail_size_in: 2, citation_url: 'https://radar.test' }),
    aRecord({ hail_size_in: 2, miles_north: 3, citation_url: 'https://seen.test' }),
  ]
  expect(citedIn(...records)).toMatchObject([{ what: 'largest hail', value: '2.00 in', kind: 'ground', citation_url: 'https://seen.test' }])
})

it('a radar figure is used if nothing else states one, the nearest of equal ones, and never from a doubted record', () => {
  expect(citedIn(aCell({ hail_size_in: 1.5 }))).toMatchObject([{ value: '1.50 in', kind: 'radar' }])
  const near = aRecord({ hail_size_in: 1, miles_north: 1, citation_url: 'https://near.test' })
  expect(citedIn(aRecord({ hail_size_in: 1, miles_north: 4 }), near)).toMatchObject([{ citation_url: 'https://near.test' }])
  expect(citedIn(aRecord({ hail_size_in: 4, caveats: ['Doubted.'] }), near)).toMatchObject([
    { value: '1.00 in', citation_url: 'https://near.test' },
  ])
})

/** Answers pages of a report's records with the filters of the API. */
function callsOver(records: CitedRecordView[]): { calls: Calls; asked: RestCall[] } {
  const asked: RestCall[] = []
  const reaches = (value: number | null, least: unknown) => least === undefined || (value !== null && value >= Number(least))
  async function rest(call: RestCall) {
    asked.push(call)
    const { page, per_page, family, type, min_hail_in, min_gust_mph, observed } = call.query as Record<string, number>
    const matching = records.filter(
      (record) =>
        record.family === String(family) &&
        (type === undefined || record.type === String(type)) &&
        (observed === undefined || record.provenance.is_observed === Boolean(observed)) &&
        reaches(record.measurements.hail_size_in, min_hail_in) &&
        reaches(record.measurements.wind_gust_mph, min_gust_mph),
    )
    const [from, until] = [(Number(page) - 1) * Number(per_page), Number(page) * Number(per_page)]
    return { data: matching.slice(from, until), links: { next: until < matching.length ? 'next' : null } } as never
  }
  return {
    asked,
    calls: { rest, restOnce: () => Promise.reject(new Error('not used')), graph: () => Promise.reject(new Error('not used')) },
  }
}

it('every peak is found among thousands of records, wherever it stands, with few requests', async () => {
  const small = Array.from({ length: 3000 }, (_, at) => aRecord({ hail_size_in: 1, miles_north: 1 + (at % 4) }))
  const oldest = [
    aRecord({ hail_size_in: 3, citation_url: 'https://hail.test' }),
    aRecord({ type: 'thunderstorm_wind', wind_gust_mph: 82, citation_url: 'https://wind.test' }),
    aRecord({ type: 'tornado', tornado_ef_scale: 3, citation_url: 'https://tornado.test' }),
  ]
  const records = [...Array.from({ length: 1200 }, () => aCell({ hail_size_in: 3.5 })), ...small, ...oldest]
  const { calls, asked } = callsOver(records.map(cite))
  const { figures, uncited } = await figuresOf(calls, { id: 'r', findings: reportOf(records).findings })
  expect(figures.map(({ citation_url }) => citation_url)).toEqual(['https://hail.test', 'https://wind.test', 'https://tornado.test'])
  expect([uncited, asked.length]).toEqual([[], 3])
})

it('a sustained speed without a gust is found, and a peak without a record is named', async () => {
  const wind = aRecord({ type: 'high_wind', wind_speed_mph: 60, citation_url: 'https://speed.test' })
  const { findings } = reportOf([wind, aRecord({ hail_size_in: 2 })])
  const { calls } = callsOver([cite(wind)])
  expect(await figuresOf(calls, { id: 'r', findings })).toMatchObject({
    figures: [{ what: 'strongest wind', citation_url: 'https://speed.test' }],
    uncited: [{ family: 'thunderstorm', what: 'largest hail' }],
  })
})
