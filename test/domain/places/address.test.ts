import { describe, expect, it } from 'vitest'
import { readAddress, tidyCase } from '#domain/places/address.ts'
import { addressKey, fold, foldAddress, foldTown } from '#domain/places/fold.ts'
import { processorMs } from '#test/support/processor.ts'

/** street | city | state | ZIP */
function read(text: string): string {
  const { street, city, state, postal_code, outside_us } = readAddress(text)
  return outside_us ? 'abroad' : [street, city, state?.code, postal_code].map((part) => part ?? '').join(' | ')
}

describe('reading an address', () => {
  it.each([
    ['2500 Gaylord Pkwy, Frisco, TX 75034', '2500 Gaylord Pkwy | Frisco | TX | 75034'],
    ['123 main street moore ok 73160', '123 Main St | moore | OK | 73160'],
    ['123 NORTH MAIN STREET, MOORE, OKLAHOMA 73160-1234', '123 N Main St | MOORE | OK | 73160'],
    ['100 Main St Apt 4, Moore, OK', '100 Main St Apt 4 | Moore | OK | '],
    ['1234 W 5th St #12, Oklahoma City, OK', '1234 W 5th St #12 | Oklahoma City | OK | '],
    ['350 Fifth Avenue, New York, New York 10118', '350 Fifth Ave | New York | NY | 10118'],
    ['1600 Pennsylvania Avenue Northwest Washington DC', '1600 Pennsylvania Ave NW | Washington | DC | '],
    ['4600 Silver Hill Rd, Washington, DC 20233, USA', '4600 Silver Hill Rd | Washington | DC | 20233'],
    ['12 Calle Luna, San Juan, PR 00901', '12 Calle Luna | San Juan | PR | 00901'],
    ['100 County Road 200, Georgetown, TX 78626', '100 County Road 200 | Georgetown | TX | 78626'],
    ['100 Main St, Suite 200, Moore, OK', '100 Main St Suite 200 | Moore | OK | '],
    ['5th and Main, Dallas TX', '5th and Main | Dallas | TX | '],
    ['100 N Main St 73160', '100 N Main St |  |  | 73160'],
    ['100 Main St Apt 4 Moore OK', '100 Main St Apt 4 | Moore | OK | '],
    ['123 Peña Blvd, Denver, CO 80249', '123 Pena Blvd | Denver | CO | 80249'],
    ['12 Улица, Moore, OK', '12 Улица | Moore | OK | '],
    ['100 Main St\nMoore, OK 73160', '100 Main St | Moore | OK | 73160'],
    ['100 Main St;; Moore ,, OK  73160 ', '100 Main St | Moore | OK | 73160'],
  ])('%j', (text, parts) => {
    expect(read(text)).toBe(parts)
  })

  it('keeps two-word towns whole, which the library splits without a house number', () => {
    expect(read('Fort Worth, TX')).toBe(' | Fort Worth | TX | ')
    expect(read('Frisco, TX 75034')).toBe(' | Frisco | TX | 75034')
    expect(read('Winston-Salem North Carolina')).toBe(' | Winston-Salem | NC | ')
    expect(read('75034')).toBe(' |  |  | 75034')
    expect(read('New York')).toBe(' | New York |  | ')
    expect(read('TX 75034')).toBe(' |  | TX | 75034')
  })

  it.each([
    ['12 Oak Ct, 75034', '12 Oak Ct |  |  | 75034'],
    ['5500 San Mateo Blvd NE 87109', '5500 San Mateo Blvd NE |  |  | 87109'],
    ['12 Pine Ridge Ct 75034', '12 Pine Ridge Ct |  |  | 75034'],
    ['100 Hartford ct 75034-1234', '100 Hartford Ct |  |  | 75034'],
    ['12 Oak La, 75034', '12 Oak Ln |  |  | 75034'],
  ])('reads the end of the street in %j as no state, because the ZIP code is in another', (text, parts) => {
    expect(read(text)).toBe(parts)
  })

  it.each([
    ['12 Oak, CT 75034', '12 Oak |  | CT | 75034'],
    ['100 Main St CT 75034', '100 Main St |  | CT | 75034'],
    ['100 Main St Hartford CT 75034', '100 Main St | Hartford | CT | 75034'],
    ['100 Main St Unheardof NE 87109', '100 Main St | Unheardof | NE | 87109'],
    ['100 Broadway Omaha NE 87109', '100 Broadway | Omaha | NE | 87109'],
    ['100 Main St, Omaha NE 87109', '100 Main St | Omaha | NE | 87109'],
    ['Omaha NE 87109', ' | Omaha | NE | 87109'],
    ['12 Oak Ct 06103', '12 Oak |  | CT | 06103'],
    ['12 Oak Ct 00000', '12 Oak |  | CT | 00000'],
  ])('reads the state in %j, whatever the ZIP code', (text, parts) => {
    expect(read(text)).toBe(parts)
  })

  it.each([
    '10 Downing Street, London, UK',
    'Toronto, ON',
    'Toronto, Ontario',
    '1 Yonge St, Toronto M5E 1W7',
    'Paris, France',
    'San José, Costa Rica',
    'PSC 1, APO, AP 96201',
    'SW1A 2AA',
  ])('recognises that %j is abroad', (text) => {
    expect(read(text)).toBe('abroad')
  })

  it('reads a state as a state even if a country has the same name', () => {
    expect(read('Atlanta, Georgia')).toBe(' | Atlanta | GA | ')
    expect(read('Lebanon, New Jersey')).toBe(' | Lebanon | NJ | ')
    expect(read('Ontario, CA')).toBe(' | Ontario | CA | ')
  })

  it('reads the name of a country as a town if several American towns have it', () => {
    expect(read('100 Main St, Lebanon')).toBe('100 Main St | Lebanon |  | ')
    expect(read('1 Oak St, Cuba')).toBe('1 Oak St | Cuba |  | ')
    expect(read('Holland')).toBe(' | Holland |  | ')
    for (const text of ['Kingston, Jamaica', '10 Knutsford Blvd, Kingston, Jamaica', '1 Via Roma, Italy', 'Italy'])
      expect(read(text), text).toBe('abroad')
  })

  it('reads the name of a state after a street as the town', () => {
    expect(read('350 5th Ave, New York')).toBe('350 5th Ave | New York | NY | ')
    expect(read('1600 Pennsylvania Ave NW, washington')).toBe('1600 Pennsylvania Ave NW | Washington |  | ')
    expect(read('100 Main St, Oklahoma')).toBe('100 Main St |  | OK | ')
    expect(read('100 Main St, Alabama')).toBe('100 Main St |  | AL | ')
    expect(read('400 Broad St, Seattle, Washington')).toBe('400 Broad St | Seattle | WA | ')
  })

  it('reads any line quickly, however unusual', async () => {
    const runs = ['a ', '1 ', 'N ', '# ', '-', '. ', ' and ', '&', 'St ', 'Apt 1 ', ', ', 'é', '1a']
    const lines = ['', '1 ', '100 Main St '].flatMap((start) =>
      runs.flatMap((run) => ['', '@@', ', TX 75034'].map((end) => start + run.repeat(300).slice(0, 240) + end)),
    )
    readAddress('100 Main St, Moore, OK')
    for (const line of lines) expect(await processorMs(() => readAddress(line)), JSON.stringify(line.slice(0, 20))).toBeLessThan(250)
  })
})

