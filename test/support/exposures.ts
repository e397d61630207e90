import type { App } from '#domain/app.ts'
import { nextMoment } from '#domain/watches/next-moment.ts'
import type { Exposure, Property, Team, Territory } from '#generated/prisma/client.ts'
import type { World } from './world.ts'

type Tx = Parameters<Parameters<App['db']['$transaction']>[0]>[0]

/** Makes a property that the team watches at HQ, Moore. */
export function aKeptProperty(world: World, { id: team_id }: Pick<Team, 'id'>, columns: Partial<Property> = {}): Promise<Property> {
  const place = { query: 'Moore, OK', query_key: `moore ok ${++made}`, address_key: `moore ok ${made}`, city: 'Moore', state: 'OK' }
  return world.app.db.property.create({
    data: { team_id, label: 'HQ', ...place, latitude: 35.339, longitude: -97.486, precision: 'city', located: true, tags: [], ...columns },
  })
}

/** Makes a square that the team watches. */
export function aKeptTerritory(world: World, { id: team_id }: Pick<Team, 'id'>, columns: Partial<Territory> = {}): Promise<Territory> {
  const ring = [
    [-98, 35],
    [-97, 35],
    [-97, 36],
    [-98, 36],
    [-98, 35],
  ]
  const shape = {
    description: 'Polygon',
    definition: { positions: 5, polygons: 1 },
    geometry: JSON.stringify({ type: 'Polygon', coordinates: [ring] }),
  }
  const bounds = { west: -98, south: 35, east: -97, north: 36, centre_latitude: 35.5, centre_longitude: -97.5 }
  const data = { team_id, name: 'North', kind: 'polygon', ...shape, ...bounds, area_sq_miles: 3900, ...columns }
  return world.app.db.territory.create({ data: data as never })
}

let made = 0

/** Writes an exposure as detection does: in the transaction, at the team's next moment unless another is given. */
export async function addExposure(
  tx: Tx,
  now: Date,
  team_id: string,
  columns: Partial<Omit<Exposure, 'date'>> & { date?: string } = {},
  moment_override?: string,
): Promise<number> {
  const moment = moment_override ?? (await nextMoment(tx, team_id, now))
  const { date = '2026-05-20', ...rest } = columns
  const { id } = await tx.exposure.create({
    data: {
      team_id,
      kind: 'record',
      headline: 'Hail',
      date: new Date(date),
      evidence: [],
      record_ids: [],
      ...rest,
      first_seen_at: moment,
      last_seen_at: moment,
    } as never,
  })
  // Prisma's own date has only milliseconds.
  await tx.$executeRaw`UPDATE exposures SET first_seen_at = ${moment}::timestamptz, last_seen_at = ${moment}::timestamptz WHERE id = ${id}`
  return id
}

/** Writes an exposure in a transaction of its own. */
export function anExposure(world: World, { id }: Pick<Team, 'id'>, columns: Parameters<typeof addExposure>[3] = {}): Promise<number> {
  return world.app.db.$transaction((tx) => addExposure(tx, world.clock.now(), id, columns))
}

/** A warning as an exposure stores it. */
export const aWarning = {
  object: 'warning',
  identifier: 'urn:oid:2.49.0.1.840.0.1',
  event: 'Severe Thunderstorm Warning',
  headline: 'Severe Thunderstorm Warning issued May 20',
  status: 'actual',
  message_type: 'alert',
  severity: 'severe',
  certainty: 'observed',
  urgency: 'immediate',
  issued_at: '2026-05-20T23:10:00Z',
  onset_at: '2026-05-20T23:10:00Z',
  expires_at: '2026-05-20T23:45:00Z',
  ends_at: '2026-05-20T23:45:00Z',
  cancelled_at: null,
  office: { id: 'KOUN', name: 'NWS Norman' },
  vtec: '/O.NEW.KOUN.SV.W.0142.260520T2310Z-260520T2345Z/',
  phenomenon: 'SV',
  significance: 'W',
  tracking_number: 142,
  threats: {
    max_hail_in: 1.75,
    hail_basis: 'radar_indicated',
    max_gust_mph: 70,
    wind_basis: 'observed',
    tornado: null,
    flash_flood: null,
    damage: 'considerable',
  },
  area: 'Cleveland, OK',
  instruction: 'Go inside.',
  geometry: {
    type: 'Polygon',
    coordinates: [
      [
        [-97.6, 35.2],
        [-97.3, 35.2],
        [-97.3, 35.4],
        [-97.6, 35.2],
      ],
    ],
  },
  geometry_basis: 'storm',
  citation_url: 'https://mesonet.agron.iastate.edu/vtec/event/2026-O-NEW-KOUN-SV-W-0142',
}
