import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { operatorOf, requireOperator } from '#domain/access/operator.ts'
import { issueOperatorKey, listOperatorKeys, revokeOperatorKey } from '#domain/access/operator-keys.ts'
import { withinTeam } from '#domain/access/scope.ts'
import { generateToken, hashToken } from '#domain/access/tokens.ts'
import { operatorRoles } from '#domain/closed-sets.ts'
import { aCaller, aTeam } from '#test/support/factories.ts'
import { statementsOf } from '#test/support/statements.ts'
import { OPERATOR_KEY, openWorld, type World } from '#test/support/world.ts'

let world: World
beforeEach(async () => {
  world = await openWorld()
})

const issue = (name: string, roles: string[] = ['read'], expires_at: string | null = null) =>
  issueOperatorKey(world.app, { name, roles, expires_at })
const authenticate = (key: string) => operatorOf(world.app, `Bearer ${key}`)
const row = (name: string) => world.app.db.operatorKey.findUniqueOrThrow({ where: { name } })

describe('an operator key', () => {
  test('is read in one statement with those that arrive together', async () => {
    const { key } = await issue('together')
    const keys = [key, ...Array.from({ length: 50 }, () => generateToken('wo'))]
    let found: unknown[] = []
    const statements = await statementsOf(async () => {
      found = await Promise.all(keys.map(authenticate))
    })
    expect(found).toEqual([{ operator: { name: 'together', roles: ['read'], person_id: null } }, ...Array(50).fill(null)])
    expect(statements).toHaveLength(1)
  })

  test('can be the configured key, which has every role', async () => {
    const by_setting = { operator: { name: 'environment', roles: ['all'], person_id: null } }
    expect(await operatorOf(world.app, `Bearer ${OPERATOR_KEY}`)).toEqual(by_setting)
    expect(await operatorOf(world.app, `bearer  ${OPERATOR_KEY}`)).toEqual(by_setting)
  })

  test.each([
    undefined,
    '',
    'Bearer',
    'Bearer ',
    OPERATOR_KEY,
    `Basic ${OPERATOR_KEY}`,
    `Bearer ${OPERATOR_KEY}x`,
    `Bearer ${OPERATOR_KEY} ${OPERATOR_KEY}`,
    'Bearer wo_',
    `Bearer ${generateToken('wo')}`,
  ])('is not accepted from the header %j', async (authorization) => {
    expect(await operatorOf(world.app, authorization)).toBeNull()
  })

  test('is issued with its name and roles, and only its SHA-256 is stored', async () => {
    const { key, prefix } = await issue('prometheus', ['read', 'read'])
    expect(key).toMatch(/^wo_[0-9A-Za-z]{36}$/)
    expect(await authenticate(key)).toEqual({ operator: { name: 'prometheus', roles: ['read'], person_id: null } })
    expect(await row('prometheus')).toMatchObject({ hash: hashToken(key), prefix: key.slice(0, 9), roles: ['read'], revoked_at: null })
    expect(JSON.stringify(await row('prometheus'))).not.toContain(key)
    expect((await listOperatorKeys(world.app)).map((one) => [one.name, one.prefix])).toEqual([
      ['environment', null],
      ['prometheus', prefix],
    ])
  })

  test('stops working when it is revoked or expires', async () => {
    const { key } = await issue('short', ['all'], new Date(world.clock.now().getTime() + 60_000).toISOString())
    const { key: other } = await issue('other', ['all'])
    world.clock.advance(59_000)
    expect(await authenticate(key)).not.toBeNull()
    world.clock.advance(1000)
    expect(await authenticate(key)).toBeNull()
    expect(await authenticate(other)).not.toBeNull()
    const first = await revokeOperatorKey(world.app, 'other')
    expect(await authenticate(other)).toBeNull()
    await pause(5)
    expect((await revokeOperatorKey(world.app, 'other')).revoked_at).toEqual(first.revoked_at)
    await expect(revokeOperatorKey(world.app, 'nobody')).rejects.toMatchObject({ code: 'not_found' })
    await expect(revokeOperatorKey(world.app, 'environment')).rejects.toMatchObject({ code: 'validation_failed' })
  })

  test('records its last use at most once a minute, even with concurrent requests', async () => {
    const { key } = await issue('busy')
    const used = async () => (await row('busy')).last_used_at?.getTime()
    expect((await Promise.all(Array.from({ length: 20 }, () => authenticate(key)))).every((one) => one?.operator.name === 'busy')).toBe(
      true,
    )
    const first = await used()
    expect(first).toBe(world.clock.now().getTime())
    world.clock.advance(59_000)
    await authenticate(key)
    expect(await used()).toBe(first)
    world.clock.advance(1000)
    await authenticate(key)
    expect(await used()).toBe(world.clock.now().getTime())
  })

  test('does not wait for a transaction that locks its row', async () => {
    const { key } = await issue('held')
    const other = await world.owner.connect()
    await other.query("BEGIN; SELECT FROM operator_keys WHERE name = 'held' FOR UPDATE")
    expect(await authenticate(key)).toMatchObject({ operator: { name: 'held' } })
    await other.query('ROLLBACK')
    other.release()
  })

  test('is issued only with a valid name, roles and expiry', async () => {
    await issue('taken')
    await revokeOperatorKey(world.app, 'taken')
    for (const [name, roles, expires_at, field] of [
      ['', ['read'], null, 'name'],
      ['environment', ['read'], null, 'name'],
      ['taken', ['read'], null, 'name'],
      ['line\nbreak', ['read'], null, 'name'],
      ['x'.repeat(65), ['read'], null, 'name'],
      ['new', [], null, 'roles'],
      ['new', ['root'], null, 'roles'],
      ['new', ['read'], 'tomorrow', 'expires_at'],
      ['new', ['read'], '2001-01-01T00:00:00Z', 'expires_at'],
      // Read in two ways, in the zone of the process, or as another day.
      ['new', ['read'], '01/02/2999', 'expires_at'],
      ['new', ['read'], '2999-01-01T00:00', 'expires_at'],
      ['new', ['read'], '2999-02-30', 'expires_at'],
    ] as const) {
      const refused = issueOperatorKey(world.app, { name, roles, expires_at })
      await expect(refused, field).rejects.toMatchObject({
        code: 'validation_failed',
        details: { errors: { [field]: [expect.any(String)] } },
      })
    }
    expect(await world.app.db.operatorKey.count()).toBe(1)
  })

  test('opens what its roles allow; a refusal names the missing role', async () => {
    for (const roles of [['read'], ['archive'], ['billing'], ['read', 'billing'], ['all']]) {
      const { key } = await issue(`of ${roles.join(' ')}`, roles)
      for (const role of operatorRoles) {
        const check = requireOperator(world.app, { authorization: `Bearer ${key}`, address: '192.0.2.1' }, role)
        if (roles.includes(role) || roles.includes('all')) await expect(check).resolves.toMatchObject({ operator: { roles } })
        else
          await expect(check).rejects.toMatchObject({
            code: 'missing_role',
            status: 403,
            message: `This operator key lacks the role ${role}.`,
          })
      }
    }
  })
})

