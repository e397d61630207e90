import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { readInvariants } from '#domain/observability/invariants.ts'
import { refundReport } from '#domain/plans/credits.ts'
import type { Team } from '#generated/prisma/client.ts'
import { asOwner } from '#test/support/as-owner.ts'
import { aPendingReport, aTeam } from '#test/support/factories.ts'
import { openWorld, type World } from '#test/support/world.ts'

let world: World
let team: Team
let report_id: string
const seen = new Set<string>()

beforeEach(async () => {
  world = await openWorld()
  world.expectViolations()
  team = await aTeam(world)
  report_id = await aReport()
  expect(await readInvariants(world.app)).toEqual([])
})

const aReport = () => aPendingReport(world.app.db, team, world.clock.now())

/** Breaks the data by hand without the database's own guards, and returns the names of the violated invariants. */
async function broken(sql: string, values: unknown[] = []): Promise<string[]> {
  await asOwner(world, sql, values)
  const found = await readInvariants(world.app)
  for (const { invariant } of found) seen.add(invariant)
  for (const row of found)
    expect(row).toEqual({ invariant: expect.any(String), team_id: team.id, subject: expect.any(String), detail: expect.any(String) })
  return [...new Set(found.map(({ invariant }) => invariant))]
}

test('a balance that is not the sum of the ledger', async () => {
  expect(await broken('UPDATE teams SET balance = balance + 1')).toEqual(['balance_is_sum_of_ledger'])
})

test('a balance_after that is not the running sum', async () => {
  expect(await broken('UPDATE credit_transactions SET balance_after = balance_after + 1 WHERE sequence = 1')).toEqual([
    'balance_after_is_running_sum',
  ])
})

test('a gap in the ledger', async () => {
  expect(await broken('UPDATE credit_transactions SET sequence = 7 WHERE sequence = 2')).toEqual(['ledger_sequence_has_no_gap'])
  expect(await readInvariants(world.app)).toHaveLength(1)
})

test('a missing ledger row', async () => {
  expect(await broken(`DELETE FROM credit_transactions WHERE kind = 'spend'`)).toEqual([
    'balance_is_sum_of_ledger',
    'ledger_sequence_has_no_gap',
    'report_has_one_spend',
  ])
})

test('a report without its spend', async () => {
  expect(await broken('UPDATE credit_transactions SET report_id = $1 WHERE report_id IS NOT NULL', [randomUUID()])).toEqual([
    'report_has_one_spend',
  ])
})

test('a failed report without its refund', async () => {
  expect(await broken(`UPDATE reports SET status = 'failed', failure_reason = 'timed_out'`)).toEqual(['failed_report_is_refunded'])
})

test('a refund for a report that did not fail', async () => {
  await refundReport(world.app.db, team.id, report_id, 'Report failed', world.clock.now())
  expect(await broken('SELECT')).toEqual(['only_failed_reports_are_refunded'])
})

test('a count that differs from the number of cited records', async () => {
  expect(await broken('UPDATE reports SET event_count = 2')).toEqual(['event_count_is_cited_records'])
})

test('a pending report without a job for 90 s', async () => {
  await world.app.db.outboxJob.create({ data: { name: 'report.generate', payload: { report_id } } })
  expect(await broken(`UPDATE reports SET issued_at = now() - interval '91 seconds'`)).toEqual([])
  expect(await broken('DELETE FROM outbox')).toEqual(['pending_report_has_a_job'])
})

test('a delivery whose lease ended long ago', async () => {
  const insert = `INSERT INTO deliveries (id, team_id, event, integration_id, kind, channel, status, subject, address_hint, lease_token, leased_until)
    VALUES (gen_random_uuid(), $1, 'report.completed', gen_random_uuid(), 'test', 'webhook', $2, 's', 'h', gen_random_uuid(), now() - interval '91 seconds')`
  expect(await broken(insert, [team.id, 'sent'])).toEqual([])
  expect(await broken(insert, [team.id, 'queued'])).toEqual(['delivery_lease_ends'])
})

test('contacts without a primary one', async () => {
  const { id } = await world.app.db.property.create({ data: { team_id: team.id, query: 'x', query_key: 'x' } })
  await world.app.db.contact.create({ data: { team_id: team.id, property_id: id, name: 'Ann', primary: true } })
  expect(await broken('UPDATE contacts SET "primary" = false')).toEqual(['property_has_one_primary_contact'])
})

test('the tests above break every invariant of the view', async () => {
  const { rows } = await world.app.pool.query<{ text: string }>(`SELECT pg_get_viewdef('invariant_violations') AS text`)
  const names = [...(rows[0]?.text ?? '').matchAll(/SELECT\s+'(\w+)'::text/g)].map(([, name]) => name)
  expect([...seen].sort()).toEqual(names.sort())
})
