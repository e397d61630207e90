import { parse } from 'csv-parse/browser/esm/sync'
import { unguard } from '../parts/csv.ts'
import { tagsIn } from '../parts/tag-cell.ts'

/** The rows of a spreadsheet as text, and the names of its columns. */
export interface Sheet {
  heading: string[]
  /** The rows that are not empty. */
  rows: string[][]
  /** The number of each row in the file, from 1 and with empty rows, as a spreadsheet counts. */
  numbers: number[]
}

/** What a column can contain: a field of a property, or a part of its address. */
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

/** Other column names that spreadsheets use, in lower case without spaces. */
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
  claim: 'reference',
  claimno: 'reference',
  claimnumber: 'reference',
  policy: 'reference',
  policyno: 'reference',
  policynumber: 'reference',
  fileno: 'reference',
  filenumber: 'reference',
  accountnumber: 'reference',
  propertytype: 'kind',
  radius: 'watch_radius_miles',
  watchradius: 'watch_radius_miles',
  tag: 'tags',
  labels: 'tags',
  note: 'notes',
  comments: 'notes',
}

/** A larger file is not a list of properties, and would freeze the browser tab. */
const FILE_MAX_BYTES = 20_000_000

/**
 * Reads a CSV file, separated by commas, semicolons or tabs, in UTF-8, UTF-16 or Windows-1252.
 * @throws Error with a message for the person who chose the file
 */
export function readSheet(bytes: Uint8Array): Sheet {
  if (bytes.length > FILE_MAX_BYTES) throw new Error('The file is larger than 20 MB. Split it and import the parts.')
  const text = textOf(bytes)
  if (text.includes('\0')) throw new Error('This is not a CSV file. Save the spreadsheet as CSV and choose that file.')
  const [separator, table] = splitSeparatorLine(text)
  const records = recordsOf(table, separator).map((cells, at) => ({ cells, number: at + 1 }))
  const [heading, ...rows] = records.filter(({ cells }) => cells.some((cell) => cell !== ''))
  if (!heading || rows.length === 0) throw new Error('The file has no rows below the column names.')
  return {
    heading: heading.cells.map((name) => name.trim()),
    rows: rows.map(({ cells }) => cells),
    numbers: rows.map(({ number }) => number),
  }
}

