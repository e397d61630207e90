import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, inject, it } from 'vitest'
import { openRest } from '#test/support/api.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
import { openProcesses } from '#test/support/processes.ts'
import { OPERATOR_KEY } from '#test/support/shape.ts'
import { openWorld } from '#test/support/world.ts'
import { prepare } from '../../scripts/prepare.mjs'

const LIMIT = 20

it('two API processes count a token’s requests together', async () => {
  const world = await openWorld()
  const { token } = await aToken(world, await aTeam(world))
  const { database_url, redis_url } = inject('service')
  const processes = await openProcesses(database_url, { REDIS_URL: redis_url, RATE_LIMIT_PER_MINUTE: String(LIMIT) })
  try {
    processes.start('api')
    processes.start('api', { nth: 1 })
    await processes.ready()
    const ask = async (_: unknown, turn: number) => {
      const answer = await fetch(`${processes.base_urls[turn % 2]}/api/v1/account`, { headers: { authorization: `Bearer ${token}` } })
      return answer.status
    }
    const statuses = await Promise.all(Array.from({ length: 3 * LIMIT }, ask))
    expect(statuses.filter((status) => status === 200)).toHaveLength(LIMIT)
    expect(statuses.filter((status) => status === 429)).toHaveLength(2 * LIMIT)
  } finally {
    await processes.close()
    await world.close()
  }
})

it('fifty concurrent requests under one key, to two API processes, make one report and one charge', async () => {
  const world = await openWorld()
  const rest = await openRest(world)
  const team = await aTeam(world, { credits: 10 })
  const { token } = await aToken(world, team)
  const body = { address: '1 Main St, Moore, OK 73160', window_start: '2024-01-01', window_end: '2024-01-31' }
  const ask = () => rest.call('POST', '/reports', { token, body, headers: { 'idempotency-key': 'fifty' } })
  const answers = await Promise.all(Array.from({ length: 50 }, ask))
  expect(answers.filter(({ status }) => ![200, 202, 409].includes(status))).toEqual([])
  expect(await world.app.db.report.count({ where: { team_id: team.id } })).toBe(1)
  expect((await world.app.db.team.findUniqueOrThrow({ where: { id: team.id } })).balance).toBe(9)
  await world.close()
})

it('the doctor finds nothing', async () => {
  await prepare({ bundled: ['terminal'] })
  const { base_urls } = inject('service')
  const doctor = spawn(process.execPath, ['dist/cli.js', 'doctor', '--json'], {
    env: { PATH: process.env.PATH, WEATHER_URL: base_urls[1], WEATHER_OPERATOR_KEY: OPERATOR_KEY },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  doctor.stdout.on('data', (text) => {
    output += text
  })
  let complained = ''
  doctor.stderr.on('data', (text) => {
    complained += text
  })
  const [code] = await once(doctor, 'close')
  expect(code, complained).toBe(0)
  expect(JSON.parse(output)).toEqual([])
})
