import { keysOf } from '#domain/kernel/keys-of.ts'

/** The families of record types: a report states one finding for each. The contract lists them in this order. */
const familyLabels = {
  thunderstorm: 'Thunderstorm: hail, wind, tornado',
  flash_flood: 'Flash flooding and heavy rain',
  flood: 'River and areal flooding',
  coastal: 'Coastal flooding and surf',
  wind: 'Wind outside thunderstorms',
  tropical: 'Tropical cyclone',
  winter: 'Winter storm, snow and ice',
  cold: 'Cold',
  heat: 'Heat',
  fire: 'Wildfire and smoke',
  visibility: 'Fog and dust',
  drought: 'Drought',
  other: 'Other',
} as const

export type Family = keyof typeof familyLabels
export const families = keysOf(familyLabels)

/** The name of a family in headings. */
export function familyLabel(family: Family): string {
  return familyLabels[family]
}
