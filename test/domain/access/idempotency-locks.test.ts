import { expect, it } from 'vitest'
import { checkKey, findOutcome, type IdempotentRequest, KEY_HOURS, KEY_LENGTH_MAX, once } from '#domain/access/idempotency.ts'
import { Refusal } from '#domain/kernel/refusal.ts'

/** The keys of one team in memory, in place of the database's answers: tests what `once` makes of them. */
const request: IdempotentRequest = { key: 'k', method: 'POST', path: '/reports', body: { b: 1, a: [1, 2] } }

interface Row {
  team_id: string
  key: string
  method: string
  path: string
  body_hash: string
  outcome: unknown
}

function install({ taken = true, faults = [] as unknown[] } = {}) {
  const rows: Row[] = []
  const transactions: unknown[] = []
  const statements: string[] = []
  const lockKeys: unknown[] = []
  const findRows = ([team_id, key]: unknown[]) => rows.filter((row) => row.team_id === team_id && row.key === key)
  const tx = {
    async $queryRaw(statement: TemplateStringsArray | { strings: string[]; values: unknown[] }, ...values: unknown[]) {
      const [text, parameters] = 'raw' in statement ? [statement.join('?'), values] : [statement.strings.join('?'), statement.values]
      statements.push(text)
      if (!text.includes('pg_try_advisory_xact_lock')) return findRows(parameters)
      lockKeys.push(parameters[0])
      return [{ taken }]
    },
    idempotencyKey: {
      deleteMany: async ({ where }: { where: { team_id?: string; key?: string } }) =>
        void rows.splice(
          0,
          rows.length,
          ...rows.filter((row) => Object.entries(where).some(([name, value]) => row[name as keyof Row] !== value)),
        ),
      create: async ({ data }: { data: Row }) => void rows.push(data),
    },
  }
  const db = {
    async $transaction(work: (inside: typeof tx) => Promise<unknown>, options: unknown) {
      transactions.push(options)
      const fault = faults.shift()
      if (fault) throw fault
      return work(tx)
    },
  }
  const queries: { name: string; text: string; values: unknown[] }[] = []
  const pool = {
    async query(query: (typeof queries)[number]) {
      queries.push(query)
      return { rows: findRows(query.values) }
    },
  }
  return {
    caller: { team: { id: 'team' }, db } as never,
    rows,
    transactions,
    statements,
    turns: lockKeys,
    pool: { pool } as never,
    queries,
  }
}

let made = 0
const work = async () => ({ id: ++made })

it('stores the outcome with its request and returns it again without repeating the work', async () => {
  const { caller, rows, pool } = install()
  const { outcome, replayed } = await once(caller, request, work)
  expect([outcome, replayed]).toEqual([{ id: made }, false])
  expect(rows).toEqual([
    { team_id: 'team', key: 'k', method: 'POST', path: '/reports', body_hash: expect.stringMatching(/^[0-9a-f]{64}$/), outcome },
  ])
  const before = made
  expect(await once(caller, { ...request, body: { a: [1, 2], b: 1 } }, work)).toEqual({ outcome, replayed: true })
  expect(await findOutcome(pool, caller, request)).toEqual({ outcome })
  expect(made).toBe(before)
})

it('stores nothing for a request without a key and takes no lock for it', async () => {
  const { caller, rows, statements } = install()
  expect(await once(caller, null, work)).toEqual({ outcome: { id: made }, replayed: false })
  expect([rows, statements]).toEqual([[], []])
})

it('refuses any different request with the same key, and treats a missing body as null', async () => {
  const { caller, pool } = install()
  await once(caller, { ...request, body: undefined }, work)
  expect((await once(caller, { ...request, body: null }, work)).replayed).toBe(true)
  for (const other of [{ method: 'PUT' }, { path: '/properties' }, { body: {} }, { body: [] }])
    for (const again of [
      once(caller, { ...request, body: null, ...other }, work),
      findOutcome(pool, caller, { ...request, body: null, ...other }),
    ])
      await expect(again).rejects.toMatchObject({
        code: 'idempotency_key_reused',
        message: 'This Idempotency-Key was used for a different request: send this one with a new key.',
      })
})

