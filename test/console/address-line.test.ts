import { expect, it } from 'vitest'
import { addressLine as ofDocuments } from '#domain/places/address-line.ts'
import { addressLine } from '../../console/parts/address-line.ts'

const main = { query: '100 Main Street, Frisco', street: '100 Main St', city: 'Frisco', state: 'TX', postal_code: '75034' }

it('an address is written as in documents', () => {
  expect(addressLine(main)).toBe('100 Main St, Frisco, TX 75034')
  for (const place of [main, { ...main, postal_code: null }, { ...main, city: null }]) expect(addressLine(place)).toBe(ofDocuments(place))
})

it('without a street it is the text that was searched for', () => {
  expect(addressLine({ ...main, street: null })).toBe('100 Main Street, Frisco')
})
