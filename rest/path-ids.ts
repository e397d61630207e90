import { INT4_MAX, isSerial } from '#domain/kernel/int4.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { isUuid } from '#domain/kernel/validation.ts'
import { ZOOM_MAX } from '#domain/maps/mercator.ts'

/** Without leading zeros, as ids are: a tile has one path. */
const isTileNumber = (text: string) => /^(?:0|[1-9]\d{0,4})$/.test(text)

/** Tests by path parameter whether a text is well-formed. The contract states which ids are UUIDs and which are integers. */
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
 * Returns the ids of a path as stored: a UUID in lower case, because documents and the audit log are found by it.
 * @throws Refusal not_found before any lookup: no record has a malformed id
 */
export function readPathIds(params: Record<string, string>): Record<string, string> {
  for (const [name, text] of Object.entries(params)) {
    if (wellFormed[name]?.(text)) continue
    const isTileParameter = wellFormed[name] === isTileNumber
    throw new Refusal(
      'not_found',
      isTileParameter ? `There is no such tile: ${name} must be a whole number of at most 5 digits.` : `There is no ${name} with this id.`,
    )
  }
  return Object.fromEntries(Object.entries(params).map(([name, text]) => [name, text.toLowerCase()]))
}

/** Descriptions of path parameters that no GraphQL argument describes. */
export const pathParameterDescriptions: Record<string, string> = {
  report: 'Id of the report.',
  z: 'Zoom level.',
  x: 'Column of the tile, from the west.',
  y: 'Row of the tile, from the north.',
}

/** A path parameter in the OpenAPI document. */
export function pathParameterSchema(name: string): object {
  if (wellFormed[name] === isUuid) return { type: 'string', format: 'uuid' }
  if (wellFormed[name] === isSerial) return { type: 'integer', minimum: 1, maximum: INT4_MAX }
  return { type: 'integer', minimum: 0, maximum: name === 'z' ? ZOOM_MAX : 2 ** ZOOM_MAX - 1 }
}
