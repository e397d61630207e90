import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sources } from '#domain/archive/sources/index.ts'
import type { Composition } from '#domain/reports/compose.ts'
import { METHODOLOGY_VERSION } from '#domain/reports/methodology.ts'
import { nothingFound } from '#domain/reports/wording/statement.ts'
import { openWorld } from '#test/support/world.ts'
import { aCell, aCounty, aCoverage, aDayCell, after, aRecord, frisco, reportOf, year2025 } from './record-factories.ts'

const FOLDER = 'test/golden/methodology'
const CHANGED_MESSAGE = `The same records read otherwise than by version ${METHODOLOGY_VERSION} of the rules. Raise METHODOLOGY_VERSION, say in
docs/methodology.md what changed, and keep the texts as ${FOLDER}/<version>.txt; those of versions that made reports stay as they are.`

const zip = { ...frisco, street: null, precision: 'zip' as const }
const suspect = { caveats: ['The point lies 31 mi outside the county that the source names.'] }

const partlyPreliminary = aCoverage({
  provisional: true,
  horizons: { TX: '2025-03-31' },
  final_through: '2025-03-31',
  preliminary: { from: '2025-04-01', to: '2025-12-31' },
})

const loss = { date: '2025-05-28', warnings: [] }

const hours = (from: string, until: string) => ({
  source_key: `mesh_max_1440min/${until}/2184/3317`,
  begins_at: new Date(from),
  ends_at: new Date(until),
})

