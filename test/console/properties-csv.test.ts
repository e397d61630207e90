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
  address: { query: '700 Main St, Frisco, TX 75034', latitude: 33.15, longitude: -96.82 },
} as const

test('an exported file is imported unchanged, and runs nothing in between', () => {
  const file = propertiesCsv([{ ...property, tags: [...property.tags] }])
  expect(file).toContain("'=1+1")
  const { heading, rows } = readSheet(new TextEncoder().encode(file))
  const { id: _, last_activity_on: __, address, ...kept } = property
  const { query, ...point } = address
  expect(rows.map((cells) => propertyOf(cells, guessKinds(heading)))).toEqual([{ ...kept, ...point, address: query }])
})
