import { countiesWithinRadius, countyOf, countyShape } from '#domain/geo/counties.ts'
import { present } from '#domain/kernel/present.ts'
import type { Town } from '#domain/places/towns-around.ts'
import { RINGS } from '#domain/reports/day-of-loss/rings.ts'
import { miles } from '#domain/reports/document/format.ts'
import { escapeHtml } from '#domain/reports/document/html.ts'
import type { Label, Labels } from '#domain/reports/document/labels.ts'
import { MAP_SIZE, type MapFrame, tenth } from '#domain/reports/document/map-frame.ts'

type Place = [x: number, y: number]

const CENTRE = MAP_SIZE / 2
/** A county's name is tried on a grid with this many places per side. */
const GRID = 12
/** Points on the circle's edge where no name is written: as close together as letters are high. */
const ON_EDGE = 180
/** Lengths of the scale bar, miles. */
const BARS = [0.25, 0.5, 1, 2, 5, 10, 20, 50]

/** Draws the borders of the counties around, each named once if there is room. Lines go below everything; names are placed after the markers. */
export function countyLines(frame: MapFrame): { lines: string; name(labels: Labels): string } {
  const counties = countiesWithinRadius(frame.latitude, frame.longitude, frame.reach_miles * Math.SQRT2).map((fips) => ({
    name: countyOf(fips)?.name ?? '',
    rings: (countyShape(fips) ?? []).map((ring) => ring.map((position) => frame.project(position))),
  }))
  return {
    lines: counties.map(({ rings }) => `<path d="${rings.map(outline).join('')}" fill="none" stroke="#9aa396" stroke-width="1"/>`).join(''),
    name(labels) {
      for (let turn = 0; turn < ON_EDGE; turn++) {
        const [angle, away] = [(turn / ON_EDGE) * 2 * Math.PI, frame.radius_miles * frame.unit]
        labels.occupy(CENTRE + away * Math.sin(angle), CENTRE + away * Math.cos(angle), 1)
      }
      return counties.map(({ name, rings }) => written(placeName(name, rings, labels), 'county')).join('')
    },
  }
}

const placeName = (text: string, rings: Place[][], labels: Labels) =>
  labels.place(roomiest(rings).map(([x, y]) => ({ x, y, text, align: 'middle' })))

/** The most towns named on one map: enough to see where one is, few enough to read. */
const TOWNS_MAX = 14

/** Draws a dot and a name for each of the nearest towns whose name fits beside the records. */
export function townNames(towns: readonly Town[], frame: MapFrame, labels: Labels): string {
  return towns
    .map(({ name, latitude, longitude }) => {
      const [x, y] = frame.project([longitude, latitude])
      const label = labels.place([
        { text: name, x: x + 5, y: y + 3.5 },
        { text: name, x, y: y - 6, align: 'middle' },
        { text: name, x, y: y + 13, align: 'middle' },
      ])
      return label && `<circle cx="${x}" cy="${y}" r="1.8" fill="#5d655c"/>${written(label, 'town')}`
    })
    .filter((drawn) => drawn !== null)
    .slice(0, TOWNS_MAX)
    .join('')
}

/** Draws the distance rings and the edge of the search, each with its miles. */
export function ringLines({ radius_miles, unit }: MapFrame, chosen: boolean, labels: Labels): string {
  const drawn = [...(chosen ? RINGS.filter((ring) => ring < radius_miles) : []), radius_miles]
  return drawn
    .map((ring) => {
      const ringRadius = ring * unit
      const dashes = ring === radius_miles ? '' : ' stroke-dasharray="4 4"'
      const text = miles(ring)
      // Tried at the top, then at the bottom: first just outside the line, then just inside it.
      const label = labels.place(
        [CENTRE - ringRadius - 4, CENTRE + ringRadius + 11, CENTRE - ringRadius + 12, CENTRE + ringRadius - 5].map((y) => ({
          x: CENTRE + 4,
          y,
          text,
        })),
      )
      return `<circle cx="${CENTRE}" cy="${CENTRE}" r="${tenth(ringRadius)}" fill="none" stroke="#6b7280" stroke-width="1"${dashes}/>${written(label, 'small')}`
    })
    .join('')
}

/** Draws a scale bar of a round number of miles, about a quarter of the picture wide, and a north arrow. */
export function scaleAndNorth({ radius_miles, unit }: MapFrame, labels: Labels): string {
  const length = BARS.filter((bar) => bar <= radius_miles / 2).at(-1) ?? present(BARS[0])
  const barWidth = tenth(length * unit)
  const [left, foot] = [16, MAP_SIZE - 16]
  const north = { x: MAP_SIZE - 26, y: 56, text: 'N', align: 'middle' } as const
  labels.occupy(north.x, 28, 14)
  const texts = [labels.place([{ x: left + barWidth / 2, y: foot - 7, text: miles(length), align: 'middle' }]), labels.place([north])]
  return `<path d="M${left} ${foot - 5} V${foot} H${left + barWidth} V${foot - 5}" fill="none" stroke="#222" stroke-width="1.5"/><path d="M${north.x} 18 l6 24 l-6 -5 l-6 5 Z" fill="#222"/>${texts.map((text) => written(text, 'small')).join('')}`
}

/** Returns a label as SVG; nothing if it found no place. */
export function written(label: Label | null, look: 'small' | 'county' | 'town'): string {
  if (!label) return ''
  const anchor = label.align === 'middle' ? ' text-anchor="middle"' : ''
  return `<text x="${tenth(label.x)}" y="${tenth(label.y)}" class="${look}"${anchor}>${escapeHtml(label.text)}</text>`
}

/** Returns a closed outline as an SVG path. */
export const outline = (positions: readonly Place[]) => `M${positions.map((position) => position.join(' ')).join('L')}Z`

/** Returns the grid places inside the rings, those farthest from the rings' lines and the picture's edge first. */
function roomiest(rings: Place[][]): Place[] {
  const step = MAP_SIZE / (GRID + 1)
  return Array.from({ length: GRID * GRID }, (_, n): Place => [((n % GRID) + 1) * step, (Math.floor(n / GRID) + 1) * step])
    .filter(([x, y]) => rings.filter((ring) => holds(ring, x, y)).length % 2 === 1)
    .map((place) => ({
      place,
      room: Math.min(...place, ...place.map((at) => MAP_SIZE - at), ...rings.map((ring) => awayFrom(ring, place))),
    }))
    .sort((one, other) => other.room - one.room)
    .map(({ place }) => place)
}

function awayFrom(ring: Place[], [x, y]: Place): number {
  return ring.reduce((nearest, [x2, y2], at) => {
    const [x1, y1] = present(ring.at(at - 1))
    const [run, rise] = [x2 - x1, y2 - y1]
    const part = Math.max(0, Math.min(1, ((x - x1) * run + (y - y1) * rise) / (run * run + rise * rise || 1)))
    return Math.min(nearest, Math.hypot(x1 + part * run - x, y1 + part * rise - y))
  }, Number.POSITIVE_INFINITY)
}

/** Even-odd rule. */
function holds(ring: Place[], x: number, y: number): boolean {
  let inside = false
  for (let at = 0, before = ring.length - 1; at < ring.length; before = at++) {
    const [[x1, y1], [x2, y2]] = [present(ring[before]), present(ring[at])]
    if (y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)) inside = !inside
  }
  return inside
}
