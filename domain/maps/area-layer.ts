import { PbfWriter } from 'pbf'
import { present } from '#domain/kernel/present.ts'
import type { BandArea, Ring } from '#domain/maps/band-areas.ts'
import { featureField, LAYER, layerField, tag, type Values, writeHead, writeTag, writeValues } from '#domain/maps/layer-writer.ts'
import { radarBands } from '#domain/weather/radar-bands.ts'
import { severityOf } from '#domain/weather/severity-of.ts'
import { familyOf } from '#domain/weather/types.ts'

const NAME = 'radar_hail'
const POLYGON = 3
/** Commands of a geometry: one "move to", "close the path", and "line to" without its count. */
const MOVE_TO = 9
const CLOSE_PATH = 15
const LINE_TO = 2
const COUNT_SHIFT = 3

/**
 * Returns the layer of radar's hail in the vector tile format; empty without areas. Clients draw features in their order, so the largest hail
 * comes last and is on top where several days overlap.
 * @param areas the largest first
 */
export function areaLayerOf(areas: readonly BandArea[]): Uint8Array {
  const to = new PbfWriter()
  if (areas.length > 0) to.writeMessage(LAYER, writeLayer, areas)
  return to.finish()
}

function writeLayer(areas: readonly BandArea[], to: PbfWriter): void {
  writeHead(to, NAME)
  const values: Values = new Map()
  for (const area of areas.toReversed()) to.writeMessage(layerField.feature, writeFeature, { area, values })
  writeValues(to, values)
}

interface Feature {
  area: BandArea
  values: Values
}

function writeFeature(feature: Feature, to: PbfWriter): void {
  to.writeVarintField(featureField.id, idOf(feature.area))
  to.writeMessage(featureField.tags, writeTags, feature)
  to.writeVarintField(featureField.type, POLYGON)
  to.writeMessage(featureField.geometry, writeRings, feature.area.rings)
}

/** An area has no record of its own: its id is made from its day and band. */
const idOf = ({ day, band }: BandArea) => Number(day.replaceAll('-', '')) * 10 + band

const severities = radarBands.map(({ from_in }) =>
  severityOf({ type: 'hail', hail_size_in: from_in, wind_gust_mph: null, wind_speed_mph: null, tornado_ef_scale: null }),
)

function writeTags({ area, values }: Feature, to: PbfWriter): void {
  const { day, source, band } = area
  writeTag(to, tag.id, values, idOf(area))
  writeTag(to, tag.type, values, 'hail')
  writeTag(to, tag.family, values, familyOf('hail'))
  writeTag(to, tag.severity, values, present(severities[band]))
  writeTag(to, tag.date, values, day)
  writeTag(to, tag.value, values, present(radarBands[band]).from_in)
  writeTag(to, tag.source, values, source)
  writeTag(to, tag.evidence_kind, values, 'radar')
}

/** Writes rings as steps from corner to corner. The last corner of each repeats its first; the closing command replaces it. */
function writeRings(rings: readonly Ring[][], to: PbfWriter): void {
  let [x, y] = [0, 0]
  for (const ring of rings) {
    for (let nth = 0; nth + 1 < ring.length; nth++) {
      const corner = present(ring[nth])
      if (nth === 0) to.writeVarint(MOVE_TO)
      else if (nth === 1) to.writeVarint(((ring.length - 2) << COUNT_SHIFT) | LINE_TO)
      to.writeSVarint(corner.x - x)
      to.writeSVarint(corner.y - y)
      x = corner.x
      y = corner.y
    }
    to.writeVarint(CLOSE_PATH)
  }
}