describe('an install without a configured key', () => {
  const ask = (app: World['app'], key: string) => requireOperator(app, { authorization: `Bearer ${key}`, address: '192.0.2.1' }, 'read')

  test('has an operator API only while an issued key is valid', async () => {
    const app = { ...world.app, config: { ...world.app.config, operator_key: null } }
    for (const key of [OPERATOR_KEY, 'null', generateToken('wo')]) await expect(ask(app, key)).rejects.toMatchObject({ code: 'not_found' })
    const { key } = await issue('only', ['all'])
    expect(await listOperatorKeys(app)).toHaveLength(1)
    await expect(ask(app, key)).resolves.toBeDefined()
    await expect(ask(app, OPERATOR_KEY)).rejects.toMatchObject({ code: 'unauthenticated' })
    await revokeOperatorKey(app, 'only')
    await expect(ask(app, key)).rejects.toMatchObject({ code: 'not_found' })
  })
})

test('limits guesses by address', async () => {
  const guess = () => requireOperator(world.app, { authorization: `Bearer ${generateToken('wo')}`, address: '192.0.2.7' }, 'read')
  const codes = new Set<string>()
  for (let n = 0; n < 310; n++)
    codes.add(
      await guess().then(
        () => 'passed',
        ({ code }) => code,
      ),
    )
  expect(codes).toEqual(new Set(['unauthenticated', 'rate_limited']))
})

describe('the key tables', () => {
  let raw: pg.Client
  beforeAll(async () => {
    const { app } = await openWorld()
    raw = new pg.Client({ connectionString: app.config.database_url })
    await raw.connect()
  })
  afterAll(() => raw.end())

  test('are visible to the service’s own work only', async () => {
    await issue('walled')
    await world.app.db.signingKey.create({ data: { id: 'k', purpose: 'fingerprint', public_key: Buffer.from('k') } })
    const client = new pg.Client({ connectionString: world.app.config.database_url })
    await client.connect()
    const { app } = { app: withinTeam(world.app, await aCaller(world, await aTeam(world))) }
    for (const table of ['operator_keys', 'signing_keys']) {
      const text = `SELECT count(*)::int AS n FROM ${table}`
      expect([table, (await client.query(text)).rows]).toEqual([table, [{ n: 0 }]])
      expect([table, (await app.pool.query(text)).rows]).toEqual([table, [{ n: 0 }]])
      expect([table, (await world.app.pool.query(text)).rows]).toEqual([table, [{ n: 1 }]])
    }
    await expect(app.pool.query('UPDATE operator_keys SET revoked_at = NULL')).resolves.toMatchObject({ rowCount: 0 })
    await client.end()
  })

  test.each([
    'DELETE FROM operator_keys',
    'TRUNCATE operator_keys',
    "UPDATE operator_keys SET roles = '{all}'",
    "UPDATE operator_keys SET hash = 'other'",
    "UPDATE operator_keys SET name = 'other'",
    'UPDATE operator_keys SET expires_at = NULL',
    'ALTER TABLE operator_keys DISABLE ROW LEVEL SECURITY',
    'DELETE FROM signing_keys',
    "UPDATE signing_keys SET public_key = ''",
    'TRUNCATE signing_keys',
  ])('refuse the service role: %s', async (sql) => {
    await expect(world.app.pool.query(sql)).rejects.toMatchObject({ code: '42501' })
  })
})