/** Reports that show each rule: near and far, seen and estimated, corroborated and alone, with a caveat, by county, and empty. */
const cases: Record<string, () => Composition> = {
  'hail near and far, tornado, wind': () =>
    reportOf([
      aRecord({ id: 1, hail_size_in: 2.75, miles_north: 4.2, occurred_on: '2025-04-06', begins_at: after(-70_000) }),
      aRecord({ id: 2, hail_size_in: 1, miles_north: 1.6 }),
      aRecord({ id: 3, type: 'tornado', tornado_ef_scale: 2, qualifier: 'surveyed', miles_north: 0.4 }),
      aRecord({
        id: 4,
        type: 'thunderstorm_wind',
        wind_gust_mph: 71,
        qualifier: 'measured',
        evidence_kind: 'instrument',
        miles_north: 2.5,
      }),
    ]),
  'tornadoes of unknown strength': () =>
    reportOf([
      aRecord({ id: 1, type: 'tornado', qualifier: 'surveyed', description: 'No damage was found. Rated EFU by the source.' }),
      aRecord({ id: 2, type: 'tornado', qualifier: 'estimated', miles_north: 3 }),
    ]),
  'two reporters of one storm': () =>
    reportOf([
      aRecord({ id: 1, hail_size_in: 1.75, miles_north: 0.8, reporter: 'spotter' }),
      aRecord({ id: 2, hail_size_in: 1.5, miles_north: 2.9, reporter: 'public', begins_at: after(20) }),
    ]),
  'radar over the address alone': () => reportOf([aCell({ id: 1, hail_size_in: 1.25 })]),
  'radar alone, while zone records are not placed': () =>
    reportOf([aCell({ id: 1, hail_size_in: 1.25 })], {
      coverage: aCoverage({
        unplaced_zones: [{ state: 'TX', records: 3, types: [{ type: 'high_wind', records: 3 }], table_held: false }],
      }),
    }),
  'an instrument that states no value': () =>
    reportOf([aRecord({ id: 1, type: 'thunderstorm_wind', qualifier: 'measured', evidence_kind: 'instrument', miles_north: 2.5 })]),
  'radar below an inch beside it': () => reportOf([aCell({ id: 1, hail_size_in: 0.75, miles_north: 3 })]),
  'radar over a ZIP': () =>
    reportOf([aCell({ id: 1, hail_size_in: 1.5 }), aRecord({ id: 2, hail_size_in: 1, miles_north: 2 })], { place: zip }),
  'radar beside a report of wind': () =>
    reportOf([
      aCell({ id: 1, hail_size_in: 1.5 }),
      aRecord({ id: 2, type: 'thunderstorm_wind', wind_gust_mph: 60, qualifier: 'estimated', miles_north: 2 }),
    ]),
  'radar beside a flash flood, which is another finding': () =>
    reportOf([aCell({ id: 1, hail_size_in: 1.5 }), aRecord({ id: 2, type: 'flash_flood', miles_north: 0.5 })]),
  "a day's largest over the address, inside a band": () =>
    reportOf([aDayCell({ id: 1, hail_size_in: 1.52 })], { radar_over: [{ day: '2025-05-28', source: 'noaa_mesh', tenths: 386 }] }),
  "a day's largest beside a ground report, to an hour after midnight": () =>
    reportOf([
      aDayCell({ id: 1, hail_size_in: 1.52, miles_north: 0.4, ...hours('2025-05-28T06:00:00Z', '2025-05-29T06:00:00Z') }),
      aRecord({ id: 2, hail_size_in: 1, miles_north: 2 }),
    ]),
  "a day's largest of hours of two days, alone": () =>
    reportOf([
      aDayCell({
        id: 1,
        hail_size_in: 2,
        ...hours('2025-05-28T10:00:00Z', '2025-05-29T10:00:00Z'),
        caveats: ['Its hours reach 5 h beyond the local day that it counts for: it may be of the day beside it.'],
      }),
    ]),
  'the largest of moments that are gone, and of days kept alone': () =>
    reportOf(
      [aDayCell({ id: 1, source_key: 'mesh_day/moments/2025-05-28T05:00:00Z/2025-05-29T05:00:00Z/40.0/2184/3317', hail_size_in: 1.57 })],
      {
        coverage: aCoverage({ radar: { of: 365, days: 200, moments: 5_760, largest_only: 180, reaches: true, maxima: 0 } }),
      },
    ),
  'counties and zones alone': () =>
    reportOf([
      aCounty({ id: 1, wind_gust_mph: 60 }),
      aCounty({ id: 2, type: 'drought' }),
      aCounty({ id: 3, type: 'high_wind', precision: 'zone', zone: 'TXZ104' }),
    ]),
  'a county of another time zone': () => reportOf([aCounty({ id: 1, county: 'El Paso', county_fips: '48141', wind_gust_mph: 60 })]),
  'a doubted record alone, and beside another': () =>
    reportOf([aRecord({ id: 1, hail_size_in: 4, ...suspect }), aRecord({ id: 2, type: 'flash_flood', miles_north: 2 })]),
  'preliminary reports, beyond ten miles': () =>
    reportOf([aRecord({ id: 1, hail_size_in: 1, miles_north: 14, preliminary: true, source: 'nws_lsr' })], {
      window: { ...year2025, radius_miles: 25 },
      coverage: partlyPreliminary,
    }),
  'preliminary reports that agree, beside a final one': () =>
    reportOf(
      [
        aRecord({ id: 1, preliminary: true, source: 'nws_lsr', miles_north: 0.8, reporter: 'Public' }),
        aRecord({ id: 2, preliminary: true, source: 'nws_lsr', miles_north: 2.9, reporter: 'Trained Spotter' }),
        aRecord({ id: 3, hail_size_in: 1, occurred_on: '2025-02-01', begins_at: after(-170_000) }),
      ],
      { coverage: partlyPreliminary },
    ),
  'a date of loss with a caveat, days near it and days that stand out, after the last final record': () =>
    reportOf(
      [
        aRecord({ id: 1, hail_size_in: 1.75, miles_north: 0.8 }),
        aRecord({ id: 2, hail_size_in: 4, ...suspect }),
        aCell({ id: 3, hail_size_in: 1.5, occurred_on: '2025-05-27' }),
        aCounty({ id: 4, wind_gust_mph: 60, occurred_on: '2025-05-29' }),
        ...Array.from({ length: 13 }, (_, at) =>
          aRecord({ id: 10 + at, hail_size_in: 1, miles_north: 2, occurred_on: `2025-08-${10 + at}` }),
        ),
      ],
      { loss, coverage: aCoverage({ provisional: true, horizons: { TX: '2025-11-30' }, final_through: '2025-11-30' }) },
    ),
  'a date of loss without a record, in a window that rests on preliminary ones': () => reportOf([], { loss, coverage: partlyPreliminary }),
  'a date of loss in a month that is not held': () =>
    reportOf([], { loss, coverage: aCoverage({ complete: false, missing: [{ from: '2025-04', to: '2025-05' }] }) }),
  'a date of loss in a window of which nothing is held': () =>
    reportOf([], {
      loss,
      coverage: aCoverage({
        complete: false,
        provisional: true,
        sources: [],
        horizons: { TX: null },
        final_through: null,
        missing: [{ from: '2025-01', to: '2025-12' }],
        radar: { of: 365, days: 0, moments: 0, largest_only: 0, reaches: null, maxima: 0 },
      }),
    }),
  'nothing at all': () => reportOf([]),
  'nothing on one day, with preliminary reports': () =>
    reportOf([], {
      window: { start: '2025-05-28', end: '2025-05-28', radius_miles: 5 },
      coverage: aCoverage({
        provisional: true,
        horizons: { TX: '2025-03-31' },
        final_through: null,
        preliminary: { from: '2025-05-28', to: '2025-05-28' },
      }),
    }),
  'two records of one size, distance and time, before the zones had names': () =>
    reportOf(
      ['1956/10', '1956/9'].map((source_key, at) =>
        aRecord({
          id: 1 + at,
          source_key,
          hail_size_in: 2,
          longitude: frisco.longitude + (at === 0 ? -0.02 : 0.02),
          occurred_on: '1956-05-28',
          begins_at: new Date('1956-05-28T23:10:00Z'),
        }),
      ),
      { window: { start: '1956-01-01', end: '1956-12-31', radius_miles: 5 } },
    ),
  'nothing in years of which the database has tornadoes alone, then storms alone': () =>
    reportOf([], { window: { start: '1953-01-01', end: '1957-12-31', radius_miles: 25 } }),
  'a date of loss in such a year, without a record': () =>
    reportOf([], { window: { start: '1994-12-01', end: '1995-02-15', radius_miles: 25 }, loss: { date: '1995-01-10', warnings: [] } }),
  'nothing, with the lists of three types alone after the final record': () =>
    reportOf([], {
      coverage: aCoverage({
        provisional: true,
        sources: (['noaa_storm_events', 'noaa_spc_reports'] as const).map((source) => ({
          source,
          label: source,
          compiled_on: null,
          preliminary: source === 'noaa_spc_reports',
        })),
        horizons: { TX: '2025-03-31' },
        final_through: '2025-03-31',
        preliminary: { from: '2025-04-01', to: '2025-12-31' },
      }),
    }),
  'a date of loss in months that were compiled early, without a record': () =>
    reportOf([], {
      loss,
      coverage: aCoverage({ early: { from: '2025-05', to: '2025-06', compiled_on: '2025-08-20', has_preliminary: false } }),
    }),
  'nothing, with months missing and zones unplaced': () =>
    reportOf([], {
      coverage: aCoverage({
        complete: false,
        missing: [{ from: '2025-03', to: '2025-04' }],
        unplaced_zones: [{ state: 'TX', records: 3, types: [{ type: 'high_wind', records: 3 }], table_held: false }],
      }),
    }),
  'a date of loss with other weather alone': () =>
    reportOf(
      [
        aRecord({ type: 'lightning', miles_north: 0.4 }),
        aRecord({ type: 'lightning', miles_north: 2 }),
        aRecord({ type: 'flash_flood', miles_north: 3 }),
        aRecord({ type: 'funnel_cloud', miles_north: 4, ...suspect }),
        aRecord({ type: 'heavy_rain', occurred_on: '2025-05-27' }),
      ],
      { loss },
    ),
  'nothing, with warnings and stations alone searched': () =>
    reportOf([], {
      coverage: aCoverage({
        complete: false,
        missing: [{ from: '2025-01', to: '2025-12' }],
        sources: (['nws_warnings', 'asos'] as const).map((source) => ({ source, label: source, compiled_on: null, preliminary: false })),
      }),
    }),
  'nothing, in a month that the source lost': () =>
    reportOf([], { window: { start: '1993-05-01', end: '1993-08-31', radius_miles: 25 }, loss: { date: '1993-07-09', warnings: [] } }),
}