/** Some spreadsheets write `sep=;` above the columns and do not count it as a row. Null if there is no such line. */
function splitSeparatorLine(text: string): [separator: string | null, table: string] {
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

/** Most spreadsheets start UTF-16 with a byte order mark. A file that is not valid UTF-8 is read as Windows-1252. */
function textOf(bytes: Uint8Array): string {
  const byteOrderMark = `${bytes[0]} ${bytes[1]}`
  if (byteOrderMark === '255 254' || isHalfEmpty(bytes, 1)) return new TextDecoder('utf-16le').decode(bytes)
  if (byteOrderMark === '254 255' || isHalfEmpty(bytes, 0)) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** The number of bytes that are checked to find the encoding. */
const ENCODING_SAMPLE_BYTES = 200

/**
 * Whether every second byte is 0 and no other is, as in column names in UTF-16 without a byte order mark.
 * @param rest 0 or 1: the index of the first of them
 */
function isHalfEmpty(bytes: Uint8Array, rest: 0 | 1): boolean {
  const empty = Array.from(bytes.subarray(0, ENCODING_SAMPLE_BYTES), (byte, at) => (byte === 0 ? at % 2 === rest : at % 2 !== rest))
  return empty.length > 1 && empty.every(Boolean)
}

/** Column names are no longer than this. */
const HEADING_MAX = 10_000

/** The one of the three delimiters that occurs most often between the column names. */
function delimiterOf(text: string): string {
  // A quoted name may contain any of them, and line breaks.
  const [first = ''] = text
    .slice(0, HEADING_MAX)
    .replace(/"[^"]*"/g, '')
    .split(/\r?\n/, 1)
  const count = (delimiter: string) => first.split(delimiter).length
  return [',', ';', '\t'].toSorted((a, b) => count(b) - count(a))[0] ?? ','
}

/**
 * Guesses what each column contains, from its name and, for an address, from the rows. No kind is guessed twice: a
 * column with its very name is preferred, as "Reference" is to "ID". Coordinates beside a
 * `precision`, as in the service's own exports, are skipped: they may be the centre of a ZIP code, and the service would take them for
 * the exact place.
 */
export function guessKinds({ heading, rows }: Pick<Sheet, 'heading' | 'rows'>): ColumnKind[] {
  const names = heading.map(normalize)
  const taken = new Set<string>(names.includes('precision') ? ['latitude', 'longitude'] : [])
  const kinds = names.map((name) => {
    const kind = columnKinds.find((words) => words.some((one) => normalize(one) === name))?.[0] ?? ALIASES[name] ?? ''
    const isForAnother = normalize(kind) !== name && names.includes(normalize(kind))
    if (kind === '' || isForAnother || taken.has(kind)) return ''
    taken.add(kind)
    return kind
  })
  if (!kinds.includes('address') || !kinds.some(isAddressPart)) return kinds
  // Many spreadsheets name the street "Address", beside the city and the ZIP code.
  const addressed = rows.filter((cells) => cells[kinds.indexOf('address')])
  // Of most rows: a street may happen to name the city, and the others would then lose theirs.
  if (addressed.filter((cells) => isFullAddress(cells, kinds)).length * 2 > addressed.length)
    return kinds.map((kind) => (isAddressPart(kind) ? '' : kind))
  return kinds.map((kind) => (kind === 'address' ? (kinds.includes('street') ? '' : 'street') : kind))
}

const normalize = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/** Whether the address of a row contains its ZIP code or, behind a comma, its city or state. */
function isFullAddress(cells: readonly string[], kinds: readonly ColumnKind[]): boolean {
  const words = (kind: ColumnKind) => ` ${cells[kinds.indexOf(kind)] ?? ''} `.toLowerCase().replace(/[^\p{L}\p{N},]+/gu, ' ')
  const address = words('address')
  const behind = address.slice(address.indexOf(',')).replaceAll(',', ' ')
  const contains = (text: string, part: string) => part.trim() !== '' && text.includes(part)
  return (
    contains(address, words('zip')) || (address.includes(',') && [words('city'), words('state')].some((part) => contains(behind, part)))
  )
}

/** What is wrong with the columns as a whole; null if rows can be sent. */
export function faultOfKinds(kinds: readonly ColumnKind[]): string | null {
  const duplicate = columnKinds.find(([kind]) => kind !== '' && kinds.filter((one) => one === kind).length > 1)
  if (duplicate) return `Two columns contain “${duplicate[1]}”. Skip one of them.`
  if (kinds.includes('address') && kinds.some(isAddressPart))
    return 'A full address is used alone. Choose “Street” for it, or skip the columns with the other parts of the address.'
  if (kinds.includes('address') || kinds.includes('street') || (kinds.includes('latitude') && kinds.includes('longitude'))) return null
  return 'Choose the column that contains the address, or the columns that contain latitude and longitude.'
}

/** A row as the service takes it, without empty cells. An invalid number is sent as text, so that the service reports it. */
export function propertyOf(cells: readonly string[], kinds: readonly ColumnKind[]): Record<string, string | number | string[]> {
  const values = new Map<string, string>()
  for (const [at, kind] of kinds.entries()) if (kind !== '' && cells[at]) values.set(kind, unguard(cells[at]))
  const address = values.get('address') ?? addressOf(values)
  const body: Record<string, string | number | string[]> = address ? { address } : {}
  for (const [kind, cell] of values) {
    if (kind === 'tags') body.tags = tagsIn(cell)
    else if (NUMERIC_KINDS.includes(kind)) body[kind] = Number.isFinite(Number(cell)) ? Number(cell) : cell
    else if (kind !== 'address' && !isAddressPart(kind)) body[kind] = cell
  }
  return body
}

const NUMERIC_KINDS = ['latitude', 'longitude', 'watch_radius_miles']
const ADDRESS_PARTS = ['street', 'city', 'state', 'zip']
const isAddressPart = (kind: string) => ADDRESS_PARTS.includes(kind)

function addressOf(values: ReadonlyMap<string, string>): string {
  const region = [values.get('state'), zipOf(values.get('zip') ?? '')].filter(Boolean).join(' ')
  return [values.get('street'), values.get('city'), region].filter(Boolean).join(', ')
}

/** A ZIP code with the zeros at its start, which a spreadsheet drops if it takes the code for a number: "2108" is Boston's 02108. */
function zipOf(cell: string): string {
  if (/^\d{3,4}$/.test(cell)) return cell.padStart(5, '0')
  return /^\d{7,8}$/.test(cell) ? cell.padStart(9, '0') : cell
}
