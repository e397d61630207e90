import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sampleStorm, seedSample } from '#domain/archive/sample/seed.ts'
import { FOOTER } from '#domain/reports/document/closing.ts'
import { readDocumentFacts } from '#domain/reports/document/facts.ts'
import { documentPage } from '#domain/reports/document/page.ts'
import { layoutElements, layoutImagery, layoutSections, mapLayers } from '#domain/reports/layout.ts'
import { requestReport } from '#domain/reports/request.ts'
import { aCaller, aTeam } from '#test/support/factories.ts'
import { openWorld } from '#test/support/world.ts'

/** Words that a report never uses: each would claim more than a public record can support. */
const NEVER =
  /\b(damaged?|claims?|covered|coverage of a policy|proof|proves|verified hail fell|confirmed at the address|guarantees?|certified|massive|devastating|catastrophic hail)\b/i

/** Every part that a document can have. */
const everything = {
  sections: layoutSections,
  imagery: layoutImagery,
  elements: layoutElements,
  map: { base: 'aerial', layers: mapLayers },
}

/** Templates: quoted texts in the files that word reports, documents and posts. Comments are internal. */
const folders = [
  'domain/evidence',
  'domain/reports',
  'domain/reports/day-of-loss',
  'domain/reports/document',
  'domain/reports/document-store',
  'domain/reports/wording',
  'domain/integrations',
  'domain/integrations/channels',
  'graphql/types',
  'rest/pages',
]
const templates = folders.flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.ts'))
    .map((name) => [`${folder}/${name}`, readFileSync(`${folder}/${name}`, 'utf8')] as const),
)

test.each(templates)('%s uses no word that a record cannot support', (name, source) => {
  const code = source.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '').replace(FOOTER, '')
  const texts = [...code.matchAll(/'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g)].map(([, quoted, template]) => quoted ?? template ?? '')
  // The name of the GraphQL field `damage` is the agencies' own tag.
  expect(texts.filter((text) => NEVER.test(text) && !(name.startsWith('graphql') && text === 'damage'))).toEqual([])
})

test.each([
  ['the storm', sampleStorm.window_start, sampleStorm.window_end, sampleStorm.radius_miles],
  ['nothing', '2025-12-01', '2025-12-31', 1],
  ['months never imported', '2018-01-01', '2018-12-31', 5],
])('the document of %s uses none of these words', async (_what, window_start, window_end, radius_miles) => {
  const world = await openWorld()
  await seedSample(world.app)
  const caller = await aCaller(world, await aTeam(world))
  const input = { address: sampleStorm.address, window_start, window_end, radius_miles, layout: everything }
  const { report } = await requestReport(world.app, caller, input, null)
  await world.drain()
  const facts = await readDocumentFacts(world.app, report.id)
  if (!facts) throw new Error('the report is not complete')
  const { html, footer, title } = await documentPage(facts, [])
  const quoted = facts.records.flatMap(({ description }) => (description ? [description] : []))
  const visibleText = [html.replace(/<style>[\s\S]*?<\/style>/, ''), footer, title].join(' ').replaceAll(FOOTER, '')
  const own = quoted.reduce((text, description) => text.replaceAll(description, ''), visibleText)
  expect(NEVER.exec(own)).toBeNull()
})
