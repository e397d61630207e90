import { expect, test } from 'vitest'
import { columnKinds, faultOfKinds, guessKinds, propertyOf, readSheet } from '../../console/pages/property-sheet.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)
/** Little-endian, without a byte order mark. */
const utf16 = (text: string) => new Uint8Array(Uint16Array.from([...text].map((one) => one.charCodeAt(0))).buffer)

test.each([
  ['commas', bytesOf('Name,City\r\n"Roof, north",Moore\r\n')],
  ['semicolons', bytesOf('Name;City\n"Roof, north";Moore\n')],
  ['tabs', bytesOf('Name\tCity\nRoof, north\tMoore\n')],
  ['a mark at its start', bytesOf('\uFEFFName,City\n"Roof, north",Moore\n')],
  ['UTF-16', Uint8Array.from([255, 254, ...utf16('Name;City\nRoof, north;Moore\n')])],
  ['UTF-16 without a mark', utf16('Name;City\nRoof, north;Moore\n')],
  ['UTF-16 the other way round, without a mark', utf16('Name;City\nRoof, north;Moore\n').map((_, at, all) => all[at ^ 1] ?? 0)],
  ['a line that names its separator', bytesOf('sep=;\r\nName;City\r\nRoof, north;Moore\r\n')],
  ['a mark, and a line that names another separator', bytesOf('\uFEFFsep=|\nName|City\nRoof, north|Moore\n')],
  ['empty lines', bytesOf('Name,City\n\n"Roof, north",Moore\n\n')],
])('reads a file with %s', (_, bytes) => {
  expect(readSheet(bytes)).toMatchObject({ heading: ['Name', 'City'], rows: [['Roof, north', 'Moore']] })
})

test('numbers rows as a spreadsheet does, and leaves out empty ones', () => {
  const { rows, numbers } = readSheet(bytesOf('Name,City\nYard,Moore\n\n,,\nShed,Norman\n'))
  expect([rows.map(([name]) => name), numbers]).toEqual([
    ['Yard', 'Shed'],
    [2, 5],
  ])
})

test('the separator is not guessed from inside a column name that is quoted over several lines', () => {
  expect(readSheet(bytesOf('"Name,\nas, on, the, door";City\n"Roof; north";Moore\n'))).toMatchObject({
    heading: ['Name,\nas, on, the, door', 'City'],
    rows: [['Roof; north', 'Moore']],
    numbers: [2],
  })
})

test('a line that names the separator is not a row', () => {
  expect(readSheet(bytesOf('sep=;\nName;City\nYard;Moore\n')).numbers).toEqual([2])
})

test('reads Windows encoding, and quotes over more than one line', () => {
  const windows = Uint8Array.from(
    [...'Name,Notes\nCaf', 0xe9, ...',"two\nlines"\n'].map((one) => (typeof one === 'number' ? one : one.charCodeAt(0))),
  )
  expect(readSheet(windows).rows).toEqual([['Café', 'two\nlines']])
})

test.each([
  ['a spreadsheet that is none', Uint8Array.from([0x50, 0x4b, 3, 4, 0, 0]), 'Save the spreadsheet as CSV'],
  ['a heading alone', bytesOf('Name,City\n'), 'no rows'],
  ['nothing', new Uint8Array(), 'no rows'],
  ['a quote that never ends', bytesOf('Name\n"Roof\n'), 'This is not a CSV file'],
])('states what is wrong with %s', (_, bytes, words) => {
  expect(() => readSheet(bytes)).toThrow(words)
})

test('guesses each column by its name once, and leaves out unknown ones', () => {
  const heading = ['Street Address', 'City', 'ST', 'Zip Code', 'Property Name', 'Name', 'Watch radius (miles)', 'Owner']
  expect(guessKinds({ heading, rows: [] })).toEqual(['street', 'city', 'state', 'zip', 'label', '', 'watch_radius_miles', ''])
})

test('guesses the number of a claim or a policy as the reference, the first of them', () => {
  for (const name of ['Claim No', 'Claim #', 'claim_number', 'Policy', 'Policy Number', 'File No.', 'Account number'])
    expect([name, ...guessKinds({ heading: [name, 'Policy No'], rows: [] })]).toEqual([name, 'reference', ''])
})

test('prefers the column with the very name of a field, wherever it is', () => {
  expect(guessKinds({ heading: ['ID', 'Name', 'Label', 'Reference'], rows: [] })).toEqual(['', '', 'label', 'reference'])
  expect(guessKinds({ heading: ['Location', 'Comments', 'Address', 'Notes'], rows: [] })).toEqual(['', '', 'address', 'notes'])
})

