import type { NearbyRecord } from '#domain/archive/record.ts'
import type { EvidenceKind } from '#domain/weather/sources.ts'
import { type RecordType, weatherType } from '#domain/weather/types.ts'

/** The agencies' names for hail of exactly these inches; a size between two of them has no name. */
const sizeNames: Record<string, string> = {
  '0.25': 'pea',
  '0.50': 'marble',
  '0.75': 'penny',
  '0.88': 'nickel',
  '1.00': 'quarter',
  '1.25': 'half dollar',
  '1.50': 'ping pong',
  '1.75': 'golf ball',
  '2.00': 'hen egg',
  '2.50': 'tennis ball',
  '2.75': 'baseball',
  '3.00': 'tea cup',
  '4.00': 'grapefruit',
  '4.50': 'softball',
}

/** The word for a figure of each channel. */
export const channelWords = { ground: 'reported', instrument: 'measured', radar: 'estimated by radar' } satisfies Record<
  EvidenceKind,
  string
>

/** 1.75 */
export function inches(size: number): string {
  return size.toFixed(2)
}

/** The agencies' name of a size in inches, such as "quarter"; undefined for a size without one. */
export function sizeName(size: number): string | undefined {
  return sizeNames[inches(size)]
}

/** The name of a type in sentences, such as "flash flood". */
export function typeName(type: RecordType): string {
  return weatherType(type).label
}

/** The fields of a record that name its area. */
type Area = Pick<NearbyRecord, 'precision' | 'county' | 'state' | 'county_fips' | 'zone' | 'zone_name'>

/** Returns the area that a record without a place names: "Collin County", "Northern Erie (NYZ010)". */
export function areaName(record: Area): string {
  const { precision, zone, zone_name } = record
  if (precision !== 'zone') return countyName(record)
  return zone_name && zone ? `${zone_name} (${zone})` : (zone ?? 'an unnamed forecast zone')
}

/** "Collin County", "Northern Erie": for texts that already give the area in full. */
export function areaNameAlone(record: Area): string {
  return (record.precision === 'zone' && record.zone_name) || areaName(record)
}

/** "Collin County", "Orleans Parish"; names in Alaska, Puerto Rico and independent cities get no such word. */
function countyName({ county, state, county_fips }: Pick<NearbyRecord, 'county' | 'state' | 'county_fips'>): string {
  const name = county ?? county_fips ?? 'an unnamed area'
  if (/\b(county|parish|borough|city|area|municipality|municipio)$/i.test(name)) return name
  if (state === 'LA') return `${name} Parish`
  const plainName = county === null || ['AK', 'DC', 'PR', 'GU', 'AS', 'MP', 'VI'].includes(state ?? '') || isIndependentCity(county_fips)
  return plainName ? name : `${name} County`
}

/** The county codes of Virginia's independent cities start at 510; so do those of Baltimore, St. Louis and Carson City. */
function isIndependentCity(fips: string | null): boolean {
  return fips !== null && Number(fips.slice(2)) >= 510
}
