import { parse } from 'csv-parse/browser/esm/sync'
import { unguarded } from '../parts/csv.ts'

/** A spreadsheet's rows as text, beneath the names of its columns. */
export interface Sheet {
  heading: string[]
  /** Those that hold something. */
  rows: string[][]
  /** The place in the file of each row, from 1, as a spreadsheet counts: empty rows too. */
  numbers: number[]
}

/** What a column may hold: a field of a property, or a part of its address. */
export const columnKinds = [
  ['', 'Skip this column'],
  ['address', 'Full address'],
  ['street', 'Street'],
  ['city', 'City'],
  ['state', 'State'],
  ['zip', 'ZIP code'],
  ['latitude', 'Latitude'],
  ['longitude', 'Longitude'],
  ['label', 'Name'],
  ['reference', 'Reference'],
  ['kind', 'Kind'],
  ['status', 'Status'],
  ['watch_radius_miles', 'Watch radius in miles'],
  ['tags', 'Tags, separated by semicolons'],
  ['notes', 'Notes'],
] as const

export type ColumnKind = (typeof columnKinds)[number][0]

/** Other names that spreadsheets give what a column holds, in small letters without blanks. */
const ALIASES: Record<string, ColumnKind> = {
  fulladdress: 'address',
  propertyaddress: 'address',
  location: 'address',
  streetaddress: 'street',
  address1: 'street',
  addressline1: 'street',
  town: 'city',
  st: 'state',
  province: 'state',
  zipcode: 'zip',
  postal: 'zip',
  postalcode: 'zip',
  lat: 'latitude',
  lon: 'longitude',
  lng: 'longitude',
  long: 'longitude',
  name: 'label',
  propertyname: 'label',
  title: 'label',
  ref: 'reference',
  id: 'reference',
  externalid: 'reference',
  propertytype: 'kind',
  radius: 'watch_radius_miles',
  watchradius: 'watch_radius_miles',
  tag: 'tags',
  labels: 'tags',
  note: 'notes',
  comments: 'notes',
}

/** Larger ones are no book of properties, and a browser's tab would stand still over them. */
const FILE_MAX_BYTES = 20_000_000

/**
 * Reads a CSV file: apart by commas, semicolons or tabs, in UTF-8, UTF-16 or what Windows writes.
 * @throws Error in words for whoever chose the file
 */
export function readSheet(bytes: Uint8Array): Sheet {
  if (bytes.length > FILE_MAX_BYTES) throw new Error('The file is larger than 20 MB. Split it and import the parts.')
  const text = textOf(bytes)
  if (text.includes('\0')) throw new Error('This is not a CSV file. Save the spreadsheet as CSV and choose that file.')
  const [separator, table] = separatorOf(text)
  const records = recordsOf(table, separator).map((cells, at) => ({ cells, number: at + 1 }))
  const [heading, ...rows] = records.filter(({ cells }) => cells.some((cell) => cell !== ''))
  if (!heading || rows.length === 0) throw new Error('The file has no rows below the column names.')
  return {
    heading: heading.cells.map((name) => name.trim()),
    rows: rows.map(({ cells }) => cells),
    numbers: rows.map(({ number }) => number),
  }
}

/** Some spreadsheets write `sep=;` above the columns, and count no row for it; null where nothing is written. */
function separatorOf(text: string): [separator: string | null, table: string] {
  const [line = '', separator = null] = /^"?sep=(.)"?\r?\n/i.exec(text) ?? []
  return [separator, text.slice(line.length)]
}

function recordsOf(text: string, separator: string | null): string[][] {
  try {
    return parse(text, { delimiter: separator ?? delimiterOf(text), bom: true, trim: true, relax_column_count: true })
  } catch (fault) {
    throw new Error(`This is not a CSV file: ${fault instanceof Error ? fault.message : String(fault)}`, { cause: fault })
  }
}

/** Most spreadsheets mark UTF-16 at its start; what is no UTF-8 is what Windows writes in the western world. */
function textOf(bytes: Uint8Array): string {
  const mark = `${bytes[0]} ${bytes[1]}`
  if (mark === '255 254' || isHalfEmpty(bytes, 1)) return new TextDecoder('utf-16le').decode(bytes)
  if (mark === '254 255' || isHalfEmpty(bytes, 0)) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** How many bytes its encoding is judged by. */
const JUDGED_BY = 200

/** Whether every other byte is 0, as in names of columns in UTF-16 that is not marked, and no other is. @param rest 0 or 1: the first of them */
function isHalfEmpty(bytes: Uint8Array, rest: 0 | 1): boolean {
  const empty = Array.from(bytes.subarray(0, JUDGED_BY), (byte, at) => (byte === 0 ? at % 2 === rest : at % 2 !== rest))
  return empty.length > 1 && empty.every(Boolean)
}

/** Names of columns are no longer. */
const HEADING_MAX = 10_000

/** Whichever of the three stands most often between the names of the columns. */
function delimiterOf(text: string): string {
  // A name that is quoted may hold any of them, and new lines.
  const [first = ''] = text
    .slice(0, HEADING_MAX)
    .replace(/"[^"]*"/g, '')
    .split(/\r?\n/, 1)
  const count = (delimiter: string) => first.split(delimiter).length
  return [',', ';', '\t'].toSorted((a, b) => count(b) - count(a))[0] ?? ','
}

/** What each column seems to hold by its name; none holds what one before it does. */
export function guessKinds(heading: readonly string[]): ColumnKind[] {
  const taken = new Set<string>()
  return heading.map((name) => {
    const folded = name.toLowerCase().replace(/[^a-z0-9]/g, '')
    const kind = columnKinds.find(([one]) => one.replaceAll('_', '') === folded)?.[0] ?? ALIASES[folded] ?? ''
    if (kind === '' || taken.has(kind)) return ''
    taken.add(kind)
    return kind
  })
}

/** What is wrong with the columns as a whole; null where rows can be sent. */
export function faultOfKinds(kinds: readonly ColumnKind[]): string | null {
  const twice = columnKinds.find(([kind]) => kind !== '' && kinds.filter((one) => one === kind).length > 1)
  if (twice) return `Two columns contain “${twice[1]}”. Skip one of them.`
  if (kinds.includes('address') || kinds.includes('street') || (kinds.includes('latitude') && kinds.includes('longitude'))) return null
  return 'Choose the column that contains the address, or the columns that contain latitude and longitude.'
}

/** A row as the service takes it; empty cells are left out. A number that is none goes as it is, for the service to say so. */
export function propertyOf(cells: readonly string[], kinds: readonly ColumnKind[]): Record<string, string | number | string[]> {
  const held = new Map<string, string>()
  for (const [at, kind] of kinds.entries()) if (kind !== '' && cells[at]) held.set(kind, unguarded(cells[at]))
  const address = held.get('address') ?? addressOf(held)
  const body: Record<string, string | number | string[]> = address ? { address } : {}
  for (const [kind, cell] of held) {
    if (kind === 'tags') body.tags = cell.split(';').flatMap((tag) => tag.trim() || [])
    else if (NUMBERS.includes(kind)) body[kind] = Number.isFinite(Number(cell)) ? Number(cell) : cell
    else if (!PARTS.includes(kind)) body[kind] = cell
  }
  return body
}

const NUMBERS = ['latitude', 'longitude', 'watch_radius_miles']
const PARTS = ['address', 'street', 'city', 'state', 'zip']

function addressOf(held: ReadonlyMap<string, string>): string {
  const region = [held.get('state'), held.get('zip')].filter(Boolean).join(' ')
  return [held.get('street'), held.get('city'), region].filter(Boolean).join(', ')
}
