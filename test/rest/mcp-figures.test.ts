import { expect, it } from 'vitest'
import { cite } from '#domain/reports/cite.ts'
import { citedFigures } from '#rest/mcp/figures.ts'
import { aCell, aRecord, reportOf } from '#test/domain/reports/record-factories.ts'

const figuresOf = (...records: Parameters<typeof reportOf>[0]) => citedFigures(reportOf(records).findings, records.map(cite))

it('an observed figure is used even if radar estimated as much nearer by', () => {
  const records = [
    aCell({ hail_size_in: 2, citation_url: 'https://radar.test' }),
    aRecord({ hail_size_in: 2, miles_north: 3, citation_url: 'https://seen.test' }),
  ]
  expect(figuresOf(...records)).toMatchObject([
    { what: 'largest hail', value: '2.00 in', kind: 'ground', citation_url: 'https://seen.test' },
  ])
})

it('a radar figure is used if nothing else states one, the nearest of equal ones, and never from a doubted record', () => {
  expect(figuresOf(aCell({ hail_size_in: 1.5 }))).toMatchObject([{ value: '1.50 in', kind: 'radar' }])
  const near = aRecord({ hail_size_in: 1, miles_north: 1, citation_url: 'https://near.test' })
  expect(figuresOf(aRecord({ hail_size_in: 1, miles_north: 4 }), near)).toMatchObject([{ citation_url: 'https://near.test' }])
  expect(figuresOf(aRecord({ hail_size_in: 4, caveats: ['Doubted.'] }), near)).toMatchObject([
    { value: '1.00 in', citation_url: 'https://near.test' },
  ])
})
