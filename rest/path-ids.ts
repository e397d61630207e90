import { INT4_MAX, isSerial } from '#domain/kernel/int4.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { isUuid } from '#domain/kernel/validation.ts'
import { ZOOM_MAX } from '#domain/maps/mercator.ts'

const isTileNumber = (text: string) => /^\d{1,5}$/.test(text)

/** Path parameter -> whether a text can be one; the contract says which ids are UUIDs and which integers. */
const wellFormed: Record<string, (text: string) => boolean> = {
  report: isUuid,
  property: isUuid,
  territory: isUuid,
  integration: isUuid,
  exposure: isSerial,
  contact: isSerial,
  z: isTileNumber,
  x: isTileNumber,
  y: isTileNumber,
}

/**
 * Refuses what cannot be an id before anything is looked up.
 * @throws Refusal not_found: a malformed id is the id of nothing.
 */
export function checkPathIds(params: Record<string, string>): void {
  for (const [name, text] of Object.entries(params)) {
    if (wellFormed[name]?.(text)) continue
    const isOfTile = wellFormed[name] === isTileNumber
    throw new Refusal(
      'not_found',
      isOfTile ? `There is no such tile: ${name} must be a whole number of at most 5 digits.` : `There is no ${name} with this id.`,
    )
  }
}

/** What path parameters are of whose row no GraphQL argument says it. */
export const pathParameterDescriptions: Record<string, string> = {
  report: 'Id of the report.',
  z: 'Zoom level.',
  x: 'Column of the tile, from the west.',
  y: 'Row of the tile, from the north.',
}

/** How the description states a path parameter. */
export function pathParameterSchema(name: string): object {
  if (wellFormed[name] === isUuid) return { type: 'string', format: 'uuid' }
  if (wellFormed[name] === isSerial) return { type: 'integer', minimum: 1, maximum: INT4_MAX }
  return { type: 'integer', minimum: 0, maximum: name === 'z' ? ZOOM_MAX : 2 ** ZOOM_MAX - 1 }
}
