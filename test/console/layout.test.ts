import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sampleStorm, seedSample } from '#domain/archive/sample/seed.ts'
import { type DocumentFacts, readDocumentFacts } from '#domain/reports/document/facts.ts'
import { documentPage } from '#domain/reports/document/page.ts'
import { type Layout, layoutElements, layoutImagery, layoutSections } from '#domain/reports/layout.ts'
import { requestReport } from '#domain/reports/request.ts'
import { aCaller, aTeam } from '#test/support/factories.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { blocksOf, move, SHEET, sheetsOf, toggle } from '../../console/pages/new-report/layout.ts'

let world: World
let facts: DocumentFacts
beforeAll(async () => {
  world = await openWorld()
  await seedSample(world.app)
  const { address, window_start, window_end, radius_miles } = sampleStorm
  const input = { address, window_start, window_end, radius_miles }
  const { report } = await requestReport(world.app, await aCaller(world, await aTeam(world)), input, null)
  await world.drain()
  const found = await readDocumentFacts(world.app, report.id)
  if (!found) throw new Error('the report is not complete')
  facts = found
})
afterAll(() => world.close())

const layouts: fc.Arbitrary<Layout> = fc.record({
  sections: fc.shuffledSubarray([...layoutSections]),
  imagery: fc.shuffledSubarray([...layoutImagery]),
  elements: fc.shuffledSubarray([...layoutElements]),
  map: fc.option(fc.record({ base: fc.constant('plain' as const), layers: fc.constant(['hail' as const]) })),
})

/** As they are printed, except for a report whose warning has ended. */
async function printed(layout: Layout): Promise<string[]> {
  const { html } = await documentPage({ ...facts, report: { ...facts.report, layout } }, [])
  return [...html.matchAll(/<h2>([^<]*)<\/h2>/g)].map(([, heading = '']) =>
    heading.replace(/^Official warnings over .*/, 'Official warnings'),
  )
}

test('the preview of a layout has the parts that the document prints, in the same order', async () => {
  await fc.assert(
    fc.asyncProperty(layouts, async (layout) => {
      const drawn = blocksOf(layout).flatMap(({ heading }) => heading || [])
      expect(drawn).toEqual(await printed(layout))
    }),
    { numRuns: 40 },
  )
})

test('each part is on one sheet as a whole, beneath the one before it', () => {
  fc.assert(
    fc.property(layouts, (layout) => {
      const blocks = blocksOf(layout)
      const sheets = sheetsOf(blocks)
      expect(sheets.flat().map(({ heading }) => heading)).toEqual(blocks.map(({ heading }) => heading))
      for (const sheet of sheets) {
        let free = SHEET.margin
        for (const { top, height } of sheet) {
          expect(top).toBeGreaterThanOrEqual(free)
          free = top + height
        }
        expect(free).toBeLessThanOrEqual(SHEET.height - SHEET.margin)
      }
    }),
  )
})

test('a section swaps places with its neighbour, and stays if there is none', () => {
  expect(move(['summary', 'map', 'events'], 'map', -1)).toEqual(['map', 'summary', 'events'])
  expect(move(['summary', 'map', 'events'], 'map', 1)).toEqual(['summary', 'events', 'map'])
  expect(move(['summary', 'map'], 'summary', -1)).toEqual(['summary', 'map'])
  expect(move(['summary', 'map'], 'map', 1)).toEqual(['summary', 'map'])
  expect(move(['summary'], 'map', 1)).toEqual(['summary'])
  expect(toggle(['hail', 'wind'], 'hail', true)).toEqual(['wind', 'hail'])
  expect(toggle(['hail', 'wind'], 'hail', false)).toEqual(['wind'])
})
