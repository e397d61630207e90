import { createReadStream, readFileSync } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ingest } from '#domain/archive/ingest/ingest.ts'
import { searchArchive } from '#domain/archive/search/search.ts'
import { locate } from '#domain/places/locate.ts'
import { compose } from '#domain/reports/compose.ts'
import { readLoss } from '#domain/reports/day-of-loss/read-loss.ts'
import type { DayView } from '#domain/reports/day-of-loss/view.ts'
import { details, importReal, locations2019 } from '#test/domain/archive/files.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { readCsv } from './csv.ts'
import { daysOfLoss, type ExpectedDay, firstSentenceOf, shifted } from './days.ts'
import { expectedOf } from './expected.ts'
import { type Fact, factsOf } from './facts.ts'
import { realRecordsPresent, stormEventFiles } from './files.ts'
import { type Spot, stateHolding } from './geography.ts'
import { decoderPresent, momentGrid, type RadarCell, radarCells, radarCited } from './radar-cells.ts'
import { inForce, type Notice } from './warned.ts'
import { localDateAt, warningsOnDay } from './warned-days.ts'
import { askWarnings, readNotices, warningTexts } from './warning-questions.ts'

/** `npm run test:counts` asks for 200 of each kind. */
const STORMS = Number(process.env.STORMS ?? 60)
/** Places for each warning: 6 if there are 200 storms. */
const EACH = Math.ceil(STORMS / 35)
const RADIUS = 10
const TIMEOUT_MS = 240_000

/** A storm, and the place that is asked about. */
interface StormPlace {
  place: Spot
  date: string
}

/** The contents of the raw files, read by code independent of the service. */
interface Raw {
  facts: Fact[]
  notices: Notice[]
  cells: RadarCell[]
}

/** The report's statements, in the terms of the recount. */
function stated({ date, relation, records, warnings, hail, wind, tornado }: DayView): ExpectedDay {
  return {
    date,
    relation,
    records,
    warnings,
    hail_in: hail.ground_in,
    radar_hail_in: hail.radar_in,
    hail_miles: hail.nearest_miles,
    wind_mph: wind.ground_mph,
    measured_wind_mph: wind.instrument_mph,
    wind_miles: wind.nearest_miles,
    tornado: tornado.rating && unrated(tornado.rating) ? null : tornado.rating,
    tornado_miles: tornado.nearest_miles,
  }
}

/** EFU: the source does not state the strength. */
const unrated = (rating: string) => rating.endsWith('U')

/** Distances are stated to a hundredth of a mile, and computed by two formulas. */
const miles = (value: number | null) => (value === null ? null : expect.closeTo(value, 1))
const roughly = (day: ExpectedDay) => ({
  ...day,
  hail_miles: miles(day.hail_miles),
  wind_miles: miles(day.wind_miles),
  tornado_miles: miles(day.tornado_miles),
})

const FIRST_SENTENCE = /On \d{4}-\d\d-\d\d, the date of loss, .*?(?<=\w)\.(?= |$)/
const AREAL = /On that day: (\d+) (?:county|zone) records? of /g
const FIGURE = /(?:hail|wind|tornado) (?:reported|measured|estimated by radar)(?: (?:[\d.]+ (?:in|mph)|E?F\d))?/g

/**
 * Asks about one place with the right date, one or two days off, and 25 days off.
 * @returns the channels of the right day
 */
async function ask(world: World, raw: Raw, { place, date: right }: StormPlace, at: number): Promise<string[]> {
  const [longitude, latitude] = place
  const window = { start: shifted(right, -40), end: shifted(right, 40), radius_miles: RADIUS }
  const located = await locate(world.app, 'a storm', { point: { latitude, longitude } })
  if ('failure' in located) throw new Error(`${latitude}, ${longitude} was not located`)
  const evidence = await searchArchive(world.app, located.place, window)
  const expected = expectedOf({ place, ...window }, raw.facts, new Map())
  for (const one of radarCited(raw.cells, place, RADIUS)) {
    const { event_id, occurred_on } = one.fact
    if (occurred_on >= window.start && occurred_on <= window.end) expected.cited.set(event_id, one)
  }
  const warningsOn = (date: string) => warningsOnDay(raw.notices, place, date)
  const off = at % 2 === 0 ? 1 : -1
  for (const date of [right, shifted(right, off * (1 + (at % 3 === 0 ? 1 : 0))), shifted(right, off * 25)]) {
    const loss = await readLoss(world.app, located.place, window, date, null)
    const { days, day_of_loss } = compose(located.place, window, evidence, { loss })
    expect([at, days?.map(stated)]).toEqual([at, daysOfLoss(expected, date, warningsOn).map(roughly)])
    const [first = ''] = FIRST_SENTENCE.exec(day_of_loss?.statement ?? '') ?? []
    const { begins, figures, areal } = firstSentenceOf(expected, date)
    expect(first.slice(0, begins.length)).toBe(begins)
    expect([at, first.match(FIGURE) ?? []]).toEqual([at, figures])
    const counts = [...(day_of_loss?.statement ?? '').matchAll(AREAL)].map(([, count]) => Number(count))
    expect([at, counts.reduce((sum, count) => sum + count, 0)]).toEqual([at, areal])
    expect(day_of_loss?.warnings.filter(({ relation }) => relation === 'date_of_loss').length).toBeGreaterThanOrEqual(warningsOn(date))
  }
  const day = [...expected.cited.values()].filter(({ fact }) => fact.occurred_on === right).map(({ fact }) => fact.channel)
  return [...new Set([...day, ...(warningsOn(right) > 0 ? ['warning'] : [])])]
}

