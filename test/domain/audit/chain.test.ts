import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { withinTeam } from '#domain/access/scope.ts'
import { appendEntry, auditWrite, INSTALL, networkOf, type Operation, withAuditLog } from '#domain/audit/audit-log.ts'
import { deleteOldEntries } from '#domain/audit/delete-old.ts'
import { type AuditRow, hashOf, verifyAuditLog } from '#domain/audit/verify.ts'
import type { Team } from '#generated/prisma/client.ts'
import { asOwner } from '#test/support/as-owner.ts'
import { aCaller, aTeam } from '#test/support/factories.ts'
import { openWorld, type World } from '#test/support/world.ts'

let world: World
let team: Team
beforeAll(async () => {
  world = await openWorld()
})
beforeEach(async () => {
  await asOwner(world, 'TRUNCATE teams, audit_log, audit_chains CASCADE')
  team = await aTeam(world)
})

const doing = (team_id: string | null = null): Operation => ({
  actor_kind: 'operator',
  actor: 'operator',
  operation: 'adminSetPlan',
  team_id,
  request_id: randomUUID(),
  address: '203.0.113.9',
})

/** Adds a row as a write operation does. */
async function add(of: string | null = team.id, plan = 'business'): Promise<void> {
  const db = withAuditLog(world.app.db, doing(of))
  await db.$transaction(async (tx) =>
    auditWrite(tx, { kind: 'team', id: of, before: { plan: 'free' }, after: { plan }, changed: ['plan', 'email'] }),
  )
}

const faults = () => verifyAuditLog(world.app)

