import parse, { type ParsedAddress } from 'parse-address'
import { type State, stateByCode, stateByName } from '#domain/geo/states.ts'
import { citiesNamed } from '#domain/places/cities.ts'
import { fold } from '#domain/places/fold.ts'
import { isOutsideUs, isOverseas } from '#domain/places/outside-us.ts'
import { centresNamed } from '#domain/places/towns.ts'
import { zipOf, zipsNamed } from '#domain/places/zips.ts'

/** The parts of an address as written; null for missing parts. */
export interface WrittenAddress {
  /** Number and street in postal abbreviations, with the unit: "100 N Main St Apt 4". */
  street: string | null
  /** The same without the unit; address points are stored under it. */
  building: string | null
  numbered: boolean
  city: string | null
  state: State | null
  /** Five digits. */
  postal_code: string | null
  /** The address itself states that it is not in the United States: by a country, a Canadian province, or a military post. */
  outside_us: boolean
}

/**
 * Reads a US address written on one line, from its end: country, ZIP, state, then town and street.
 * The library only separates street and town, and only after a house number: it would split "Fort Worth, TX" into a
 * street "Fort" and a town "Worth".
 */
export function readAddress(text: string): WrittenAddress {
  const line = tidy(text).replace(COUNTRY, '')
  const zip = line.match(ZIP)
  const beforeZip = zip ? line.slice(0, zip.index).replace(TRAILING_SEPARATORS, '') : line
  const taken = takeState(beforeZip)
  const { state, rest } = zip && endsStreet(beforeZip, taken, zip[1]) ? { state: null, rest: beforeZip } : taken
  const parts = rest
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
  const numbered = HOUSE_NUMBER.test(rest)
  const outside_us = isOverseas(lastWord(beforeZip)) || (!state && !zip && isOutsideUs(line, numbered))
  const place = { numbered, state, postal_code: zip?.[1] ?? null, outside_us }
  const town = numbered && !zip && parts.length === 1 ? townNamedLike(state, line.split(',').at(-1)) : null
  if (town) return { ...place, ...streetOf(rest, numbered), ...town }
  if (parts.length >= 2) return { ...place, ...streetOf(parts.slice(0, -1).join(' '), numbered), city: parts.at(-1) ?? null }
  if (numbered) return { ...place, ...splitByLibrary(rest, state) }
  return { ...place, street: null, building: null, city: rest || null }
}

