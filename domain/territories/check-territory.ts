import type { Faults } from '#domain/check.ts'
import { checkText } from '#domain/check-text.ts'
import { roundCoordinate } from '#domain/geo/measure.ts'
import { type Judge, judgeFields, oneOf, requireText, withoutNulls } from '#domain/judge.ts'
import {
  type Swatch,
  swatchNames,
  type TerritoryKind,
  type TerritoryStatus,
  territoryKinds,
  territoryStatuses,
} from '#domain/territories/view.ts'

/** A territory's body as sent: every field is judged here, so values of any type may arrive. */
export type TerritoryInput = { [Field in keyof TerritoryFields]?: unknown }

/** What a body says, every field judged. A field that was not sent is not there. */
export interface TerritoryFields {
  name: string
  kind: TerritoryKind
  status: TerritoryStatus
  colour: Swatch
  notes: string | null
  geometry: object
  address: string
  latitude: number
  longitude: number
  radius_miles: number
  place_ids: number[]
}

/** The fields that are kept as they are sent. The others say where the territory lies. */
export type PlainFields = Pick<TerritoryFields, 'name' | 'status' | 'colour' | 'notes'>

const NAME = { min: 1, max: 120 }
const NOTES = { max: 5000, lines: true }
const ADDRESS = { min: 3, max: 255 }
/** Miles; what the plan allows is an area. */
const RADIUS = { min: 0.5, max: 100 }
const PLACES = { min: 1, max: 50 }

/** What a new territory is where its body does not say. */
const presets: Pick<PlainFields, 'status' | 'colour' | 'notes'> = { status: 'watching', colour: 'petrol', notes: null }

/** Judges the body of a new territory: null is the same as not sent. To be used where no fault was noted. */
export function checkNewTerritory(input: TerritoryInput, faults: Faults): PlainFields & Partial<TerritoryFields> {
  const { name, ...rest } = withoutNulls(input)
  faults.unless(rest.kind !== undefined, 'kind', 'The kind is required.')
  const sent = requireText(name, 'name', faults) ? { name, ...rest } : rest
  return { name: '', ...presets, ...checkTerritory(sent, faults) }
}

/** Judges the body of a change: null clears the notes, and nothing else. */
export function checkTerritory(input: TerritoryInput, faults: Faults): Partial<TerritoryFields> {
  return judgeFields<TerritoryFields>(input, judges, CLEARABLE, faults)
}

/** Judges a status alone. */
export function checkStatus(sent: unknown, faults: Faults): TerritoryStatus {
  return judges.status(sent, faults) as TerritoryStatus
}

const CLEARABLE = new Set(['notes'])

const judges: Record<keyof TerritoryFields, Judge> = {
  name: (sent, faults) => checkText(sent, 'name', NAME, faults),
  kind: oneOf(territoryKinds, 'kind'),
  status: oneOf(territoryStatuses, 'status'),
  colour: oneOf(swatchNames, 'colour'),
  notes: (sent, faults) => checkText(sent, 'notes', NOTES, faults),
  // Read where it is measured.
  geometry: (sent) => sent,
  address: (sent, faults) => checkText(sent, 'address', ADDRESS, faults),
  latitude: degrees('latitude', 90),
  longitude: degrees('longitude', 180),
  radius_miles: checkRadius,
  place_ids: checkPlaceIds,
}

function degrees(field: string, most: number): Judge {
  return (sent, faults) => {
    const fits = typeof sent === 'number' && Math.abs(sent) <= most
    faults.unless(fits, field, `The ${field} must be a number of degrees from -${most} to ${most}.`)
    return fits ? roundCoordinate(sent) : null
  }
}

/** Miles, two decimals. */
function checkRadius(sent: unknown, faults: Faults): number | null {
  const fits = typeof sent === 'number' && sent >= RADIUS.min && sent <= RADIUS.max
  faults.unless(fits, 'radius_miles', `The radius must be a number of miles from ${RADIUS.min} to ${RADIUS.max}.`)
  return fits ? Number(sent.toFixed(2)) : null
}

/** Each place once, in the order sent. */
function checkPlaceIds(sent: unknown, faults: Faults): number[] {
  const fits = Array.isArray(sent) && sent.length >= PLACES.min && sent.length <= PLACES.max && sent.every(Number.isInteger)
  faults.unless(fits, 'place_ids', `The place ids must be a list of ${PLACES.min} to ${PLACES.max} ids of places.`)
  return fits ? [...new Set<number>(sent)] : []
}
