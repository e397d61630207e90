import { type RecordType, recordTypes, type Severity, severityRank } from '#domain/archive/families.ts'

/** Layers of points, by what was seen. */
export const pointLayers = ['hail', 'wind', 'tornado', 'flood', 'other'] as const
export type PointLayer = (typeof pointLayers)[number]

const typesOf: Record<Exclude<PointLayer, 'other'>, RecordType[]> = {
  hail: ['hail', 'marine_hail'],
  wind: ['thunderstorm_wind', 'marine_thunderstorm_wind', 'high_wind', 'strong_wind', 'marine_high_wind', 'marine_strong_wind'],
  tornado: ['tornado', 'funnel_cloud', 'waterspout'],
  flood: ['flood', 'flash_flood', 'coastal_flood', 'lakeshore_flood', 'storm_surge'],
}

const layerByType = new Map<RecordType, PointLayer>(
  recordTypes.map((type) => [type, pointLayers.find((layer) => layer !== 'other' && typesOf[layer].includes(type)) ?? 'other']),
)

export function layerOf(type: RecordType): PointLayer {
  return layerByType.get(type) ?? 'other'
}

/** Place of the layer in `pointLayers`, by that of the type in `recordTypes`. */
export const layerNumbers = recordTypes.map((type) => pointLayers.indexOf(layerOf(type)))

export interface Measured {
  type: RecordType
  hail_size_in: number | null
  wind_gust_mph: number | null
  wind_speed_mph: number | null
  tornado_ef_scale: number | null
}

/** The one figure that a map shows of a record: inches of hail, miles an hour of wind, the rating of a tornado. */
export function figureOf(record: Measured): number | null {
  const layer = layerOf(record.type)
  if (layer === 'hail') return record.hail_size_in
  if (layer === 'wind') return record.wind_gust_mph ?? record.wind_speed_mph
  if (layer === 'tornado') return record.tornado_ef_scale
  return null
}

export interface Strength {
  severity: Severity
  value: number | null
  /** Days since 1970. */
  day: number
  id: number
}

/** Strongest first: by severity, then figure, then the newer; the id settles what is left. */
export function byStrength(one: Strength, other: Strength): number {
  return (
    severityRank(other.severity) - severityRank(one.severity) ||
    (other.value ?? -1) - (one.value ?? -1) ||
    other.day - one.day ||
    other.id - one.id
  )
}