/** A roof some distance from the start of each of these storms. */
function roofsNear(facts: readonly Fact[], count: number): StormPlace[] {
  const step = facts.length / count
  return Array.from({ length: count }, (_, at) => facts[Math.floor(at * step)] as Fact).map(({ start_point, occurred_on }) => {
    const [longitude, latitude] = start_point as [number, number]
    return { place: [Number((longitude + 0.011).toFixed(5)), Number((latitude - 0.013).toFixed(5))], date: occurred_on }
  })
}

const isStorm = ({ start_point, type, doubts }: Fact) =>
  start_point !== null && doubts.length === 0 && ['hail', 'thunderstorm_wind', 'tornado'].includes(type)

/** Asks all questions, and counts by channel on how many of the right days there are data. */
async function askAll(world: World, raw: Raw, places: readonly StormPlace[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = { asked: 0 }
  for (const [at, one] of places.entries())
    for (const channel of ['asked', ...(await ask(world, raw, one, at))]) counts[channel] = (counts[channel] ?? 0) + 1
  return counts
}

describe.skipIf(!realRecordsPresent)('the right date, a near one and a far one get the answers that the raw files give', () => {
  test(`for ${STORMS} storms of 1993`, { timeout: TIMEOUT_MS }, async () => {
    const world = await openWorld()
    try {
      await importReal(world, details(1993), { quiet: true })
      const facts = factsOf(stormEventFiles('details', ['1993']).flatMap(readCsv), [])
      const inSeason = facts.filter(({ occurred_on }) => occurred_on >= '1993-02-15' && occurred_on <= '1993-11-15')
      const places = roofsNear(inSeason.filter(isStorm), STORMS)
      expect(await askAll(world, { facts, notices: [], cells: [] }, places)).toEqual({ asked: STORMS, ground: STORMS })
    } finally {
      await world.close()
    }
  })

  describe('with data from the ground, instruments, radar and warnings together,', () => {
    let world: World
    let raw: Raw
    beforeAll(async () => {
      world = await openWorld()
      const read = (kind: 'details' | 'locations') => stormEventFiles(kind, ['2019']).flatMap(readCsv)
      raw = { facts: factsOf(read('details'), read('locations')), notices: readNotices(), cells: decoderPresent ? radarCells() : [] }
      await importReal(world, details(2019), { quiet: true })
      await importReal(world, locations2019, { quiet: true })
      for (const file of warningTexts())
        await ingest(world.app, 'warnings', createReadStream(file), { file_name: path.basename(file), quiet: true })
      if (decoderPresent)
        await ingest(world.app, 'mesh', Readable.from([readFileSync(momentGrid)]), { file_name: path.basename(momentGrid), quiet: true })
    }, TIMEOUT_MS)
    afterAll(() => world?.close())

    test(`for ${STORMS} storms of 2019, half of them measured by an instrument`, { timeout: TIMEOUT_MS }, async () => {
      const storms = raw.facts.filter(isStorm)
      const measured = storms.filter(({ channel }) => channel === 'instrument')
      const seen = storms.filter(({ channel }) => channel === 'ground')
      const places = [...roofsNear(measured, STORMS / 2), ...roofsNear(seen, STORMS / 2)]
      const counts = await askAll(world, raw, places)
      expect(counts.asked).toBe(STORMS)
      expect(Math.min(counts.ground ?? 0, counts.instrument ?? 0)).toBeGreaterThanOrEqual(STORMS / 2)
    })

    test('for places under real warnings', { timeout: TIMEOUT_MS }, async () => {
      const moments = [...new Set(raw.notices.flatMap(({ sent, begins }) => [sent, begins ?? sent]))]
      const places = askWarnings(raw.notices, EACH, 1993).flatMap(({ place }): StormPlace[] => {
        const under = moments.find((at) => inForce(raw.notices, place, at).length > 0)
        return under === undefined ? [] : [{ place, date: localDateAt(place, under) }]
      })
      const counts = await askAll(world, raw, places)
      expect(counts).toMatchObject({ asked: places.length, warning: places.length })
      expect(places.length).toBeGreaterThan(STORMS / 4)
    })

    test.skipIf(!decoderPresent)('for roofs around and under the hail of a radar grid', { timeout: TIMEOUT_MS }, async () => {
      const strong = raw.cells.filter(({ mm }) => mm >= 5)
      const places = strong
        .flatMap(({ centre: [longitude, latitude] }, at): StormPlace['place'][] => {
          const away = at % 2 === 0 ? 0.002 : 0.06
          return [[Number((longitude + away).toFixed(5)), Number((latitude - away).toFixed(5))]]
        })
        .filter((place) => stateHolding(place) !== null)
        .slice(0, STORMS)
        .map((place) => ({ place, date: '2024-02-27' }))
      const counts = await askAll(world, raw, places)
      expect(counts).toMatchObject({ asked: places.length, radar: places.length })
      expect(places.length).toBeGreaterThan(STORMS / 2)
    })
  })
})