test('guesses the columns that are named as the page names them', () => {
  expect(guessKinds({ heading: columnKinds.map(([, words]) => words).slice(2), rows: [] })).toEqual(
    columnKinds.map(([kind]) => kind).slice(2),
  )
})

test.each([
  [
    'the street, beside the rest of the address',
    ['Address', 'City', 'State', 'Zip'],
    ['1 Main St, Suite 4', 'Frisco', 'TX', '75034'],
    ['street', 'city', 'state', 'zip'],
  ],
  ['the street in Frisco Road', ['Address', 'City'], ['1 Frisco Rd', 'Frisco'], ['street', 'city']],
  [
    'the whole address',
    ['Address', 'City', 'State', 'Zip'],
    ['1 Main St, Frisco, TX 75034', 'Frisco', 'TX', '75034'],
    ['address', '', '', ''],
  ],
  ['the whole address without commas', ['Address', 'Zip'], ['1 Main St Frisco TX 75034', '75034'], ['address', '']],
  ['the whole address beside a state', ['Address', 'State'], ['1 Main St, Frisco, TX 75034', 'TX'], ['address', '']],
  ['no part of the address', ['Location', 'Street', 'City'], ['Building in the yard', '1 Main St', 'Frisco'], ['', 'street', 'city']],
])('an address column contains %s', (_, heading, cells, kinds) => {
  expect(guessKinds({ heading, rows: [cells] })).toEqual(kinds)
})

test('an address column contains what most of its rows contain', () => {
  const heading = ['Address', 'City', 'Zip']
  const streets = [
    ['1 Main St', 'Moore', '73160'],
    ['73160 County Rd', 'Moore', '73160'],
    ['Shed 2, Moore Hall', 'Moore', '73160'],
    ['2 Main St', 'Moore', '73160'],
    ['3 Main St', 'Moore', '73160'],
  ]
  expect(guessKinds({ heading, rows: streets })).toEqual(['street', 'city', 'zip'])
  const full = ['1 Main St, Moore, OK 73160', '2 Main St, Moore, OK 73160', '', '3 Main St']
  expect(guessKinds({ heading, rows: full.map((address) => [address, 'Moore', '73160']) })).toEqual(['address', '', ''])
})

test('skips the coordinates of a file that states their precision, such as an export of the API', () => {
  const heading = ['address', 'latitude', 'longitude', 'precision', 'status']
  expect(guessKinds({ heading, rows: [] })).toEqual(['address', '', '', '', 'status'])
})

test('states which columns are missing or duplicated', () => {
  expect(faultOfKinds(['label', 'city'])).toContain('the column that contains the address')
  expect(faultOfKinds(['label', 'latitude'])).toContain('the column that contains the address')
  expect(faultOfKinds(['tags', 'address', 'tags'])).toContain('Two columns contain')
  expect(faultOfKinds(['address', 'city'])).toContain('A full address is used alone')
  expect(faultOfKinds(['latitude', 'longitude'])).toBeNull()
  expect(faultOfKinds(['street', '', ''])).toBeNull()
})

test('converts a row for the service: parts joined, numbers as numbers, tags split, formula escapes removed, nothing empty', () => {
  const kinds = ['street', 'city', 'state', 'zip', 'label', 'tags', 'watch_radius_miles', 'reference', ''] as const
  expect(propertyOf(['1 Main St', 'Moore', 'OK', '73160', '', 'hq; north;', '2.5', "'=A-1", 'unseen'], [...kinds])).toEqual({
    address: '1 Main St, Moore, OK 73160',
    tags: ['hq', 'north'],
    watch_radius_miles: 2.5,
    reference: '=A-1',
  })
  expect(propertyOf(['35.3', 'west'], ['latitude', 'longitude'])).toEqual({ latitude: 35.3, longitude: 'west' })
})

test('gives a ZIP code the zeros back that a spreadsheet dropped from its start', () => {
  const addressWith = (zip: string) => propertyOf(['1 Main St', 'MA', zip], ['street', 'state', 'zip']).address
  expect(['2108', '501', '21081234', '02108-1234', '75034', 'MA'].map(addressWith)).toEqual(
    ['02108', '00501', '021081234', '02108-1234', '75034', 'MA'].map((zip) => `1 Main St, MA ${zip}`),
  )
})
