import { countiesMeeting, countyOf, countyShape } from '#domain/geo/counties.ts'
import { bearingDegrees, distanceMiles, type Position } from '#domain/geo/measure.ts'
import type { DocumentFacts, DrawnRecord } from '#domain/reports/document/facts.ts'
import { miles } from '#domain/reports/document/format.ts'
import { escapeHtml, type Html, html, raw } from '#domain/reports/document/html.ts'
import { markerShape, phenomena, phenomenonOf } from '#domain/reports/document/phenomena.ts'

/** Drawing units: the picture is square and scales to its column. */
const SIZE = 560
/** Air around the circle, so that a marker on its edge is whole. */
const MARGIN = 1.12
/** Numbers are printed beside this many markers; more would cover one another. */
const NUMBERED_MAX = 40
/** Rings of a report, miles: primary to 3, secondary to 10. */
const RINGS = [1, 3, 10]

/** A map of our own geometry: no picture of anybody else's is needed to read it. North is up. */
export function mapSection({ report, records }: DocumentFacts): Html {
  const { map } = report.layout
  if (!map) return html``
  const { latitude, longitude } = report.address as { latitude: number; longitude: number }
  const project = projection(latitude, longitude, report.window.radius_miles)
  const drawn = records.map((record, index) => ({ record, number: index + 1 })).filter(({ record }) => isShown(record, map.layers))
  const shown = phenomena.filter(({ id }) => drawn.some(({ record }) => phenomenonOf(record) === id))
  const picture = [
    `<svg viewBox="0 0 ${SIZE} ${SIZE}" role="img" aria-label="Map of the ${drawn.length} records with a point, around the address" class="map">`,
    `<rect width="${SIZE}" height="${SIZE}" fill="#f7f8f6"/>`,
    ...counties(latitude, longitude, report.window.radius_miles, project),
    ...(map.layers.includes('rings') ? rings(report.window.radius_miles) : []),
    ...drawn.map(({ record }) => extent(record, project)),
    ...drawn.map(({ record, number }) => marker(record, number, drawn.length <= NUMBERED_MAX, project)),
    `<g transform="translate(${SIZE / 2} ${SIZE / 2})"><path d="M-9 0 H9 M0 -9 V9" stroke="#111" stroke-width="2"/><circle r="4" fill="#fff" stroke="#111" stroke-width="2"/></g>`,
    scale(report.window.radius_miles),
    `<g transform="translate(${SIZE - 26} 34)"><path d="M0 -16 L6 8 L0 3 L-6 8 Z" fill="#222"/><text y="22" text-anchor="middle" class="small">N</text></g>`,
    '</svg>',
  ].join('')
  return html`<section class="keep"><h2>Map</h2>
    <figure>${raw(picture)}
      <figcaption>Circle of ${miles(report.window.radius_miles)} around the address (the cross). Numbers are those of the cited records. County lines: US Census Bureau.</figcaption>
    </figure>
    <ul class="legend">${shown.map(({ id, label }) => html`<li>${raw(`<svg viewBox="-7 -7 14 14" class="key" aria-hidden="true">${markerShape(id)}</svg>`)} ${label}</li>`)}</ul>
  </section>`
}

type Project = (position: Position) => [x: number, y: number]

/** Azimuthal equidistant around the address: distances from it are true. */
function projection(latitude: number, longitude: number, radius_miles: number): Project {
  const unit = SIZE / 2 / (radius_miles * MARGIN)
  return ([east, north]) => {
    const away = distanceMiles(latitude, longitude, north, east) * unit
    const angle = (bearingDegrees(latitude, longitude, north, east) * Math.PI) / 180
    return [tenth(SIZE / 2 + away * Math.sin(angle)), tenth(SIZE / 2 - away * Math.cos(angle))]
  }
}

function counties(latitude: number, longitude: number, radius_miles: number, project: Project): string[] {
  return countiesMeeting(latitude, longitude, radius_miles * MARGIN * Math.SQRT2).flatMap((fips) => {
    const rings = countyShape(fips) ?? []
    const outline = rings.map((ring) => `M${ring.map((position) => project(position as Position).join(' ')).join('L')}Z`).join('')
    const name = countyOf(fips)?.name ?? ''
    const inside =
      rings[0]?.map((position) => project(position as Position)).filter(([x, y]) => x > 40 && x < SIZE - 40 && y > 20 && y < SIZE - 20) ??
      []
    const label =
      inside.length > 0
        ? `<text x="${mean(inside.map(([x]) => x))}" y="${mean(inside.map(([, y]) => y))}" class="county">${escapeHtml(name)}</text>`
        : ''
    return [`<path d="${outline}" fill="none" stroke="#b9c0b6" stroke-width="1"/>${label}`]
  })
}

function rings(radius_miles: number): string[] {
  return [...RINGS.filter((ring) => ring < radius_miles), radius_miles].map((ring) => {
    const away = (ring / (radius_miles * MARGIN)) * (SIZE / 2)
    return `<circle cx="${SIZE / 2}" cy="${SIZE / 2}" r="${tenth(away)}" fill="none" stroke="#6b7280" stroke-width="1" stroke-dasharray="${ring === radius_miles ? 'none' : '4 4'}"/>
      <text x="${SIZE / 2 + 4}" y="${tenth(SIZE / 2 - away - 3)}" class="small">${miles(ring)}</text>`
  })
}

/** The line of a tornado's path, the outline of a flooded area. */
function extent(record: DrawnRecord, project: Project): string {
  const { latitude, longitude } = record.location
  const { colour } = phenomena.find(({ id }) => id === phenomenonOf(record)) as (typeof phenomena)[number]
  if (record.corners && record.corners.length > 2) {
    return `<path d="M${record.corners.map((position) => project(position).join(' ')).join('L')}Z" fill="${colour}" fill-opacity="0.12" stroke="${colour}" stroke-width="1"/>`
  }
  if (!record.path_end || latitude === null || longitude === null || record.location.precision !== 'path') return ''
  return `<path d="M${project([longitude, latitude]).join(' ')}L${project(record.path_end).join(' ')}" stroke="${colour}" stroke-width="2.5" fill="none"/>`
}

function marker(record: DrawnRecord, number: number, numbered: boolean, project: Project): string {
  const { latitude, longitude } = record.location
  const [x, y] = project([longitude as number, latitude as number])
  return `<g transform="translate(${x} ${y})">${markerShape(phenomenonOf(record))}${numbered ? `<text x="7" y="3.5" class="small">${number}</text>` : ''}</g>`
}

function isShown(record: DrawnRecord, layers: readonly string[]): boolean {
  if (record.location.latitude === null) return false
  const phenomenon = phenomenonOf(record)
  return layers.includes(phenomenon) || (phenomenon === 'tornado' && layers.includes('tornado_paths'))
}

/** A bar of a round number of miles, about a quarter of the picture. */
function scale(radius_miles: number): string {
  const wanted = radius_miles / 2
  const length = [0.25, 0.5, 1, 2, 5, 10, 20, 50].filter((step) => step <= wanted).at(-1) ?? 0.25
  const wide = tenth((length / (radius_miles * MARGIN)) * (SIZE / 2))
  return `<g transform="translate(16 ${SIZE - 16})"><path d="M0 -5 V0 H${wide} V-5" fill="none" stroke="#222" stroke-width="1.5"/><text x="${wide / 2}" y="-7" text-anchor="middle" class="small">${miles(length)}</text></g>`
}

const tenth = (value: number) => Math.round(value * 10) / 10
const mean = (values: number[]) => tenth(values.reduce((sum, value) => sum + value, 0) / values.length)
