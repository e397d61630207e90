import { type Point, roundCoordinate } from '#domain/geo/measure.ts'
import { type Field, type JsonSchema, mapped, number, text } from '#domain/kernel/fields.ts'
import { optional } from '#domain/kernel/form.ts'
import type { Faults } from '#domain/kernel/validation.ts'
import { pointText } from '#domain/places/coordinates.ts'

/** Degrees north, 5 decimals. */
export const latitude = degrees('The latitude', 90)
/** Degrees east, 5 decimals. */
export const longitude = degrees('The longitude', 180)

/**
 * The location fields of a body: an address, coordinates, or both.
 * @param kept `verbatim`: white space around the address is kept
 */
export const whereForm = (kept: { verbatim: boolean }) => ({
  address: optional(blankAsNone(text('The address', { min: 3, max: 255, ...kept }))),
  latitude: optional(latitude),
  longitude: optional(longitude),
})

/** Rules across these fields. They are in an `allOf`, because client generators read an `anyOf` beside fields as another body. */
export const whereSchema: JsonSchema = {
  allOf: [
    {
      anyOf: [
        { required: ['address'], properties: { address: { type: 'string' } } },
        { required: ['latitude', 'longitude'], properties: { latitude: { type: 'number' }, longitude: { type: 'number' } } },
      ],
    },
  ],
}

/** As read by the form: undefined if not sent, null if invalid. */
export interface SentWhere {
  address?: string | null | undefined
  latitude?: number | null | undefined
  longitude?: number | null | undefined
}

/** A complete location: coordinates sent without an address become its address. */
export interface Where {
  address: string
  /** Determines the place, whatever the address; null if no coordinates were sent. */
  point: Point | null
}

/** Checks the location of a creation: an address or both coordinates are required. */
export function checkWhere(sent: SentWhere, faults: Faults): void {
  checkPair(sent, faults)
  const placed = sent.latitude !== undefined || sent.longitude !== undefined
  faults.unless(placed || sent.address === null || !!sent.address, 'address', 'The address is required.')
}

/** Checks that coordinates come in pairs. */
export function checkPair({ latitude, longitude }: SentWhere, faults: Faults): void {
  faults.unless(latitude !== undefined || longitude === undefined, 'latitude', 'The latitude is required with a longitude.')
  faults.unless(longitude !== undefined || latitude === undefined, 'longitude', 'The longitude is required with a latitude.')
}

/** Returns the location of a body without faults. */
export function whereOf(sent: SentWhere): Where {
  const point = pointOf(sent)
  return { address: sent.address || (point ? pointText(point) : ''), point }
}

/** The point that a request names, in degrees; null unless both coordinates are sent. */
export function pointOf({ latitude, longitude }: SentWhere): Point | null {
  return latitude == null || longitude == null ? null : { latitude, longitude }
}

function degrees(name: string, most: number): Field<number> {
  return mapped(number(name, { min: -most, max: most, unit: 'degrees' }), roundCoordinate)
}

/** Treats white space as no address: whether one is required depends on the coordinates. */
function blankAsNone(field: Field<string>): Field<string> {
  return {
    ...field,
    read: (sent, path, faults) => (typeof sent === 'string' && sent.trim() === '' ? '' : field.read(sent, path, faults)),
  }
}