describe('a chain', () => {
  it('is intact from first row to last, for each team and for the install', async () => {
    for (const of of [team.id, null, team.id, null, team.id]) await add(of)
    const { rows } = await world.owner.query<AuditRow>(
      'SELECT *, before::text, after::text, changed::text FROM audit_log ORDER BY team_id, sequence',
    )
    expect(rows.map(({ team_id, sequence }) => [team_id, sequence])).toEqual([
      [INSTALL, 1],
      [INSTALL, 2],
      [team.id, 1],
      [team.id, 2],
      [team.id, 3],
    ])
    expect(rows.at(-1)).toMatchObject({
      at: expect.any(Date),
      network: '203.0.113.0/24',
      before: '{"plan":"free"}',
      after: '{"plan":"business"}',
      changed: '["email","plan"]',
    })
    expect(rows.map(hashOf)).toEqual(rows.map(({ hash }) => hash))
    expect(await faults()).toEqual([])
  })

  it('verification finds the row that changed, whichever of its columns changed by one byte', async () => {
    for (let nth = 1; nth <= 3; nth++) await add()
    const { rows } = await world.owner.query<{ name: string; type: string }>(
      `SELECT column_name AS name, data_type AS type FROM information_schema.columns WHERE table_name = 'audit_log' ORDER BY ordinal_position`,
    )
    expect(rows).toHaveLength(15)
    for (const { name, type } of rows) {
      await asOwner(world, 'CREATE TABLE as_it_was AS SELECT * FROM audit_log')
      await asOwner(world, `UPDATE audit_log SET ${name} = ${changedByAByte(name, type)} WHERE team_id = $1 AND sequence = 2`, [team.id])
      const found = await faults()
      expect([name, found.map(({ team_id }) => team_id)]).toEqual([name, expect.arrayContaining([team.id])])
      // Row 2, or the fault its change causes: at the next row or at its empty place.
      expect([name, found.find(({ team_id }) => team_id === team.id)?.sequence]).toEqual([name, 2])
      await asOwner(world, 'TRUNCATE audit_log')
      await asOwner(world, 'INSERT INTO audit_log SELECT * FROM as_it_was')
      await asOwner(world, 'DROP TABLE as_it_was')
      expect(await faults()).toEqual([])
    }
  })

  /** Changes one byte, or the smallest step of the column's type. JSON gets extra white space, which does not change its meaning. */
  function changedByAByte(name: string, type: string): string {
    if (type === 'uuid')
      return `overlay(${name}::text placing CASE left(${name}::text, 1) WHEN 'a' THEN 'b' ELSE 'a' END from 1 for 1)::uuid`
    if (type === 'integer') return `${name} + 100`
    if (type.startsWith('timestamp')) return `${name} + interval '1 millisecond'`
    if (type === 'json') return `(' ' || ${name}::text)::json`
    return `overlay(${name} placing CASE left(${name}, 1) WHEN 'a' THEN 'b' ELSE 'a' END from 1 for 1)`
  }

  it('the hash covers every bit of every byte of a row’s text', async () => {
    await add()
    const { rows } = await world.owner.query<AuditRow>('SELECT *, before::text, after::text, changed::text FROM audit_log')
    const [row] = rows as [AuditRow]
    for (const name of [
      'actor_kind',
      'actor',
      'operation',
      'target_kind',
      'target_id',
      'before',
      'after',
      'changed',
      'request_id',
      'network',
      'previous_hash',
    ] as const) {
      const text = Buffer.from(row[name] as string)
      for (let at = 0; at < text.length; at++) {
        const flipped = Buffer.from(text)
        flipped[at] = (flipped[at] as number) ^ 1
        let hash: string | null = null
        try {
          hash = hashOf({ ...row, [name]: flipped.toString() })
        } catch {}
        expect([name, at, hash]).not.toEqual([name, at, row.hash])
      }
    }
  })

  it('verification finds removed and swapped rows, and a chain that was cut off or removed', async () => {
    for (let nth = 1; nth <= 5; nth++) await add(team.id, `plan ${nth}`)
    const wants = async (sql: string, sequence: number | null) => {
      await asOwner(world, 'CREATE TABLE as_it_was AS SELECT * FROM audit_log')
      await asOwner(world, 'CREATE TABLE chains_as_they_were AS SELECT * FROM audit_chains')
      await asOwner(world, sql)
      expect([sql, await faults()]).toEqual([sql, [{ team_id: team.id, sequence, fault: expect.any(String) }]])
      await asOwner(world, 'TRUNCATE audit_log, audit_chains')
      await asOwner(world, 'INSERT INTO audit_log SELECT * FROM as_it_was; INSERT INTO audit_chains SELECT * FROM chains_as_they_were')
      await asOwner(world, 'DROP TABLE as_it_was, chains_as_they_were')
    }
    await wants('DELETE FROM audit_log WHERE sequence = 1', 1)
    await wants('DELETE FROM audit_log WHERE sequence = 3', 3)
    await wants('DELETE FROM audit_log WHERE sequence = 5', 5)
    await wants('DELETE FROM audit_log', 1)
    await wants('DELETE FROM audit_log; DELETE FROM audit_chains', null)
    await wants('DELETE FROM audit_chains', null)
    await wants(
      'UPDATE audit_log SET sequence = -3 WHERE sequence = 3; UPDATE audit_log SET sequence = 3 WHERE sequence = 2; UPDATE audit_log SET sequence = 2 WHERE sequence = -3',
      2,
    )
    await wants('UPDATE audit_chains SET anchor_sequence = 2', 1)
    await wants("UPDATE audit_chains SET anchor_hash = repeat('1', 64)", 1)
    await wants("UPDATE audit_chains SET hash = repeat('1', 64)", 5)
    await wants('UPDATE audit_chains SET sequence = 4', 5)
    await wants(
      'INSERT INTO audit_log SELECT team_id, 0, at, actor_kind, actor, operation, target_kind, target_id, before, after, changed, request_id, network, previous_hash, hash FROM audit_log WHERE sequence = 5',
      0,
    )
    // The row is invented except for the hash of the previous row.
    await wants(
      "UPDATE audit_log SET actor = 'wt_nobody', hash = encode(sha256('anything'), 'hex') WHERE sequence = 5; UPDATE audit_chains SET hash = encode(sha256('anything'), 'hex')",
      5,
    )
    expect(await faults()).toEqual([])
  })

  it('stays intact under twenty concurrent writers, with each row exactly once', async () => {
    const otherTeam = await aTeam(world)
    await Promise.all(
      Array.from({ length: 20 }, async (_, nth) => {
        for (let turn = 0; turn < 10; turn++) await add(nth % 2 ? team.id : otherTeam.id, `${nth} ${turn}`)
      }),
    )
    const { rows } = await world.owner.query(
      `SELECT team_id, count(*)::int AS rows, max(sequence)::int AS last, count(DISTINCT after::text)::int AS writes FROM audit_log GROUP BY 1`,
    )
    expect(rows).toEqual([team.id, otherTeam.id].map(() => expect.objectContaining({ rows: 100, last: 100, writes: 100 })))
    expect(await faults()).toEqual([])
  })

  it('has no row for a transaction that rolled back or recorded nothing', async () => {
    const db = withAuditLog(world.app.db, doing(team.id))
    await expect(
      db.$transaction(async (tx) => {
        auditWrite(tx, { kind: 'team', id: team.id })
        throw new Error('undone')
      }),
    ).rejects.toThrow('undone')
    await db.$transaction(async () => {})
    await world.app.db.$transaction(async (tx) => auditWrite(tx, { kind: 'team', id: team.id }))
    expect((await world.owner.query('SELECT FROM audit_log')).rowCount).toBe(0)
    expect(await faults()).toEqual([])
  })
})