/** The text that a reader of the report sees. */
function textOf({ headline, findings, coverage, day_of_loss, ...report }: Composition): string {
  const { place, window, unplaced_zones } = report
  const searched = { place, window, sources: coverage.sources_searched, provisional: coverage.provisional, unplaced_zones }
  const nothing = findings.length > 0 ? [] : [nothingFound(searched)]
  return [
    headline,
    ...(day_of_loss === null ? [] : [day_of_loss.statement]),
    ...nothing,
    ...findings.flatMap(({ family_label, confidence_label, statement, dates, ...peaks }) => [
      `${family_label}. ${confidence_label}. ${dates.join(', ')}`,
      statement,
      JSON.stringify([peaks.peak_severity, peaks.peak_hail_in, peaks.peak_wind_mph, peaks.peak_tornado_rating, peaks.nearest_miles]),
    ]),
    coverage.summary,
  ].join('\n')
}

const texts = () =>
  [
    ...Object.entries(cases).map(([name, make]) => `## ${name}\n${textOf(make())}`),
    `## how sources make their records\n${sources.map(({ id, methodology }) => `${id}: ${methodology}`).join('\n')}`,
  ].join('\n\n')

test('reports state what this version of the rules produces', () => {
  const file = `${FOLDER}/${METHODOLOGY_VERSION}.txt`
  expect(existsSync(file) ? readFileSync(file, 'utf8') : '', CHANGED_MESSAGE).toBe(`${texts()}\n`)
})

test('the changelog describes each version, the current one first', () => {
  const described = [...readFileSync('docs/methodology.md', 'utf8').matchAll(/^## Version (\S+)/gm)].map(([, version]) => version)
  expect(described[0]).toBe(METHODOLOGY_VERSION)
  for (const name of readdirSync(FOLDER)) expect(described).toContain(name.replace(/\.txt$/, ''))
  expect(described).toContain('1')
})

test('a report completed by an earlier process gets the earlier version', async () => {
  const world = await openWorld()
  const { rows } = await world.owner.query(
    "SELECT column_default FROM information_schema.columns WHERE table_name = 'reports' AND column_name = 'methodology_version'",
  )
  expect(rows).toEqual([{ column_default: "'2'::text" }])
})
