import { expect, it } from 'vitest'
import type { Property } from '#generated/prisma/client.ts'
import { aKeptProperty } from '#test/support/exposures.ts'
import { aTeam } from '#test/support/factories.ts'
import { teamGraph } from './team-graph.ts'

const here = teamGraph()

const tag = (ids: string[], { add = [], remove = [] }: { add?: string[]; remove?: string[] }) =>
  here.ask(
    `mutation ($ids: [UUID!]!, $add: [String!], $remove: [String!]) { tagProperties(ids: $ids, add: $add, remove: $remove) { id outcome tags } }`,
    { ids, add, remove },
  )
const tagsOf = async ({ id }: Property) => (await here.world.app.db.property.findUniqueOrThrow({ where: { id } })).tags

it('returns an outcome for each id once, in the order sent: changed, unchanged, full, not found', async () => {
  const plain = await aKeptProperty(here.world, here.team, { tags: ['Flat'] })
  const tagged = await aKeptProperty(here.world, here.team, { tags: ['2019', 'north'] })
  const ten = Array.from({ length: 10 }, (_, n) => `t${n}`)
  const full = await aKeptProperty(here.world, here.team, { tags: ten })
  const foreign = await aKeptProperty(here.world, await aTeam(here.world), { tags: [] })
  const { data, errors } = await tag([plain.id, full.id, foreign.id, tagged.id, plain.id.toUpperCase()], { add: ['North', '2019'] })
  expect(errors).toBeUndefined()
  expect(data.tagProperties).toEqual([
    { id: plain.id, outcome: 'changed', tags: ['Flat', 'North', '2019'] },
    { id: full.id, outcome: 'full', tags: ten },
    { id: foreign.id, outcome: 'not_found', tags: null },
    { id: tagged.id, outcome: 'unchanged', tags: ['2019', 'north'] },
  ])
  expect(await Promise.all([plain, full, foreign, tagged].map(tagsOf))).toEqual([['Flat', 'North', '2019'], ten, [], ['2019', 'north']])
})

it('removes tags in any case, and makes room for others in the same call', async () => {
  const ten = Array.from({ length: 10 }, (_, n) => `t${n}`)
  const full = await aKeptProperty(here.world, here.team, { tags: ten })
  await tag([full.id], { remove: ['T3', 'unknown'], add: ['new'] })
  expect(await tagsOf(full)).toEqual([...ten.filter((one) => one !== 't3'), 'new'])
})

it('loses no tag under concurrent calls', async () => {
  const property = await aKeptProperty(here.world, here.team, { tags: [] })
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  await Promise.all(names.map((name) => tag([property.id], { add: [name] })))
  expect((await tagsOf(property)).toSorted()).toEqual(names)
})

it('refuses an invalid tag, too many tags, and too many properties', async () => {
  const { id } = await aKeptProperty(here.world, here.team)
  const faultsOf = async (...args: Parameters<typeof tag>) => Object.keys((await tag(...args)).errors?.[0]?.extensions.errors ?? {})
  expect(await faultsOf([id], { add: ['x'.repeat(41)] })).toEqual(['add.0'])
  expect(await faultsOf([id], { remove: Array.from({ length: 11 }, (_, n) => `t${n}`) })).toEqual(['remove'])
  expect(await faultsOf(Array(501).fill(id), { add: ['a'] })).toEqual(['ids'])
  expect(await faultsOf([], { add: ['a'] })).toEqual(['ids'])
})