it('replaces an expired key, which the database does not return', async () => {
  const { caller, rows } = install()
  const old = { method: 'x', path: 'x', body_hash: 'x', outcome: 'x' }
  rows.push({ ...old, team_id: 'team', key: 'other' }, { ...old, team_id: 'another', key: 'k' })
  await once(caller, request, work)
  expect(rows.map(({ team_id, key }) => `${team_id} ${key}`)).toEqual(['team other', 'another k', 'team k'])
})

it('takes a separate lock for each key of each team', async () => {
  const { caller, turns: lockKeys } = install()
  await once(caller, request, work)
  await once(caller, { ...request, key: 'other' }, work)
  expect(lockKeys).toEqual(['team k', 'team other'])
})

it('refuses a request while the first is running and asks it to retry after one second', async () => {
  const { caller, rows } = install({ taken: false })
  await expect(once(caller, request, work)).rejects.toMatchObject({
    code: 'idempotency_in_flight',
    message: 'A request with this Idempotency-Key is being processed. Try again in 1 s.',
    details: { retry_after: 1 },
  })
  expect(rows).toEqual([])
})

const ofStatement = (originalCode: string) => ({ code: 'P2010', meta: { driverAdapterError: { cause: { originalCode } } } })
it.each([
  ['a write conflict, as Prisma reports it', { code: 'P2034' }],
  ['a write conflict of the driver', { meta: { driverAdapterError: { cause: { kind: 'TransactionWriteConflict' } } } }],
  ['a deadlock', ofStatement('40P01')],
  ['a lock that was not to be had in time', ofStatement('55P03')],
])('retries after %s, three attempts in all', async (_, fault) => {
  const twice = install({ faults: [fault, fault] })
  expect((await once(twice.caller, request, work)).replayed).toBe(false)
  expect(twice.transactions).toHaveLength(3)
  const thrice = install({ faults: [fault, fault, fault] })
  await expect(once(thrice.caller, request, work)).rejects.toBe(fault)
  expect(thrice.transactions).toHaveLength(3)
})

it.each([
  ['a unique key', { code: 'P2002' }],
  ['what is no object', 'gone'],
  ['a statement that ran too long', ofStatement('57014')],
  ['a fault of the driver without a code', { meta: { driverAdapterError: { cause: {} } } }],
  ['a fault of the driver without a cause', { meta: { driverAdapterError: {} } }],
  ['any other fault of Prisma', { code: 'P2010', meta: {} }],
  ['a refusal', new Refusal('not_found', 'There is none.')],
])('does not retry after %s', async (_, fault) => {
  const { caller, transactions } = install({ faults: [fault] })
  await expect(once(caller, request, work)).rejects.toBe(fault)
  expect(transactions).toEqual([{ timeout: 30_000 }])
})

it('runs the work of at most three requests of a team at once', async () => {
  const { caller } = install()
  let [running, most] = [0, 0]
  const slow = async () => {
    most = Math.max(most, ++running)
    await new Promise((later) => setTimeout(later, 5))
    running--
  }
  await Promise.all(Array.from({ length: 8 }, () => once(caller, null, slow)))
  expect(most).toBe(3)
})

it('does no work for a caller who is not admitted any more when its turn comes', async () => {
  const { caller, transactions } = install()
  const revoked = new Refusal('unauthenticated', 'This token is unknown, expired or revoked.')
  const waited = Object.assign(caller, { requireAdmitted: () => Promise.reject(revoked) })
  await expect(once(waited, request, work)).rejects.toBe(revoked)
  expect(transactions).toEqual([])
})

it('looks for keys of the team that have not expired', async () => {
  const { caller, pool, queries } = install()
  expect(await findOutcome(pool, caller, request)).toBeNull()
  expect(queries).toMatchObject([{ name: 'idempotency.peek', values: ['team', 'k', KEY_HOURS] }])
  expect(KEY_HOURS).toBe(24)
})

it('accepts a key of 1 to 255 visible ASCII characters', () => {
  for (const key of ['k', '!~', 'k'.repeat(255)]) expect(checkKey(key)).toBe(key)
  expect(KEY_LENGTH_MAX).toBe(255)
  for (const key of ['', ' ', 'a b', 'k'.repeat(256), 'é', 'k\n', 'k\u007f'])
    expect(() => checkKey(key)).toThrow(
      expect.objectContaining({
        code: 'validation_failed',
        details: { errors: { idempotency_key: ['The Idempotency-Key must have 1 to 255 visible ASCII characters.'] } },
      }),
    )
})