describe('the service role', () => {
  it.each([
    "UPDATE audit_log SET actor = 'nobody'",
    'DELETE FROM audit_log',
    'TRUNCATE audit_log',
    'ALTER TABLE audit_log DISABLE TRIGGER ALL',
    "INSERT INTO audit_log (team_id, sequence, at, actor_kind, actor, operation, target_kind, previous_hash, hash) VALUES (gen_random_uuid(), 1, now(), 'token', 'wt_made_up', 'createReport', 'report', '', '')",
    'UPDATE audit_chains SET sequence = 0',
    'DELETE FROM audit_chains',
    'INSERT INTO audit_chains (team_id) VALUES (gen_random_uuid())',
  ])('is refused: %s', async (sql) => {
    await add()
    await expect(world.app.pool.query(sql)).rejects.toMatchObject({ code: '42501' })
  })

  it('appends only to its own chain within a team’s request, and cannot retire entries there', async () => {
    const otherTeam = await aTeam(world)
    const within = withinTeam(world.app, await aCaller(world, team))
    await within.db.$transaction((tx) => appendEntry(tx, doing(team.id), { kind: 'team', id: team.id }))
    for (const other of [otherTeam.id, INSTALL]) {
      await expect(within.db.$transaction((tx) => appendEntry(tx, doing(other), { kind: 'team', id: other }))).rejects.toThrow(
        'another team',
      )
    }
    await add(otherTeam.id)
    await add(null)
    expect((await within.pool.query('SELECT DISTINCT team_id FROM audit_log')).rows).toEqual([{ team_id: team.id }])
    expect((await within.pool.query('SELECT team_id FROM audit_chains')).rows).toEqual([{ team_id: team.id }])
    await expect(within.pool.query('SELECT retire_audit($1, 400)', [team.id])).rejects.toThrow('the service alone')
  })

  it('cannot retire entries of the last thirty days', async () => {
    await add()
    await expect(world.app.pool.query('SELECT retire_audit($1, 29)', [team.id])).rejects.toThrow('30 days')
    expect((await world.app.pool.query('SELECT retire_audit($1, 30) AS gone', [team.id])).rows).toEqual([{ gone: 0 }])
  })

  it('even the owner must disable a trigger before changing an entry', async () => {
    await add()
    for (const sql of ["UPDATE audit_log SET actor = 'nobody'", 'DELETE FROM audit_log', 'TRUNCATE audit_log'])
      await expect(world.owner.query(sql)).rejects.toThrow('never rewritten')
  })
})

describe('expired entries', () => {
  /** Inserts a chain with one row for each entry of `days`, so many days ago. */
  async function aged(of: string, days: number[]): Promise<void> {
    let previous_hash = '0'.repeat(64)
    for (const [index, ago] of days.entries()) {
      const row = {
        team_id: of,
        sequence: index + 1,
        at: new Date(Date.now() - ago * 86_400_000),
        actor_kind: 'token',
        actor: 'wt_abcdef',
        operation: 'deleteReport',
        target_kind: 'report',
        target_id: randomUUID(),
        before: '{"status":"complete"}',
        after: null,
        changed: null,
        request_id: null,
        network: null,
        previous_hash,
      }
      const hash = hashOf(row)
      const columns = { ...row, hash }
      await asOwner(
        world,
        `INSERT INTO audit_log (${Object.keys(columns).join(', ')}) VALUES (${Object.keys(columns)
          .map((_, nth) => `$${nth + 1}`)
          .join(', ')})`,
        Object.values(columns),
      )
      previous_hash = hash
    }
    await asOwner(
      world,
      'INSERT INTO audit_chains (team_id, sequence, hash) VALUES ($1, $2, $3) ON CONFLICT (team_id) DO UPDATE SET sequence = excluded.sequence, hash = excluded.hash',
      [of, days.length, previous_hash],
    )
  }
  const sequences = async (of: string) =>
    (await world.owner.query('SELECT sequence FROM audit_log WHERE team_id = $1 ORDER BY 1', [of])).rows.map(({ sequence }) => sequence)

  it('are removed from the start of the chain, which stays intact and continues', async () => {
    const [otherTeam, old] = [await aTeam(world), await aTeam(world)]
    await aged(team.id, [900, 500, 401, 399, 0])
    await aged(otherTeam.id, [10, 0])
    await aged(old.id, [900, 800])
    expect(await faults()).toEqual([])
    await deleteOldEntries(world.app)
    expect([await sequences(team.id), await sequences(otherTeam.id), await sequences(old.id)]).toEqual([[4, 5], [1, 2], []])
    expect(await faults()).toEqual([])
    for (const of of [team.id, old.id]) await add(of)
    expect([await sequences(team.id), await sequences(old.id)]).toEqual([[4, 5, 6], [3]])
    expect(await faults()).toEqual([])
    await deleteOldEntries(world.app)
    expect(await sequences(team.id)).toEqual([4, 5, 6])
    await asOwner(world, "UPDATE audit_log SET actor = 'wt_others' WHERE team_id = $1 AND sequence = 4", [team.id])
    expect(await faults()).toMatchObject([{ team_id: team.id, sequence: 4 }])
  })
})

describe('an address', () => {
  it.each([
    ['203.0.113.77', '203.0.113.0/24'],
    ['::ffff:203.0.113.77', '203.0.113.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
    ['fe80::1%eth0', 'fe80::/48'],
    ['localhost', null],
    [null, null],
  ])('%s is truncated to %s', (address, network) => expect(networkOf(address)).toBe(network))
})
afterAll(() => asOwner(world, 'TRUNCATE audit_log, audit_chains'))
