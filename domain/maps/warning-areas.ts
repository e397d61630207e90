import type { MultiPolygon, Polygon, Position } from 'geojson'
import type pg from 'pg'
import { spansOf } from '#domain/archive/warnings/spans.ts'
import { readStoredWarnings, type StoredWarning } from '#domain/archive/warnings/stored-warnings.ts'
import { stateOf } from '#domain/archive/warnings/summary.ts'
import type { Threats } from '#domain/archive/warnings/warning.ts'
import type { capSeverities } from '#domain/closed-sets.ts'
import { polygonsOf } from '#domain/geo/shape.ts'
import { timezoneAt } from '#domain/geo/zones.ts'
import { isoSeconds } from '#domain/kernel/iso-seconds.ts'
import { cutFeatures, inUnitSquare, type Tags, type TileFeature } from '#domain/maps/cut-paths.ts'
import { boxOf, type TileAddress, worldX, worldY } from '#domain/maps/mercator.ts'
import { cellsOfBox } from '#domain/maps/records.ts'

/** A polygon of a warning as one of its messages drew it, with the time that it was in force. */
export interface WarningArea {
  warning_id: number
  /** Severe Thunderstorm Warning, as sent. */
  event: string
  phenomenon: string
  severity: (typeof capSeverities)[number]
  /** Start and end of the warning: from its first message to its expiry. */
  issued: Date
  expires: Date
  /** Start of this polygon. */
  from: Date
  /** Exclusive. */
  until: Date
  threats: Threats
  geometry: Polygon | MultiPolygon
}

/** At lower zooms, the polygon of a storm is only some pixels wide. */
const WARNINGS_ZOOM_MIN = 6
/** The most warnings whose messages are read for a tile, the newest: more than fit into its bytes. */
const WARNINGS_MAX = 600
/** Bytes of a tile that warnings may take. */
export const WARNING_BYTES_MAX = 100_000
/** Approximate bytes per corner, and further bytes per polygon, most of them its four times. */
const CORNER_BYTES = 4
const AREA_BYTES = 150

/**
 * Returns the polygons of the newest warnings that may be in a tile, the newest first, as far as the byte limit allows. Warnings for
 * counties and zones have no polygon and are left out.
 */
export async function warningAreas(pool: pg.Pool, tile: TileAddress): Promise<WarningArea[]> {
  if (tile.z < WARNINGS_ZOOM_MIN) return []
  const { rows } = await pool.query<{ source_key: string }>({
    name: 'warnings_on_map',
    text: NEWEST,
    values: [cellsOfBox(boxOf(tile)), WARNINGS_MAX],
  })
  if (rows.length === 0) return []
  const warnings = await readStoredWarnings(
    pool,
    rows.map(({ source_key }) => source_key),
  )
  const areas = warnings
    .flatMap(areasOf)
    .sort((one, other) => other.from.getTime() - one.from.getTime() || other.warning_id - one.warning_id)
  let left = WARNING_BYTES_MAX
  return areas.filter(({ geometry }) => {
    left -= AREA_BYTES + CORNER_BYTES * polygonsOf(geometry).flat(2).length
    return left >= 0
  })
}

const NEWEST = `
  SELECT source_key FROM warnings
   WHERE id IN (SELECT warning_id FROM warning_cells WHERE cell = ANY ($1::int[])) AND geometry_basis = 'storm'
   ORDER BY issued_at DESC, id DESC LIMIT $2`

function areasOf({ id, source_key, messages }: StoredWarning): WarningArea[] {
  const spans = spansOf(messages)
  const { phenomenon, issued_at } = stateOf(source_key, messages)
  const expires = new Date(Math.max(...spans.map(({ until }) => until.getTime())))
  return spans.flatMap(({ message, from, until, area }) => {
    if (!('geometry' in area)) return []
    const { event, severity, threats } = message
    return [{ warning_id: id, event, phenomenon, severity, issued: issued_at, expires, from, until, threats, geometry: area.geometry }]
  })
}

/** Returns the parts of polygons inside a tile and its edge, in order. Times are in UTC, to the second. */
export function cutWarnings(areas: readonly WarningArea[], tile: TileAddress): TileFeature[] {
  if (areas.length === 0) return []
  return cutFeatures(
    areas.map((area) => ({
      type: 'Feature',
      id: area.warning_id,
      geometry: { type: 'MultiPolygon', coordinates: polygonsOf(area.geometry).map((rings) => rings.map((ring) => ring.map(projected))) },
      properties: tagsOf(area),
    })),
    tile,
  )
}

const projected = ([longitude = 0, latitude = 0]: Position) => inUnitSquare(worldX(longitude), worldY(latitude))

function tagsOf({ warning_id, event, phenomenon, severity, issued, expires, from, until, threats, geometry }: WarningArea): Tags {
  const times = { issued: isoSeconds(issued), expires: isoSeconds(expires), from: isoSeconds(from), until: isoSeconds(until) }
  return { id: warning_id, type: event, phenomenon, severity, ...times, timezone: zoneOf(geometry), source: 'nws_warnings', ...threats }
}

/** Returns the IANA zone of its first corner, for local times besides UTC. */
function zoneOf(geometry: WarningArea['geometry']): string | null {
  const [longitude, latitude] = polygonsOf(geometry)[0]?.[0]?.[0] ?? []
  return longitude === undefined || latitude === undefined ? null : timezoneAt(latitude, longitude)
}
