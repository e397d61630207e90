import type { MultiPolygon, Polygon } from 'geojson'
import { measuredFrom } from '#domain/evidence/distance-text.ts'
import { polygonsOf } from '#domain/geo/shape.ts'
import { present } from '#domain/kernel/present.ts'
import { pluralize } from '#domain/kernel/text.ts'
import { colourOf, drawnLayerOf, drawnLayers, legend, markerShape } from '#domain/reports/document/drawn-layers.ts'
import { swathLegend, swathShapes } from '#domain/reports/document/drawn-swaths.ts'
import type { DocumentFacts, DrawnRecord } from '#domain/reports/document/facts.ts'
import { miles } from '#domain/reports/document/format.ts'
import { escapeHtml, type Html, html, raw } from '#domain/reports/document/html.ts'
import { type Labels, openLabels } from '#domain/reports/document/labels.ts'
import { MAP_SIZE, type MapFrame, mapFrame } from '#domain/reports/document/map-frame.ts'
import { countyLines, outline, ringLines, scaleAndNorth, townNames, written } from '#domain/reports/document/map-ground.ts'
import { numberedRecords, PRINTED_MAX } from '#domain/reports/document/numbered-records.ts'
import { RECORDS_FILE } from '#domain/reports/document/records-file.ts'
import { pointOf } from '#domain/reports/verification.ts'
import type { WarningOver } from '#domain/reports/warnings-over.ts'

/** From the middle of a marker to its edge, plus some space. */
const MARKER_REACH = 6
const CROSS_REACH = 10

/** Draws a map from our own geometry: it needs no pictures from other services. North is up. */
export function mapSection(facts: DocumentFacts): Html {
  const { report, records, warnings, towns, swaths } = facts
  const { map, elements, sections } = report.layout
  if (!map) return html``
  const { latitude, longitude } = pointOf(report.address)
  const centre = measuredFrom(report.address)
  const frame = mapFrame(latitude, longitude, report.window.radius_miles)
  const drawn = numberedRecords(facts).filter(({ record }) => isShown(record, map.layers))
  const shown = drawnLayers.filter(({ id }) => drawn.some(({ record }) => drawnLayerOf(record) === id))
  const polygons = warnings && map.layers.includes('warnings') ? shapesOf(warnings) : []
  const labels = openLabels(MAP_SIZE, MAP_SIZE)
  labels.occupy(MAP_SIZE / 2, MAP_SIZE / 2, CROSS_REACH)
  for (const { record } of drawn) labels.occupy(...positionOf(record, frame), MARKER_REACH)
  const counties = countyLines(frame)
  const edge = scaleAndNorth(frame, labels)
  const rings = ringLines(frame, map.layers.includes('rings') || elements.includes('distance_rings'), labels)
  const numbers = drawn
    .filter(({ number }) => number <= PRINTED_MAX)
    .map(({ record, number }) => numberOf(record, number, frame, labels))
    .join('')
  const picture = [
    `<svg viewBox="0 0 ${MAP_SIZE} ${MAP_SIZE}" role="img" aria-label="Map of ${pluralize(drawn.length, 'record')} with a point, around ${escapeHtml(centre)}" class="map">`,
    `<rect width="${MAP_SIZE}" height="${MAP_SIZE}" fill="#f7f8f6"/>`,
    swaths ? swathShapes(swaths, frame) : '',
    counties.lines,
    rings,
    ...polygons.map((polygon) => warned(polygon, frame)),
    ...drawn.map(({ record }) => extent(record, frame)),
    ...drawn.map(
      ({ record }) => `<g transform="translate(${positionOf(record, frame).join(' ')})">${markerShape(drawnLayerOf(record))}</g>`,
    ),
    `<g transform="translate(${MAP_SIZE / 2} ${MAP_SIZE / 2})"><path d="M-9 0 H9 M0 -9 V9" stroke="#111" stroke-width="2"/><circle r="4" fill="#fff" stroke="#111" stroke-width="2"/></g>`,
    edge,
    numbers,
    townNames(towns, frame, labels),
    counties.name(labels),
    '</svg>',
  ].join('')
  return html`<section class="keep"><h2>Map</h2><div class="mapped">
    <figure>${raw(picture)}</figure>
    <div>${legend(shown.map(({ id }) => id))}
      ${swaths ? swathLegend(swaths) : null}
      <p class="fine">Circle of ${miles(report.window.radius_miles)} around ${centre} (the cross); north is up. ${numbering(records, drawn.length, sections.includes('events'))}</p>
      ${polygons.length > 0 ? html`<p class="fine">Dotted outlines: official warnings over this place.</p>` : null}
      ${warnings === null && map.layers.includes('warnings') ? html`<p class="fine">Official warnings are not drawn: what was known of them when the report was made is no longer kept.</p>` : null}
      ${map.base === 'plain' ? null : html`<p class="fine">Imagery not available for the base of the map: ${map.base}.</p>`}
      <p class="fine">County lines: US Census Bureau.${towns.length > 0 ? ' Towns: GeoNames, CC BY 4.0.' : ''}</p></div>
  </div></section>`
}

