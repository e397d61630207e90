import { beforeEach, expect, it } from 'vitest'
import { aKeptProperty, anExposure } from '#test/support/exposures.ts'
import { aTeam } from '#test/support/factories.ts'
import { statementsOf } from '#test/support/statements.ts'
import { teamGraph } from './team-graph.ts'

const here = teamGraph()
let property_id: string
beforeEach(async () => {
  property_id = (await aKeptProperty(here.world, here.team)).id
})

/** Each of its own day. */
let days = 0
const anOpenOne = () =>
  anExposure(here.world, here.team, { property_id, date: new Date(Date.UTC(2020, 0, ++days)).toISOString().slice(0, 10) })
const ROW = '{ id outcome before decided_at exposure { id acknowledged_at dismissed_at last_seen_at } }'
const acknowledge = (ids: number[], dismiss = false, only_if_open = false) =>
  here.ask(
    `mutation ($ids: [Int!]!, $dismiss: Boolean, $only_if_open: Boolean) { acknowledgeExposures(ids: $ids, dismiss: $dismiss, only_if_open: $only_if_open) ${ROW} }`,
    { ids, dismiss, only_if_open },
  )
const reopen = (ids: number[], decided_at: string | null = null) =>
  here.ask(`mutation ($ids: [Int!]!, $decided_at: DateTime) { reopenExposures(ids: $ids, decided_at: $decided_at) ${ROW} }`, {
    ids,
    decided_at,
  })
const states = async () =>
  (await here.world.app.db.exposure.findMany({ where: { property_id }, orderBy: { id: 'asc' } })).map(
    ({ acknowledged_at, dismissed_at }) => (acknowledged_at ? 'acknowledged' : dismissed_at ? 'dismissed' : 'open'),
  )

it('returns an outcome for each id once, in the order sent: moved, unchanged, not found', async () => {
  const [first, second] = [await anOpenOne(), await anOpenOne()]
  await acknowledge([first])
  const { data, errors } = await acknowledge([second, 2_000_000_000, first, second])
  expect(errors).toBeUndefined()
  expect(data.acknowledgeExposures).toMatchObject([
    { id: second, outcome: 'moved', before: 'open', exposure: { id: second, acknowledged_at: expect.any(String), dismissed_at: null } },
    { id: 2_000_000_000, outcome: 'not_found', before: null, exposure: null },
    { id: first, outcome: 'unchanged', before: 'acknowledged', exposure: { id: first, acknowledged_at: expect.any(String) } },
  ])
  expect(data.acknowledgeExposures).toHaveLength(3)
})

it('dismisses, acknowledges in place of dismissing, and reopens all', async () => {
  const ids = [await anOpenOne(), await anOpenOne(), await anOpenOne()]
  await acknowledge(ids.slice(0, 1))
  await acknowledge(ids, true)
  expect(await states()).toEqual(['dismissed', 'dismissed', 'dismissed'])
  await acknowledge(ids)
  expect(await states()).toEqual(['acknowledged', 'acknowledged', 'acknowledged'])
  const { data } = await reopen(ids)
  expect(data.reopenExposures.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['moved', 'moved', 'moved'])
  expect(await states()).toEqual(['open', 'open', 'open'])
})

it('moves only exposures that nobody has decided on again since the given time', async () => {
  const ids = [await anOpenOne(), await anOpenOne(), await anOpenOne(), await anOpenOne()] as const
  const [still, dismissed, again, reopened] = ids
  const { decided_at } = (await acknowledge([...ids])).data.acknowledgeExposures[0]
  expect(decided_at).toBe(here.world.clock.now().toISOString())
  here.world.clock.advance(1)
  await acknowledge([dismissed], true)
  await reopen([again, reopened])
  await acknowledge([again])
  const { data } = await reopen([...ids], decided_at)
  expect(data.reopenExposures).toMatchObject([
    { id: still, outcome: 'moved', before: 'acknowledged', decided_at: null },
    { id: dismissed, outcome: 'decided_since', before: 'dismissed', decided_at: null },
    { id: again, outcome: 'decided_since', before: 'acknowledged', decided_at: null },
    { id: reopened, outcome: 'unchanged', before: 'open', decided_at: null },
  ])
  expect(await states()).toEqual(['open', 'dismissed', 'acknowledged', 'open'])
})