/** Maximum characters that are read: the library's patterns are slow on long texts. */
const READ_MAX = 255
const COUNTRY = /[\s,]+(?:u\.?\s?s\.?(?:\s?a\.?)?|united states(?: of america)?)$/i
const ZIP = /(?:^|[\s,])(\d{5})(?:-?\d{4})?$/
const TRAILING_SEPARATORS = /[\s,]+$/
/** "100", "100A", "10-20", "N6W23001", "123 1/2", followed by something else. */
const HOUSE_NUMBER = /^(?:\d+[a-z]?|\d+-\d+|[nsew]\d+[nsew]\d+)(?:\s+\d\/\d)?\s+\S/i
/** Characters that no address contains. */
const UNUSUAL_CHARACTERS = /[^\p{L}\p{M}\p{N} ,.'’#/&-]+/gu

function tidy(text: string): string {
  return text
    .slice(0, READ_MAX)
    .normalize('NFC')
    .replace(/[\r\n;]+/g, ', ')
    .replace(UNUSUAL_CHARACTERS, ' ')
    .replace(/([.'’#/&-])\1+/g, '$1')
    .replace(/\s+/g, ' ')
    .replace(/(?: ?, ?)+/g, ', ')
    .replace(/^[ ,.]+|[ ,.]+$/g, '')
}

interface Taken {
  state: State | null
  /** The line before the state. */
  rest: string
}

/** Removes a state's code or name from the end. A name with nothing before it is a town: "New York". */
function takeState(line: string): Taken {
  const words = line.split(/[\s,]+/)
  for (let count = Math.min(LONGEST_STATE_NAME, words.length - 1); count >= 1; count--) {
    const last = words.slice(-count).join(' ')
    const state = count === 1 ? (stateByCode(last.replaceAll('.', '')) ?? stateByName(last)) : stateByName(last)
    if (state) return { state, rest: words.length === count ? '' : dropWords(line, count) }
  }
  const alone = words.length === 1 ? stateByCode(line) : null
  return alone ? { state: alone, rest: '' } : { state: null, rest: line }
}

/**
 * Whether what was taken as a state is the end of the street: "12 Oak Ct, 75034" and "5500 San Mateo Blvd NE 87109" name neither
 * Connecticut nor Nebraska. It is a state if the ZIP code is in it, or after a comma, a town, or a complete street.
 */
function endsStreet(line: string, { state, rest }: Taken, postal_code: string | undefined): boolean {
  const zip = postal_code ? zipOf(postal_code) : null
  if (!state || !zip || zip.state === state.code || line.includes(',') || !HOUSE_NUMBER.test(rest)) return false
  const street = readByLibrary(`${line}, ${ANY_TOWN}, KS`)
  if (!street || fold(street.city ?? '') !== fold(ANY_TOWN) || street.sec_unit_type || !(street.type || street.suffix)) return false
  const before = readByLibrary(`${rest}, ${ANY_TOWN}, KS`)
  const complete = !street.suffix && COMPLETING_TYPES.has(before?.type ?? '')
  return !complete && !endsWithTown(rest, state)
}

/** Types that no other type follows: in "Pine Ridge Ct" the word before it is part of the name, in "Main St Ct" it is not. */
const COMPLETING_TYPES = new Set(['Ave', 'Blvd', 'Dr', 'Ln', 'Rd', 'St'])

/** Whether a line has a street and then a town: one after a street's type, or one that the state is known to have. */
function endsWithTown(line: string, state: State): boolean {
  const read = readByLibrary(`${line}, ${state.code}`)
  if (read?.type && read.city) return true
  const words = line.split(/\s+/)
  return [1, 2, 3].some((count) => words.length - count >= 2 && centresNamed(words.slice(-count).join(' '), state.code).length > 0)
}

/**
 * Reads a state's name after a street and a comma as the town that is missing: "350 5th Ave, New York" is in New York, NY, and
 * "..., Washington" in one of many towns. Null if no town has the name, or only one in another state, which is hardly meant.
 */
function townNamedLike(state: State | null, name = ''): Pick<WrittenAddress, 'city' | 'state'> | null {
  if (!state || stateByName(name) !== state) return null
  if (zipsNamed(state.name, state.code).length > 0) return { city: state.name, state }
  return citiesNamed(state.name, null).length > 1 ? { city: state.name, state: null } : null
}

/** Words in "Northern Mariana Islands". */
const LONGEST_STATE_NAME = 3

function dropWords(line: string, count: number): string {
  return line.replace(new RegExp(`(?:[\\s,]+[^\\s,]+){${count}}$`), '').replace(TRAILING_SEPARATORS, '')
}

function lastWord(line: string): string {
  return line.split(/[\s,]+/).at(-1) ?? ''
}

/** Parses a street whose town is known from the commas. */
function streetOf(street: string, numbered: boolean): Pick<WrittenAddress, 'street' | 'building'> {
  const read = numbered ? readByLibrary(`${street}, ${ANY_TOWN}, KS`) : null
  return read && fold(read.city ?? '') === fold(ANY_TOWN) ? compose(read) : { street: tidyCase(street), building: tidyCase(street) }
}

/** Splits a street and a possible town without a comma between them: "100 Main St Moore". */
function splitByLibrary(rest: string, state: State | null): Pick<WrittenAddress, 'street' | 'building' | 'city'> {
  const alone = readByLibrary(`${rest}, ${ANY_TOWN}, KS`)
  // A street that ends with a type, suffix or unit has no town after it.
  if (alone && (alone.type || alone.suffix || alone.sec_unit_type)) return { ...compose(alone), city: null }
  const read = readByLibrary(`${rest}, ${state?.code ?? 'KS'}`)
  return read ? { ...compose(read), city: read.city ?? null } : { street: tidyCase(rest), building: tidyCase(rest), city: null }
}

/** The library requires a complete address: this stands for an unknown town. */
const ANY_TOWN = 'Anytown'

/** Null if the library finds no house number. It drops non-ASCII letters, so accents are folded and other scripts are not passed to it. */
function readByLibrary(address: string): ParsedAddress | null {
  const plain = address
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replaceAll('’', "'")
  const read = BEYOND_ASCII.test(plain) ? null : parse.parseAddress(plain)
  return read?.number ? read : null
}

const BEYOND_ASCII = /[^ -~]/

function compose(read: ParsedAddress): Pick<WrittenAddress, 'street' | 'building'> {
  const building = tidyCase([read.number, read.prefix, read.street, read.type, read.suffix].filter(Boolean).join(' '))
  const unit =
    read.sec_unit_type === '#' ? `#${read.sec_unit_num ?? ''}` : [read.sec_unit_type, read.sec_unit_num].filter(Boolean).join(' ')
  return { building, street: unit ? `${building} ${tidyCase(unit)}` : building }
}

/** Capitalizes words that are all upper or all lower case: "MAIN st" becomes "Main St"; "NW", "FM", "McDonald" and "281" stay. */
export function tidyCase(text: string): string {
  return text.replace(/[\p{L}\p{N}'’]+/gu, (word) => {
    const lower = word.toLowerCase()
    if (ORDINAL.test(lower)) return lower
    if (DIRECTIONS.has(lower)) return word.toUpperCase()
    if (SMALL_WORDS.has(lower)) return lower
    const mixed = word !== lower && word !== word.toUpperCase()
    const short = word.length <= 2 && word === word.toUpperCase() && !STREET_SHORTS.has(lower)
    return mixed || short ? word : lower.charAt(0).toUpperCase() + lower.slice(1)
  })
}

const ORDINAL = /^\d+(?:st|nd|rd|th)$/
const DIRECTIONS = new Set(['n', 's', 'e', 'w', 'ne', 'nw', 'se', 'sw'])
const SMALL_WORDS = new Set(['and', 'of', 'the'])
/** Two-letter words that are not abbreviations of several words. */
const STREET_SHORTS = new Set(['st', 'rd', 'dr', 'ln', 'ct', 'pl', 'la', 'de', 'el', 'by', 'in', 'on', 'mt', 'ft'])
