import { VectorTile } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'
import { bytesOutsideApi } from '../service.ts'
import type { Connection } from '../settings.ts'
import { type Bounds, characterAt, type Glyph, type Point } from './map.ts'
import type { TerminalStyle } from './terminal.ts'
import { displayable } from './text.ts'

/** A town of the service's packaged basemap. */
export interface Town extends Point {
  name: string
  /** Its size: the number of ZIP codes with its name. */
  zips: number
  /** Lowest zoom of a web map that shows it. */
  minZoom: number
}

/** Zooms of the basemap's tiles. */
const ZOOM = { least: 3, most: 8 }
/** Most tiles of a box, which is hardly wider than one tile. */
const TILES_MAX = 9
/** Width of a character in pixels of a web map, whose tiles are 512 wide. */
const CHARACTER_PX = 8
const TILE_PX = 512

/** The zoom at which a web map would show as much in the same width. */
const zoomOf = ({ west, east }: Bounds, width: number) => Math.log2(((360 / (east - west)) * width * CHARACTER_PX) / TILE_PX)

/** Reads the towns of boxes from the basemap's tiles, each tile once. An unreadable tile gives no towns and is requested again later: a map works without names. */
export function openTowns(connection: Connection): (box: Bounds) => Promise<Town[]> {
  const read = new Map<string, Promise<Town[]>>()
  return async (box) => {
    const tiles = tilesOf(box).map(([z, x, y]) => {
      const path = `/map/ground/${z}/${x}/${y}.mvt`
      const towns = read.get(path) ?? readTile(connection, path, [z, x, y])
      read.set(path, towns)
      return towns.catch(() => {
        read.delete(path)
        return []
      })
    })
    return (await Promise.all(tiles)).flat()
  }
}

type TileAddress = [z: number, x: number, y: number]

function tilesOf({ west, south, east, north }: Bounds): TileAddress[] {
  const z = Math.max(ZOOM.least, Math.min(ZOOM.most, Math.floor(Math.log2(360 / (east - west)))))
  const across = (longitude: number) => Math.floor(((longitude + 180) / 360) * 2 ** z)
  const down = (latitude: number) => Math.floor(((1 - Math.asinh(Math.tan((latitude * Math.PI) / 180)) / Math.PI) / 2) * 2 ** z)
  const tiles: TileAddress[] = []
  for (let y = down(north); y <= down(south); y++) for (let x = across(west); x <= across(east); x++) tiles.push([z, x, y])
  return tiles.slice(0, TILES_MAX)
}

async function readTile(connection: Connection, path: string, [z, x, y]: TileAddress): Promise<Town[]> {
  const bytes = await bytesOutsideApi(connection, path)
  const names = bytes.length > 0 ? new VectorTile(new PbfReader(bytes)).layers.names : undefined
  return Array.from({ length: names?.length ?? 0 }, (_, nth) => names!.feature(nth)).flatMap((feature) => {
    const { kind, name, zips, from } = feature.properties
    const { geometry } = feature.toGeoJSON(x, y, z)
    if (kind !== 'town' || typeof name !== 'string' || geometry.type !== 'Point') return []
    const [longitude = 0, latitude = 0] = geometry.coordinates
    return [{ name, latitude, longitude, zips: Number(zips), minZoom: Number(from) }]
  })
}

/**
 * Writes names of towns on a map, larger towns first, each beside its dot if they cover no other name. A wider view has fewer
 * names. The background keeps its colour.
 * @param reserved places whose marks no name may cover
 */
export function writeNames(
  map: Glyph[][],
  box: Bounds,
  towns: readonly Town[],
  reserved: readonly Point[],
  look: Pick<TerminalStyle, 'unicode' | 'marks'>,
): void {
  const width = map[0]?.length ?? 0
  const zoom = zoomOf(box, width)
  const taken = map.map(() => new Array<boolean>(width).fill(false))
  for (const place of reserved) {
    const { row, column } = characterAt(map, box, place)
    if (taken[row]?.[column] !== undefined) taken[row][column] = true
  }
  const visible = towns
    .filter(({ minZoom }) => minZoom <= zoom)
    .sort((one, other) => other.zips - one.zips || (one.name < other.name ? -1 : 1))
  for (const town of visible) {
    const { row, column } = characterAt(map, box, town)
    const occupied = taken[row]
    if (!occupied || column < 0 || column >= width) continue
    const name = [...displayable(town.name, look)]
    const placed = [
      { from: column, text: [look.marks.town, ...name] },
      { from: column - name.length, text: [...name, look.marks.town] },
    ].find(
      ({ from, text }) =>
        from >= 0 && from + text.length <= width && !occupied.slice(Math.max(0, from - 1), from + text.length + 1).includes(true),
    )
    if (!placed) continue
    for (const [nth, character] of placed.text.entries()) {
      occupied[placed.from + nth] = true
      map[row]![placed.from + nth] = { ...map[row]![placed.from + nth]!, text: character, plain: true }
    }
  }
}