it('moves only exposures that are still open, if asked to', async () => {
  const [still, acknowledged, dismissed] = [await anOpenOne(), await anOpenOne(), await anOpenOne()]
  await acknowledge([acknowledged])
  await acknowledge([dismissed], true)
  const { data } = await acknowledge([still, acknowledged, dismissed], true, true)
  expect(data.acknowledgeExposures).toMatchObject([
    { id: still, outcome: 'moved', before: 'open' },
    { id: acknowledged, outcome: 'decided_since', before: 'acknowledged', decided_at: null },
    { id: dismissed, outcome: 'unchanged', before: 'dismissed' },
  ])
  expect(await states()).toEqual(['dismissed', 'acknowledged', 'dismissed'])
})

it('leaves another team’s exposure unchanged, and reports it as not found', async () => {
  const other = await aTeam(here.world)
  const foreign = await anExposure(here.world, other, { property_id: (await aKeptProperty(here.world, other)).id })
  const own = await anOpenOne()
  const { data } = await acknowledge([foreign, own])
  expect(data.acknowledgeExposures.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['not_found', 'moved'])
  expect(await here.world.app.db.exposure.findUniqueOrThrow({ where: { id: foreign } })).toMatchObject({ acknowledged_at: null })
})

it('moves the cursor once for all exposures that changed, and not for the others', async () => {
  const [moving, still] = [await anOpenOne(), await anOpenOne()]
  await acknowledge([still])
  const { data } = await acknowledge([moving, still])
  const [a, b] = data.acknowledgeExposures as { exposure: { last_seen_at: string } }[]
  expect((a?.exposure.last_seen_at ?? '') > (b?.exposure.last_seen_at ?? '')).toBe(true)
  const again = await acknowledge([moving, still])
  expect(again.data.acknowledgeExposures.map((row: { exposure: { last_seen_at: string } }) => row.exposure.last_seen_at)).toEqual([
    a?.exposure.last_seen_at,
    b?.exposure.last_seen_at,
  ])
})

it.each([
  ['none', [], { ids: ['Choose 1 to 500 exposures.'] }],
  ['more than 500', Array.from({ length: 501 }, (_, n) => n + 1), { ids: ['Choose 1 to 500 exposures.'] }],
  ['one that is no id', [0], { 'ids.0': ['The id of an exposure must be 1 or more.'] }],
])('refuses %s, names the field, and changes nothing', async (_, ids, faults) => {
  await anOpenOne()
  const { errors } = await acknowledge(ids)
  expect(errors).toMatchObject([{ extensions: { status: 422, errors: faults } }])
  expect(await states()).toEqual(['open'])
})

it('handles 500 in as many statements as two', async () => {
  const ids: number[] = []
  for (let n = 0; n < 500; n++) ids.push(await anOpenOne())
  const countStatements = async (some: number[]) => (await statementsOf(() => acknowledge(some))).length
  await acknowledge(ids.slice(0, 1))
  const two = await countStatements(ids.slice(1, 3))
  expect(await countStatements(ids.slice(3))).toBe(two)
  expect(await states()).toEqual(ids.map(() => 'acknowledged'))
})

it('returns the ids of all that the filters find, newest first, and none of another team', async () => {
  const ids = [await anOpenOne(), await anOpenOne(), await anOpenOne()]
  const other = await aTeam(here.world)
  await anExposure(here.world, other, { property_id: (await aKeptProperty(here.world, other)).id })
  await acknowledge(ids.slice(1, 2))
  const all = async (filters: string) => (await here.ask(`{ exposureIds${filters} }`)).data.exposureIds
  expect(await all('')).toEqual([...ids].reverse())
  expect(await all('(open: true)')).toEqual([ids[2], ids[0]])
  expect(await all('(from: "2031-01-01")')).toEqual([])
  const { errors } = await here.ask('{ exposureIds(from: "2025-02-01", to: "2025-01-01") }')
  expect(errors?.[0]?.extensions.errors).toHaveProperty('to')
})
