import path from 'node:path'
import { booleanPointInPolygon, point, polygon } from '@turf/turf'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Team } from '#generated/prisma/client.ts'
import { readCsv } from '../../oracle/csv.ts'
import { milesBetween } from '../../oracle/geography.ts'
import { aTeam } from '../../support/factories.ts'
import { openWorld, type World } from '../../support/world.ts'
import { details, importReal, present, skipped } from '../archive/files.ts'
import { aProperty, aTerritory, box, events } from './storm.ts'

const file = path.resolve(process.env.WEATHER_REAL_DATA ?? '../shared/data', 'storm-events', details(2019))

/** A hail report of 0.75 in or more, read from the file by code that is independent of the service. */
interface Report {
  event: string
  county: string
  inches: number
  ends: [number, number][]
  /** The local date in Texas, including daylight saving time. */
  date: string
  /** The date under which the file lists it, in standard time all year: MMDD. */
  filed: string
}

const chicago = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Chicago', dateStyle: 'short' })

function readHail(): Report[] {
  return readCsv(file).flatMap((row) => {
    if (row.EVENT_TYPE !== 'Hail' || row.STATE !== 'TEXAS' || !row.BEGIN_LAT) return []
    const month = row.BEGIN_YEARMONTH as string
    const [year, number, day] = [month.slice(0, 4), month.slice(4), row.BEGIN_DAY].map(Number) as [number, number, number]
    const time = (row.BEGIN_TIME as string).padStart(4, '0')
    const standard = Number((row.CZ_TIMEZONE as string).slice(3))
    const utc = Date.UTC(year, number - 1, day, Number(time.slice(0, 2)) - standard, Number(time.slice(2)))
    const ends = [
      [Number(row.BEGIN_LON), Number(row.BEGIN_LAT)],
      [Number(row.END_LON), Number(row.END_LAT)],
    ] as [number, number][]
    const filed = `${month.slice(4)}${(row.BEGIN_DAY as string).padStart(2, '0')}`
    const [event, county] = [row.EVENT_ID, row.CZ_NAME] as [string, string]
    return [{ event, county, inches: Number(row.MAGNITUDE), ends, date: chicago.format(utc), filed }]
  })
}

/** A grid of watches over north Texas, with radii from half a mile to ten. */
const watches = Array.from({ length: 12 * 12 }, (_, place) => ({
  label: `W${place}`,
  latitude: 32.5 + Math.floor(place / 12) * 0.12,
  longitude: -97.6 + (place % 12) * 0.18,
  watch_radius_miles: [0.5, 1, 2, 5, 10][place % 5] as number,
}))
/** A watch at the place of a report. */
const watchAt = (event: string, [longitude, latitude]: [number, number]) => ({
  label: `at${event}`,
  latitude,
  longitude,
  watch_radius_miles: 0.5,
})
const areas = { Collin: box(33.0, -96.85, 33.4, -96.3), Denton: box(33.0, -97.4, 33.43, -96.83), Away: box(29, -99, 29.5, -98.5) }

describe.skipIf(!present)(`north Texas in the first quarter of 2019${skipped}`, () => {
  let world: World
  let team: Team
  let hail: Report[]
  beforeAll(async () => {
    world = await openWorld()
    team = await aTeam(world)
    hail = readHail()
    for (const { event, ends } of hail.filter(({ filed }) => filed === '0324')) watches.push(watchAt(event, ends[0] as [number, number]))
    for (const watch of watches) await aProperty(world, team, watch)
    for (const [name, ring] of Object.entries(areas)) await aTerritory(world, team, ring, name)
    await importReal(world, details(2019))
    await world.drain()
  })

  it('has the 49 hail reports of 24 March in their counties', () => {
    const counted: Record<string, number> = {}
    for (const { county } of hail.filter(({ filed }) => filed === '0324')) counted[county] = (counted[county] ?? 0) + 1
    expect(counted).toEqual({ COLLIN: 21, DENTON: 8, TARRANT: 7, HOPKINS: 5, GRAYSON: 4, HUNT: 2, RAINS: 1, DALLAS: 1 })
  })

  it('finds each report through every watch that it touches, on its date, without duplicates', async () => {
    const { rows } = await world.app.pool.query<{ name: string; date: string; keys: string[]; largest: number | null }>(`
      SELECT coalesce(p.label, t.name) AS name, e.date, e.largest_measured_in AS largest,
             ARRAY(SELECT r.source_key FROM unnest(e.record_ids) WITH ORDINALITY AS cited (id, place) JOIN archive_records r USING (id)
                    WHERE r.type = 'hail' ORDER BY r.source_key) AS keys
        FROM exposures e LEFT JOIN properties p ON p.id = e.property_id LEFT JOIN territories t ON t.id = e.territory_id`)
    const found = rows.flatMap(({ name, date, keys }) => keys.map((key) => `${name} ${date} ${key.split('/').at(-1)}`))
    const large = hail.filter(({ inches }) => inches >= 0.75)
    const near = watches.flatMap(({ label, latitude, longitude, watch_radius_miles }) =>
      large
        .filter(({ ends }) => ends.some((end) => milesBetween([longitude, latitude], end) <= watch_radius_miles))
        .map(({ date, event }) => `${label} ${date} ${event}`),
    )
    const inside = Object.entries(areas).flatMap(([name, ring]) =>
      large
        .filter(({ ends }) => ends.some((end) => booleanPointInPolygon(point(end), polygon([ring]))))
        .map(({ date, event }) => `${name} ${date} ${event}`),
    )
    expect(found.sort()).toEqual([...near, ...inside].sort())
    for (const { event, date, filed } of hail) if (filed === '0324') expect(found).toContain(`at${event} ${date} ${event}`)
    expect(near.length).toBeGreaterThan(100)
    expect(inside.length).toBeGreaterThan(20)
    for (const { name, date, largest } of rows) {
      const matched = found.filter((one) => one.startsWith(`${name} ${date} `)).map((one) => one.split(' ').at(-1))
      const sizes = large.filter(({ event }) => matched.includes(event)).map(({ inches }) => inches)
      expect(largest).toBe(sizes.length > 0 ? Math.max(...sizes) : null)
    }
  })

  it('announces each storm day once', async () => {
    const { rows } = await world.app.pool.query<{ times: number; exposures: number }>(`
      SELECT count(*)::int AS exposures, (SELECT max(n) FROM (SELECT count(*)::int AS n FROM events WHERE name = 'exposure.detected' GROUP BY exposure_ids) announced) AS times
        FROM exposures WHERE kind = 'record'`)
    expect(await events(world, 'exposure.detected')).toHaveLength(rows[0]?.exposures as number)
    expect(rows[0]?.times).toBe(1)
  })
})