/** States what the numbers refer to, and why records have no marker. */
function numbering(records: DrawnRecord[], drawn: number, printsRecords: boolean): string {
  const cited = records.length
  const numbered = printsRecords ? `the ${cited > PRINTED_MAX ? 'printed' : 'cited'} records` : `the attached ${RECORDS_FILE}`
  return [drawn > 0 ? `Numbers are those of ${numbered}, where there is room for one.` : '', unmarked(records, cited - drawn)].join(' ')
}

/** @param left how many of the records have no marker */
function unmarked(records: DrawnRecord[], left: number): string {
  if (left === 0) return ''
  const who = records.length === 1 ? 'The cited record' : `${left} of the ${records.length} cited records`
  const pointless = records.filter(({ location }) => location.latitude === null).length
  return `${who} ${left === 1 ? 'has' : 'have'} no marker: ${whyUnmarked(pointless, left - pointless)}.`
}

function whyUnmarked(pointless: number, notChosen: number): string {
  if (notChosen === 0) return pointless === 1 ? 'it names no point' : 'they name no point'
  if (pointless === 0) return notChosen === 1 ? 'its layer was not chosen' : 'their layers were not chosen'
  return `${pointless} ${pointless === 1 ? 'names' : 'name'} no point, and ${notChosen} ${notChosen === 1 ? 'is' : 'are'} of a layer that was not chosen`
}

const positionOf = ({ location }: DrawnRecord, frame: MapFrame) => frame.project([present(location.longitude), present(location.latitude)])

/** Writes the number of a record beside its marker: on the right, else wherever there is room around it. */
function numberOf(record: DrawnRecord, number: number, frame: MapFrame, labels: Labels): string {
  const [x, y] = positionOf(record, frame)
  const text = String(number)
  const middle = { text, align: 'middle' } as const
  const left = x - 7 - text.length * 7
  return written(
    labels.place([
      { text, x: x + 7, y: y + 3.5 },
      { text, x: left, y: y + 3.5 },
      { ...middle, x, y: y - 9 },
      { ...middle, x, y: y + 16 },
      { text, x: x + 6, y: y - 8 },
      { text, x: x + 6, y: y + 16 },
      { text, x: left, y: y - 8 },
      { text, x: left, y: y + 16 },
    ]),
    'small',
  )
}

/** Draws the line of a tornado's path, or the outline of a flooded area. */
function extent(record: DrawnRecord, frame: MapFrame): string {
  const colour = colourOf(drawnLayerOf(record))
  if (record.corners && record.corners.length > 2) {
    return `<path d="${outline(record.corners.map(frame.project))}" fill="${colour}" fill-opacity="0.12" stroke="${colour}" stroke-width="1"/>`
  }
  if (!record.path_end || record.location.precision !== 'path') return ''
  return `<path d="M${positionOf(record, frame).join(' ')}L${frame.project(record.path_end).join(' ')}" stroke="${colour}" stroke-width="2.5" fill="none"/>`
}

/** Returns the polygons that covered the place; a polygon that several messages repeat is drawn once. */
function shapesOf(warnings: WarningOver[]): (Polygon | MultiPolygon)[] {
  const shapes = warnings.flatMap(({ messages }) => messages.flatMap(({ area }) => ('geometry' in area ? [area.geometry] : [])))
  return [...new Map(shapes.map((shape) => [JSON.stringify(shape.coordinates), shape])).values()]
}

function warned(geometry: Polygon | MultiPolygon, frame: MapFrame): string {
  const lines = polygonsOf(geometry)
    .flat()
    .map((ring) => outline(ring.map((position) => frame.project(position))))
  return `<path d="${lines.join('')}" fill="none" stroke="#16191d" stroke-width="1" stroke-dasharray="1.5 3"/>`
}

function isShown(record: DrawnRecord, layers: readonly string[]): boolean {
  if (record.location.latitude === null) return false
  const phenomenon = drawnLayerOf(record)
  return layers.includes(phenomenon) || (phenomenon === 'tornado' && layers.includes('tornado_paths'))
}
