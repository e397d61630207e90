import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sampleStorm, seedSample } from '#domain/archive/sample/seed.ts'
import { reportPdf } from '#domain/reports/document-store/pdf.ts'
import { requestReport } from '#domain/reports/request.ts'
import { createApiServer } from '#rest/host.ts'
import { aCaller, allAbilities, aTeam } from '#test/support/factories.ts'
import { OPERATOR_KEY, openWorld, type World } from '#test/support/world.ts'
import { sweep } from '#workers/sweeper.ts'
import { openTerminal, type Terminal } from './terminal.ts'

describe('operating a service from the command line', () => {
  let world: World
  let api: FastifyInstance
  let url: string
  let folder: string
  let weather: Terminal
  /** Runs a command with --json and returns its output. */
  // biome-ignore lint/suspicious/noExplicitAny: what each command prints is what its test looks at
  let json: (...words: string[]) => Promise<any>

  beforeAll(async () => {
    world = await openWorld()
    api = await createApiServer(world.app)
    url = await api.listen({ host: '127.0.0.1', port: 0 })
    folder = mkdtempSync(path.join(os.tmpdir(), 'weather-cli-'))
    weather = await openTerminal({ WEATHER_URL: url, WEATHER_OPERATOR_KEY: OPERATOR_KEY })
    json = async (...words) => {
      const { status, stdout, stderr } = await weather(...words, '--json')
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
      return JSON.parse(stdout)
    }
  })
  afterAll(async () => {
    await api?.close()
    await world?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('a team can be created, moved to another plan, given its own limits, and listed', async () => {
    const team = await json(
      'admin',
      'team',
      'create',
      '--name',
      'Roof works',
      '--plan',
      'professional',
      '--timezone',
      'America/Denver',
      '--email',
      'ops@example.com',
    )
    expect(team).toMatchObject({
      name: 'Roof works',
      plan: 'professional',
      timezone: 'America/Denver',
      email: 'ops@example.com',
      balance: 100,
    })
    expect(await json('admin', 'team', 'plan', '--team', team.id, '--plan', 'business')).toMatchObject({
      id: team.id,
      plan: 'business',
      balance: 500,
    })
    expect((await json('admin', 'team', 'limit', '--team', team.id, '--properties', '20', '--territories', '2')).limit_overrides).toEqual({
      properties: 20,
      territories: 2,
    })
    expect(
      await json('admin', 'team', 'letterhead', '--team', team.id, '--paper', 'a4', '--brand-name', 'Roof works', '--brand-logo', 'none'),
    ).toMatchObject({ paper: 'a4', brand_name: 'Roof works', has_brand_logo: false })
    expect(await json('admin', 'team', 'letterhead', '--team', team.id, '--brand-name', 'none')).toMatchObject({
      paper: 'a4',
      brand_name: null,
    })
    expect(await json('admin', 'team', 'lapse', '--team', team.id)).toMatchObject({ lapsed: true })
    expect(await json('admin', 'team', 'lapse', '--team', team.id, '--undo')).toMatchObject({ lapsed: false })
    expect(await json('admin', 'team', 'create', '--name', 'Trying', '--trial')).toMatchObject({ on_trial: true, balance: 10 })
    expect((await json('admin', 'team', 'limit', '--team', team.id, '--properties', 'plan')).limit_overrides).toEqual({ territories: 2 })
    expect((await json('admin', 'team', 'list')).map(({ id }: { id: string }) => id)).toContain(team.id)
  })

  test('a token can be issued, works with the API, is listed without its secret, and can be revoked', async () => {
    const team = await aTeam(world)
    const issued = await json(
      'admin',
      'token',
      'issue',
      '--team',
      team.id,
      '--name',
      'All',
      '--all-abilities',
      '--expires-at',
      '2999-01-01T00:00:00Z',
    )
    expect(issued).toMatchObject({
      name: 'All',
      prefix: issued.token.slice(0, 9),
      abilities: allAbilities,
      expires_at: '2999-01-01T00:00:00.000Z',
    })
    const account = () => fetch(`${url}/api/v1/account`, { headers: { authorization: `Bearer ${issued.token}` } })
    expect((await account()).status).toBe(200)
    const two = await json(
      'admin',
      'token',
      'issue',
      '--team',
      team.id,
      '--name',
      'Two',
      '--ability',
      'reports:read',
      '--ability',
      'maps:read',
    )
    expect(two.abilities).toEqual(['reports:read', 'maps:read'])
    const listed = await weather('admin', 'token', 'list', '--team', team.id)
    expect(listed.stdout).toContain(issued.prefix)
    expect(listed.stdout).not.toContain(issued.token)
    expect((await json('admin', 'token', 'revoke', '--prefix', issued.prefix)).revoked_at).not.toBeNull()
    expect((await account()).status).toBe(401)
  })

  test('credits can be added and corrected', async () => {
    const team = await aTeam(world, { credits: 5 })
    expect(await json('admin', 'credits', 'top-up', '--team', team.id, '--amount', '50')).toEqual({ team: team.id, balance: 55 })
    expect(await json('admin', 'credits', 'adjust', '--team', team.id, '--amount', '-3', '--note', 'Charged twice')).toEqual({
      team: team.id,
      balance: 52,
    })
  })

  test('credits and a team are created once for a key', async () => {
    const team = await aTeam(world, { credits: 5 })
    const top_up = ['admin', 'credits', 'top-up', '--team', team.id, '--amount', '50', '--idempotency-key', 'order-7']
    for (let times = 0; times < 2; times += 1) expect(await json(...top_up)).toEqual({ team: team.id, balance: 55 })
    const correct = ['admin', 'credits', 'adjust', '--team', team.id, '--note', 'Charged twice', '--idempotency-key', 'order-8']
    for (let times = 0; times < 2; times += 1) expect((await json(...correct, '--amount', '-3')).balance).toBe(52)
    expect((await weather(...correct, '--amount', '-4')).status).toBe(6)
    const make = ['admin', 'team', 'create', '--name', 'Once', '--plan', 'free', '--idempotency-key', 'order-9']
    expect(await json(...make)).toEqual(await json(...make))
  })

  test('the doctor finds nothing, and exits with 1 if an invariant is broken', async () => {
    expect(await json('doctor')).toEqual([])
    const team = await aTeam(world, { credits: 5 })
    await world.app.pool.query('UPDATE teams SET balance = 6 WHERE id = $1', [team.id])
    const { status, stdout } = await weather('doctor', '--json')
    expect(status).toBe(1)
    expect(JSON.parse(stdout)).toEqual([
      { invariant: 'balance_is_sum_of_ledger', team_id: team.id, subject: team.id, detail: 'balance 6, ledger 5' },
    ])
    await world.app.pool.query('UPDATE teams SET balance = 5 WHERE id = $1', [team.id])
  })

  test('the audit log is listed, and the doctor finds a changed row in it', async () => {
    const team = await aTeam(world)
    const { token, prefix } = await json('admin', 'token', 'issue', '--team', team.id, '--name', 'All', '--all-abilities')
    const own = await openTerminal({ WEATHER_URL: url, WEATHER_TOKEN: token })
    await own('contacts', 'erase', '--email', 'nobody@example.com', '--yes')
    const listed = await own('audit', '--json')
    expect({ status: listed.status, stderr: listed.stderr }).toEqual({ status: 0, stderr: '' })
    const of = (answer: { data: Record<string, unknown>[] }) => answer.data.map(({ actor, operation }) => `${actor} ${operation}`)
    expect(of(JSON.parse(listed.stdout))).toEqual([`${prefix} erasePersonalData`, 'environment adminIssueToken'])
    const table = await own('audit', '--operation', 'erasePersonalData', '--since', '2020-01-01T00:00:00Z', '--all')
    expect(table.stdout).toContain(prefix)
    expect(table.stdout).not.toContain('adminIssueToken')
    expect(of(await json('admin', 'audit', '--team', team.id, '--target', prefix))).toEqual(['environment adminIssueToken'])
    expect((await own('audit', '--target-kind', 'nothing')).status).toBe(7)

    const tamper = async (actor: string) => {
      const client = await world.owner.connect()
      await client.query('SET session_replication_role = replica')
      await client.query('UPDATE audit_log SET actor = $2 WHERE team_id = $1 AND sequence = 2', [team.id, actor])
      await client.query('RESET session_replication_role')
      client.release()
    }
    expect(await json('doctor')).toEqual([])
    await tamper('wt_others')
    const { status, stdout, stderr } = await weather('doctor', '--json')
    expect(JSON.parse(stdout)).toEqual([
      { invariant: 'audit_chain_is_whole', team_id: team.id, subject: 2, detail: 'The row was changed.' },
    ])
    expect(status).toBe(1)
    expect(stderr).toContain('tampered')
    await tamper(prefix)
    expect(await json('doctor')).toEqual([])
  })

  test('the doctor counts missing documents, and has them printed again', async () => {
    await seedSample(world.app)
    const caller = await aCaller(world, await aTeam(world))
    const { address, window_start, window_end } = sampleStorm
    const ids: string[] = []
    for (let nth = 0; nth < 4; nth++) {
      const { report } = await requestReport(world.app, caller, { address, window_start, window_end }, null)
      ids.push(report.id)
    }
    await world.drain()
    const balance = async () => (await world.app.db.team.findUniqueOrThrow({ where: { id: caller.team.id } })).balance
    const charged = await balance()
    const [missing, changed] = ids as [string, string]
    const keyOf = async (report_id: string) => (await world.app.db.document.findUniqueOrThrow({ where: { report_id } })).key
    await world.app.blobs.remove(await keyOf(missing))
    await world.app.blobs.put(await keyOf(changed), Buffer.from('another file'))
    const detail = 'The PDF of this report is gone from the store.'
    const rows = [missing, changed].map((subject) => ({ invariant: 'document_is_stored', team_id: caller.team.id, subject, detail }))
    const found = await weather('doctor', '--json')
    expect([found.status, JSON.parse(found.stdout)]).toEqual([1, rows])
    expect(found.stderr).toContain('2 documents: missing or changed.')
    const repaired = await weather('doctor', '--repair', '--json')
    expect([repaired.status, JSON.parse(repaired.stdout)]).toEqual([0, rows])
    expect(repaired.stderr).toContain('2 are being repaired')
    // They are printed with the next sweep, so that new documents do not wait behind a whole store.
    expect(await world.app.db.outboxJob.count()).toBe(0)
    await sweep(world.app)
    await world.drain()
    expect(await json('doctor')).toEqual([])
    for (const id of ids) expect(await reportPdf(world.app, caller, id)).toHaveProperty('bytes')
    expect(await balance()).toBe(charged)
  })

  test('errors are reported on standard error, with an exit status for each kind', async () => {
    const unknown = '00000000-0000-7000-8000-000000000000'
    const cases: [words: string[], status: number, said: RegExp][] = [
      [['admin', 'team', 'create', '--name', 'X'], 7, /^weather: plan: The plan must be one of [^\n]*\n$/],
      [['admin', 'credits', 'top-up', '--team', unknown, '--amount', 'ten'], 2, /must be a whole number/],
      [['archive', 'import', 'storm-events', 'not-there.csv'], 2, /No such file: not-there\.csv/],
      [['nothing'], 2, /unknown command/],
      [['admin', 'team', 'plan', '--team', unknown, '--plan', 'business'], 3, /no team/],
      [['admin', 'token', 'revoke', '--prefix', 'wt_000000'], 3, /no token/],
      [['admin', 'team', 'create', '--name', 'X', '--plan', 'gold'], 7, /plan: The plan must be one of/],
      [['admin', 'token', 'issue', '--team', unknown, '--name', 'X', '--ability', 'reports:eat'], 7, /abilities: There is no ability/],
    ]
    for (const [words, status, message] of cases) {
      const run = await weather(...words)
      expect({ words, status: run.status, stdout: run.stdout }).toEqual({ words, status, stdout: '' })
      expect(run.stderr).toMatch(message)
    }
  })

  test('a wrong key exits with 4, an unreachable service with 1', async () => {
    const file = path.join(folder, 'small.csv')
    writeFileSync(file, 'EVENT_ID\n')
    const unknownOperator = await openTerminal({ WEATHER_URL: url, WEATHER_OPERATOR_KEY: 'wo_nobody-nobody-nobody-00' })
    expect((await unknownOperator('doctor')).status).toBe(4)
    expect((await unknownOperator('archive', 'import', 'storm-events', file)).status).toBe(4)
    const alone = await openTerminal({ WEATHER_URL: 'http://127.0.0.1:1', WEATHER_OPERATOR_KEY: OPERATOR_KEY })
    expect(await alone('doctor')).toMatchObject({ status: 1, stderr: expect.stringContaining('cannot be reached') })
  })

  test('help appears within a quarter of a second', async () => {
    const timed = async (work: () => Promise<unknown>) => {
      const startedAt = performance.now()
      await work()
      return performance.now() - startedAt
    }
    const [help, bare]: [number[], number[]] = [[], []]
    for (let run = 0; run < 5; run++) {
      help.push(await timed(async () => expect((await weather('--help')).stdout).toContain('archive')))
      bare.push(await timed(() => promisify(execFile)(process.execPath, ['-e', ''])))
    }
    // The best of five, relative to the machine's speed just now: on an idle machine, Node alone starts in 40 ms.
    expect(Math.min(...help)).toBeLessThan(250 * Math.max(1, Math.min(...bare) / 40))
  })
})
