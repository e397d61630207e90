import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Refusal } from '#domain/kernel/refusal.ts'
import { runInTurn, type TurnChecks } from '#graphql/large-operations.ts'
import { RESULT_MAX } from '#graphql/result-size.ts'
import { aKeptTerritory, anExposure } from '#test/support/exposures.ts'
import { aCaller, aTeam, aToken } from '#test/support/factories.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { type Graph, openGraph } from './graph.ts'

let world: World
let graph: Graph
let token: string

/** A shape of about 500,000 characters. */
const geometry = JSON.stringify({
  type: 'Polygon',
  coordinates: [Array.from({ length: 10_000 }, (_, n) => [-97.1234567890123 + n / 1e6, 35.1234567890123 + n / 1e7, 100.12345678])],
})
const EXPOSURES = 100

beforeAll(async () => {
  world = await openWorld({ config: { rate_limit_per_minute: 1000 } })
  graph = await openGraph(world.app)
  const team = await aTeam(world)
  token = (await aToken(world, team)).token
  const { id: territory_id } = await aKeptTerritory(world, team, { geometry })
  for (let n = 0; n < EXPOSURES; n++)
    await anExposure(world, team, { territory_id, date: new Date(Date.UTC(2020, 0, n + 1)).toISOString().slice(0, 10) })
})
afterAll(() => graph.close())

/** The shape of the one territory, once for each of some exposures, and maybe more often. */
const shapes = (exposures: number, fields = 'geometry') =>
  graph.ask(token, `{ exposures(per_page: ${exposures}) { data { territory { ${fields} } } } }`)

test('a result that repeats one stored shape too often is refused', async () => {
  const { status, data, errors } = await shapes(Math.ceil(RESULT_MAX / geometry.length / 2) + 1, 'geometry again: geometry')
  expect({ status, data }).toEqual({ status: 200, data: undefined })
  expect(errors).toMatchObject([
    {
      message: 'Result limit of 56 MB exceeded: select fewer rows or fields.',
      extensions: { code: 'validation_failed', status: 422, request_id: expect.any(String) },
    },
  ])
})

test('a page of a hundred of the largest shapes is returned as REST returns it, with every shape as it is stored', async () => {
  const { data } = await shapes(100)
  expect(data.exposures.data).toHaveLength(100)
  expect(data.exposures.data[99].territory.geometry).toEqual(JSON.parse(geometry))
})

const checks: TurnChecks = { hasLeft: () => false, admitted: () => {} }

test('large operations of one team run one after another; small ones, and those of another team, do not wait for them', async () => {
  const [one, other] = [{ caller: await aCaller(world, await aTeam(world)) }, { caller: await aCaller(world, await aTeam(world)) }]
  const started: string[] = []
  let end = () => {}
  const held = new Promise<void>((resolve) => {
    end = resolve
  })
  const run = (name: string, until?: Promise<void>) => async () => {
    started.push(name)
    await until
  }
  const first = runInTurn(one, 51_200, run('first', held), checks)
  const second = runInTurn(one, 51_200, run('second'), checks)
  await runInTurn(one, 512, run('small'), checks)
  await runInTurn(other, 51_200, run('another team'), checks)
  expect(started).toEqual(['first', 'small', 'another team'])
  const waiting = Array.from({ length: 59 }, (_, n) => runInTurn(one, 51_200, run(`further ${n}`), checks))
  await expect(runInTurn(one, 51_200, run('too many'), checks)).rejects.toMatchObject({ code: 'rate_limited' } satisfies Partial<Refusal>)
  end()
  await Promise.all([first, second, ...waiting])
  expect(started.slice(3, 5)).toEqual(['second', 'further 0'])
})

test('a large operation whose client has left while it waited is not run', async () => {
  const one = { caller: await aCaller(world, await aTeam(world)) }
  const started: string[] = []
  const run = (name: string) => async () => void started.push(name)
  let hasLeft = false
  const first = runInTurn(
    one,
    51_200,
    async () => {
      hasLeft = true
    },
    checks,
  )
  const second = runInTurn(one, 51_200, run('left'), { ...checks, hasLeft: () => hasLeft })
  const third = runInTurn(one, 51_200, run('stays'), checks)
  await expect(second).rejects.toMatchObject({ code: 'malformed_request' })
  await Promise.all([first, third])
  expect(started).toEqual(['stays'])
})
