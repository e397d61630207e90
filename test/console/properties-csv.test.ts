import { expect, test } from 'vitest'
import { propertiesCsv } from '../../console/pages/properties/properties-csv.ts'
import { guessKinds, propertyOf, readSheet } from '../../console/pages/property-sheet.ts'

const property = {
  id: '01987654-0000-7000-8000-000000000002',
  label: 'Roof, "north"',
  reference: '=1+1',
  kind: 'commercial',
  status: 'paused',
  tags: ['flat roof', '2019'],
  notes: 'Two\nlines',
  watch_radius_miles: 2.5,
  last_activity_on: '2025-05-28',
  address: { query: '700 Main St, Frisco, TX 75034', latitude: 33.1499, longitude: -96.8241, precision: 'zip' },
  sent_coordinates: null,
} as const
const sent = { latitude: 33.15, longitude: -96.82 }

function importedFrom(file: string) {
  const sheet = readSheet(new TextEncoder().encode(file))
  return sheet.rows.map((cells) => propertyOf(cells, guessKinds(sheet)))
}

test('an exported file is imported unchanged, and runs nothing in between', () => {
  const file = propertiesCsv([
    { ...property, tags: [...property.tags], address: { ...property.address, ...sent, precision: 'point' }, sent_coordinates: sent },
  ])
  expect(file).toContain("'=1+1")
  const { id: _, last_activity_on: __, sent_coordinates: ___, address, ...kept } = property
  expect(importedFrom(file)).toEqual([{ ...kept, ...sent, address: address.query }])
})

test('an exported file states where a ZIP code has its centre, and its import takes that for no coordinates of the property', () => {
  const file = propertiesCsv([{ ...property, tags: [] }])
  expect(file).toContain(',33.1499,-96.8241,zip,')
  const [imported] = importedFrom(file)
  expect(imported).toMatchObject({ address: property.address.query })
  expect(Object.keys(imported ?? {})).not.toContain('latitude')
})

test('an exported file keeps tags that contain what separates them', () => {
  for (const tags of [['flat; tarred', '2019'], ['[north'], ['["a"]', '"b"'], ['a, "b"', 'c']]) {
    const [imported] = importedFrom(propertiesCsv([{ ...property, tags }]))
    expect(imported).toMatchObject({ tags })
  }
})
