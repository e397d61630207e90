import { isSuspect } from '#domain/archive/plausibility.ts'
import { groupBy } from '#domain/kernel/group-by.ts'
import { present } from '#domain/kernel/present.ts'
import { drawnLayerOf } from '#domain/reports/document/drawn-layers.ts'
import { type Measurement, measurementOf } from '#domain/reports/document/format.ts'
import type { CitedRecordView } from '#domain/reports/view.ts'

/** A largest value, with the one record that states it. */
export interface LargestFigure extends Measurement {
  label: string
  record: CitedRecordView
}

/** The values compared; null for a record that does not state the value. */
const kinds: [label: string, value: (record: CitedRecordView) => number | null][] = [
  ['Largest hail reported', (record) => (drawnLayerOf(record) === 'hail' ? record.measurements.hail_size_in : null)],
  ['Largest hail estimated by radar', (record) => (drawnLayerOf(record) === 'radar_hail' ? record.measurements.hail_size_in : null)],
  ['Strongest wind', ({ measurements }) => measurements.wind_gust_mph ?? measurements.wind_speed_mph],
  ['Strongest tornado', ({ measurements }) => measurements.tornado_ef_scale],
]

/**
 * Returns the largest of each kind of value. They come from records with a place; for a family without such records, from records
 * that name a county or a zone, which the label then states. None comes from a suspect record.
 */
export function largestFigures(records: CitedRecordView[]): LargestFigure[] {
  const placed = records.filter((record) => hasPlace(record) && isTrusted(record))
  const areal = [...groupBy(records, ({ family }) => family).values()]
    .filter((family) => !family.some(hasPlace))
    .flat()
    .filter(isTrusted)
  return kinds.flatMap(([label, value]) => [
    ...figure(label, largest(placed, value)),
    ...(['county', 'zone'] as const).flatMap((precision) =>
      figure(
        `${label}, ${precision} records only`,
        largest(
          areal.filter(({ location }) => location.precision === precision),
          value,
        ),
      ),
    ),
  ])
}

/** Whether no doubt about the record is noted: figures may then rest on it. */
export const isTrusted = ({ provenance }: CitedRecordView) => !isSuspect(provenance)

const hasPlace = ({ relevance }: CitedRecordView) => relevance.distance_miles !== null

function figure(label: string, record: CitedRecordView | null): LargestFigure[] {
  if (!record) return []
  return [{ label, record, ...measurementOf(record) }]
}

/** Of equal values the nearest, then the first: the records are sorted newest first. */
function largest(records: CitedRecordView[], value: (record: CitedRecordView) => number | null): CitedRecordView | null {
  const milesTo = ({ relevance }: CitedRecordView) => relevance.distance_miles ?? 0
  const [first] = records
    .filter((record) => value(record) !== null)
    .toSorted((a, b) => present(value(b)) - present(value(a)) || milesTo(a) - milesTo(b))
  return first ?? null
}
