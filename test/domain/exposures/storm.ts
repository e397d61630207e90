import { randomUUID } from 'node:crypto'
import type { Polygon } from 'geojson'
import { boundsOf } from '#domain/geo/area.ts'
import { cellsOfArea } from '#domain/geo/cells.ts'
import type { Position } from '#domain/geo/measure.ts'
import { syncWatch } from '#domain/properties/sync-watch.ts'
import { writeWatch } from '#domain/watches/watch-cells.ts'
import type { Exposure, Property, Team } from '#generated/prisma/client.ts'
import type { World } from '../../support/world.ts'
import { type DetailsRow, detailsText, importText } from '../archive/files.ts'

/** Where the default made-up hail falls. */
export const frisco = { latitude: 33.15, longitude: -96.82 }
/** Degrees of latitude in a mile. */
export const MILE = 1 / 69.0934

/** A watched property, saved directly in the database. */
export async function aProperty(world: World, team: Pick<Team, 'id'>, columns: Partial<Property> = {}): Promise<Property> {
  const label = columns.label ?? 'HQ'
  return world.app.db.$transaction(async (tx) => {
    const property = await tx.property.create({
      data: {
        team_id: team.id,
        label,
        query: label,
        query_key: randomUUID(),
        address_key: randomUUID(),
        located: true,
        watch_radius_miles: 5,
        ...frisco,
        ...columns,
      } as Parameters<typeof tx.property.create>[0]['data'],
    })
    await syncWatch(tx, property)
    return property
  })
}

/** A watched territory of one ring, saved directly in the database. */
export async function aTerritory(world: World, team: Pick<Team, 'id'>, ring: Position[], name = 'North'): Promise<{ id: string }> {
  const geometry: Polygon = { type: 'Polygon', coordinates: [ring] }
  return world.app.db.$transaction(async (tx) => {
    const territory = await tx.territory.create({
      data: {
        team_id: team.id,
        name,
        kind: 'polygon',
        description: 'Polygon',
        definition: {},
        geometry: JSON.stringify(geometry),
        area_sq_miles: 1,
        centre_latitude: 33,
        centre_longitude: -97,
        ...boundsOf([[ring]]),
      },
    })
    const watch = {
      team_id: team.id,
      subject: 'territory' as const,
      subject_id: territory.id,
      latitude: null,
      longitude: null,
      radius_miles: null,
    }
    await writeWatch(tx, { ...watch, cells: cellsOfArea(ring) })
    return territory
  })
}

/** An App that does something once, between the first run of a named query and the use of its rows. */
export function afterRead<Opened extends Pick<World['app'], 'pool'>>(app: Opened, name: string, change: () => Promise<unknown>): Opened {
  let isDone = false
  const query = async (statement: { name?: string }, values?: unknown[]) => {
    const found = await app.pool.query(statement as never, values as never)
    if (statement.name === name && !isDone) {
      isDone = true
      await change()
    }
    return found
  }
  const pool = new Proxy(app.pool, {
    get: (of, key) => {
      if (key === 'query') return query
      const value = Reflect.get(of, key)
      return typeof value === 'function' ? value.bind(of) : value
    },
  })
  return { ...app, pool }
}

/** A closed box of [longitude, latitude] positions. */
export function box(south: number, west: number, north: number, east: number): Position[] {
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ]
}

/** A Storm Events point, `miles` north of Frisco. */
export function north(miles: number): Pick<DetailsRow, 'BEGIN_LAT' | 'END_LAT'> {
  const latitude = (frisco.latitude + miles * MILE).toFixed(6)
  return { BEGIN_LAT: latitude, END_LAT: latitude }
}

/** Imports rows of a details file, by default of 24 March 2019, and runs all jobs that follow. */
export async function storm(world: World, rows: DetailsRow[], options: Parameters<typeof importText>[2] = {}): Promise<void> {
  await importText(world, detailsText(...rows), options)
  await world.drain()
}

/** Returns all exposures with all columns. */
export function exposures(world: World): Promise<Exposure[]> {
  return world.app.db.exposure.findMany({ orderBy: { id: 'asc' } })
}

/** The names of the events that were emitted, in order. */
export async function events(world: World, name?: string): Promise<string[]> {
  const rows = await world.app.db.event.findMany({ where: name ? { name } : {}, orderBy: { created_at: 'asc' } })
  return rows.map((row) => row.name)
}
