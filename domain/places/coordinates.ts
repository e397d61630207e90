import { type Point, roundCoordinate } from '#domain/geo/measure.ts'

/** Result of reading coordinates: the point, or why they are invalid. */
export type WrittenPoint = { point: Point } | { fault: string }

/**
 * Reads coordinates sent instead of an address, degrees north and east: "33.1499, -96.8241", "33.1499° N, 96.8241° W",
 * "N 33.1499 W 96.8241", `33°08'59.6"N 96°49'26.8"W`, "lat: 33.1499, lon: -96.8241", "geo:33.1499,-96.8241".
 * Null for any other text, including two whole numbers that nothing marks as degrees.
 */
export function readCoordinates(text: string): WrittenPoint | null {
  const line = tidy(text)
  const degrees = readSigned(line) ?? readLettered(line)
  if (!degrees || UNMARKED_PAIR.test(line)) return null
  const [latitude, longitude] = degrees
  if (Math.abs(latitude) > 90) return { fault: `There is no latitude ${latitude}: the latitude comes first, then the longitude.` }
  if (Math.abs(longitude) > 180) return { fault: `There is no longitude ${longitude}.` }
  return { point: roundPoint({ latitude, longitude }) }
}

/** Rounds a point to the 5 decimals that the service stores. */
export function roundPoint({ latitude, longitude }: Point): Point {
  return { latitude: roundCoordinate(latitude), longitude: roundCoordinate(longitude) }
}

/** Returns "33.14990, -96.82410", the text of a point used instead of an address. */
export function pointText({ latitude, longitude }: Point): string {
  return `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`
}

/** Maximum characters that are read, as for an address. */
const READ_MAX = 255

/** Replaces typographic signs with plain ones, and removes brackets, scheme and the names of the two numbers. */
function tidy(text: string): string {
  return text
    .slice(0, READ_MAX)
    .replace(/[−–]/g, '-')
    .replace(/[º˚]/g, '°')
    .replace(/[′’‘]/g, "'")
    .replace(/[″”“]|''/g, '"')
    .replace(/^\s*(?:geo:|[@([{])\s*/i, '')
    .replace(/[)\]}]\s*$/, '')
    .replace(/\b(?:latitude|longitude|long|lat|lng|lon)\b\s*[:=]?\s*/gi, '')
    .trim()
}

/**
 * Two whole numbers without a comma or a sign of degrees, "36 98" or "40 N 100 W": they may be a house number and a street.
 * "36, -98" is read, because programs write 36.0 so.
 */
const UNMARKED_PAIR = /^[^\d.,°]*\d+[^\d.,°]+\d+[^\d.,°]*$/

const SIGNED = /^([+-]?\d{1,3}(?:\.\d+)?)\s*°?(?:\s*[,;/]\s*|\s+)([+-]?\d{1,3}(?:\.\d+)?)\s*°?$/

function readSigned(line: string): Degrees | null {
  const found = SIGNED.exec(line)
  return found && [Number(found[1]), Number(found[2])]
}

type Degrees = [latitude: number, longitude: number]

/** Degrees, with optional minutes and seconds. */
const ANGLE = String.raw`(\d{1,3}(?:\.\d+)?)\s*°?(?:\s*(\d{1,2}(?:\.\d+)?)\s*'?(?:\s*(\d{1,2}(?:\.\d+)?)\s*"?)?)?`
const BETWEEN = String.raw`\s*[,;/]?\s*`
const LETTER_AFTER = new RegExp(`^${ANGLE}\\s*([NSEW])${BETWEEN}${ANGLE}\\s*([NSEW])$`, 'i')
const LETTER_BEFORE = new RegExp(`^([NSEW])\\s*${ANGLE}${BETWEEN}([NSEW])\\s*${ANGLE}$`, 'i')

/** Two angles with their letters, in either order. */
function readLettered(line: string): Degrees | null {
  const after = LETTER_AFTER.exec(line)
  const before = LETTER_BEFORE.exec(line)
  const [one, other] = after
    ? [angleOf(after.slice(1, 4), after[4]), angleOf(after.slice(5, 8), after[8])]
    : before
      ? [angleOf(before.slice(2, 5), before[1]), angleOf(before.slice(6, 9), before[5])]
      : []
  if (!one || !other || one.axis === other.axis) return null
  return one.axis === 'latitude' ? [one.degrees, other.degrees] : [other.degrees, one.degrees]
}

/** Null for minutes or seconds of 60 and more. */
function angleOf(parts: (string | undefined)[], letter: string | undefined): { axis: keyof Point; degrees: number } | null {
  const [degrees, minutes, seconds] = parts
  if (!degrees || !letter) return null
  if (Number(minutes ?? 0) >= 60 || Number(seconds ?? 0) >= 60) return null
  const size = Number(degrees) + Number(minutes ?? 0) / 60 + Number(seconds ?? 0) / 3600
  const towards = letter.toUpperCase()
  return { axis: towards === 'N' || towards === 'S' ? 'latitude' : 'longitude', degrees: towards === 'S' || towards === 'W' ? -size : size }
}
