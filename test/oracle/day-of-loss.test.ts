import { expect, test } from 'vitest'
import { searchArchive } from '#domain/archive/search/search.ts'
import { locate } from '#domain/places/locate.ts'
import { compose } from '#domain/reports/compose.ts'
import type { DayView } from '#domain/reports/day-of-loss.ts'
import { readLoss } from '#domain/reports/read-loss.ts'
import { details, importReal } from '#test/domain/archive/files.ts'
import { openWorld } from '#test/support/world.ts'
import { readCsv } from './csv.ts'
import { askedOn, daysOfLoss, type ExpectedDay } from './days.ts'
import { expectedOf } from './expected.ts'
import { factsOf } from './facts.ts'
import { realRecordsPresent, stormEventFiles } from './files.ts'

const YEAR = '1993'
const STORMS = 200
const RADIUS = 10
const DAY_MS = 86_400_000
const TIMEOUT_MS = 120_000

const shifted = (date: string, days: number) => new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10)

/** As the report states it, in the recount's words. */
function stated({ date, relation, records, hail, wind, tornado }: DayView): ExpectedDay {
  const digits = tornado.rating?.match(/^F(\d)$/)?.[1]
  return {
    date,
    relation,
    records,
    hail_in: hail.ground_in,
    hail_miles: hail.nearest_miles,
    wind_mph: wind.ground_mph,
    wind_miles: wind.nearest_miles,
    tornado_ef: digits === undefined ? null : Number(digits),
    tornado_miles: tornado.nearest_miles,
  }
}

/** Distances are stated to a hundredth of a mile, and measured by two formulas. */
const miles = (value: number | null) => (value === null ? null : expect.closeTo(value, 1))
const roughly = (day: ExpectedDay) => ({
  ...day,
  hail_miles: miles(day.hail_miles),
  wind_miles: miles(day.wind_miles),
  tornado_miles: miles(day.tornado_miles),
})

test.skipIf(!realRecordsPresent)(
  `200 storms, asked with the right date, a near one and a far one, are answered as the raw files count them`,
  { timeout: TIMEOUT_MS },
  async () => {
    const world = await openWorld()
    try {
      await importReal(world, details(Number(YEAR)), { quiet: true })
      const facts = factsOf(stormEventFiles('details', [YEAR]).flatMap(readCsv), [])
      const storms = facts.filter(
        ({ began, type, occurred_on, doubts }) =>
          began !== null &&
          doubts.length === 0 &&
          ['hail', 'thunderstorm_wind', 'tornado'].includes(type) &&
          occurred_on >= '1993-02-15' &&
          occurred_on <= '1993-11-15',
      )
      const step = Math.floor(storms.length / STORMS)
      let answered = 0
      for (let at = 0; at < STORMS; at += 1) {
        const { began, occurred_on } = storms[at * step] as (typeof storms)[number]
        const [lon, lat] = began as [number, number]
        const [longitude, latitude] = [Number((lon + 0.011).toFixed(5)), Number((lat - 0.013).toFixed(5))]
        const window = { start: shifted(occurred_on, -40), end: shifted(occurred_on, 40), radius_miles: RADIUS }
        const located = await locate(world.app, 'a storm', { point: { latitude, longitude } })
        if ('failure' in located) continue
        const evidence = await searchArchive(world.app, located.place, window)
        const expected = expectedOf({ place: [longitude, latitude], ...window }, facts, new Map())
        const off = at % 2 === 0 ? 1 : -1
        for (const date of [occurred_on, shifted(occurred_on, off * (1 + (at % 3 === 0 ? 1 : 0))), shifted(occurred_on, off * 25)]) {
          const loss = await readLoss(world.app, located.place, window, date, null)
          const { days, day_of_loss } = compose(located.place, window, evidence, { loss })
          expect([at, days?.map(stated)]).toEqual([at, daysOfLoss(expected, date).map(roughly)])
          const asked = askedOn(expected, date)
          const count = asked.length === 0 ? 'no record' : `${asked.length} record${asked.length === 1 ? '' : 's'}`
          const [first = ''] = day_of_loss?.statement.match(/On \d{4}-\d\d-\d\d, the date of loss, .*?(?<=\w)\.(?= |$)/) ?? []
          expect(first).toContain(`On ${date}, the date of loss, ${count} of hail, wind or tornado `)
          const largest = Math.max(...asked.filter(({ fact }) => fact.doubts.length === 0).map(({ fact }) => fact.hail_size_in ?? 0), 0)
          if (largest > 0) expect(first).toContain(`hail reported ${largest.toFixed(2)} in, `)
          else expect(first).not.toContain('hail reported')
          answered += 1
        }
      }
      expect(answered).toBe(3 * STORMS)
    } finally {
      await world.close()
    }
  },
)