describe('folding', () => {
  it('drops case, accents and punctuation', () => {
    expect(fold('  Hagåtña,  O’Fallon-St. ')).toBe('hagatna ofallon st')
    expect(foldAddress('100 Main St., MOORE OK')).toBe(foldAddress('100 main st, Moore, OK'))
  })

  it('expands common abbreviations of towns', () => {
    for (const name of ['St. Louis', 'Saint Louis', 'ST LOUIS']) expect(foldTown(name)).toBe('saint louis')
    expect(foldTown('Ft. Worth')).toBe('fort worth')
    expect(foldTown('Sterling')).toBe('sterling')
  })

  it('gives one address one key', () => {
    const place = { street: '100 Main St', city: 'St. Louis', state: 'MO', postal_code: '63101' }
    expect(addressKey(place)).toBe('100 main st|saint louis|mo|63101')
    expect(addressKey({ ...place, street: '100 MAIN ST', city: 'Saint Louis' })).toBe(addressKey(place))
    expect(addressKey({ ...place, postal_code: null })).toBe('100 main st|saint louis|mo|')
  })

  it('capitalises only words of a single case', () => {
    expect(tidyCase('1600 PENNSYLVANIA AVE NW')).toBe('1600 Pennsylvania Ave NW')
    expect(tidyCase('5TH ST')).toBe('5th St')
    expect(tidyCase('mcDonald FM 1960')).toBe('mcDonald FM 1960')
  })
})
