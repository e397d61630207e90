import { afterAll, beforeAll, expect, test } from 'vitest'
import { issueOperatorKey, revokeOperatorKey } from '#domain/access/operator-keys.ts'
import { type OperatorRole, operatorRoles } from '#domain/closed-sets.ts'
import { operatorSchema } from '#graphql/schema.ts'
import { OPERATOR_KEY, openWorld, type World } from '#test/support/world.ts'
import { rootsOf } from './field-document.ts'
import { type Graph, openGraph } from './graph.ts'

/** Typed by hand, not derived from the fields: the role that each operation needs. */
const roles: Record<OperatorRole, string[]> = {
  read: [
    ...['adminTeams', 'adminTokens', 'archiveStatus', 'unjudgedYears', 'unplacedZones', 'invariantViolations', 'rowSecurityGaps'],
    ...['storedCheck', 'secretKeys', 'browsers', 'documentStoreFaults', 'adminAuditLog', 'auditFaults', 'logFaults'],
    ...['operators', 'lanes', 'waitingJobs', 'compilesToCome'],
  ],
  archive: ['archiveSync', 'archiveSyncRadarDay', 'archiveForget', 'monitorRun'],
  billing: ['adminSetPlan', 'adminLapseTeam', 'adminSetLimits', 'adminTopUp', 'adminAdjustCredits'],
  all: [
    ...[
      'adminCreateTeam',
      'adminSetLetterhead',
      'adminIssueToken',
      'adminRevokeToken',
      'adminPersonLink',
      'setOperator',
      'storedRepair',
      'moveDocuments',
      'resealValues',
      'rotateDocumentKey',
      'rotateLogKey',
      'beginLog',
    ],
    ...['operatorKeys', 'issueOperatorKey', 'revokeOperatorKey'],
  ],
}
const roleOf = new Map(operatorRoles.flatMap((role) => roles[role].map((name) => [name, role] as const)))

let world: World
let graph: Graph
let keys: Record<OperatorRole, string>
beforeAll(async () => {
  world = await openWorld()
  graph = await openGraph(world.app)
  const issued = operatorRoles.map(async (role) => [
    role,
    (await issueOperatorKey(world.app, { name: role, roles: [role], expires_at: null })).key,
  ])
  keys = Object.fromEntries(await Promise.all(issued))
})
afterAll(() => graph.close())

const { names: fields, documentOf } = rootsOf(operatorSchema, 'read')

test('every operation of the operator states its role', () => {
  expect(fields.map(([, name]) => name).sort()).toEqual([...roleOf.keys()].sort())
})

test.each(fields)('the %s %s is refused to every key without its role, and changes nothing', async (kind, name) => {
  const document = documentOf(kind, name)
  const needed = roleOf.get(name) as OperatorRole
  for (const role of operatorRoles.filter((one) => one !== needed && one !== 'all')) {
    const { data, errors } = await graph.ask(keys[role], document)
    const message = `This operator key lacks the role ${needed}.`
    expect([data?.[name], errors], role).toMatchObject([null, [{ message, extensions: { code: 'missing_role', status: 403 } }]])
  }
  expect(await world.app.db.operatorKey.count()).toBe(operatorRoles.length)
  expect((await world.app.pool.query('SELECT FROM outbox')).rowCount).toBe(0)
})

test.each(fields.filter(([kind]) => kind === 'query'))(
  'the %s %s accepts a key with its role, and one with all roles',
  async (kind, name) => {
    for (const key of [keys[roleOf.get(name) as OperatorRole], keys.all, OPERATOR_KEY]) {
      const { errors } = await graph.ask(key, documentOf(kind, name))
      expect(errors?.[0]?.extensions.code).not.toBe('missing_role')
    }
  },
)

test('a refused field leaves the results of the other fields intact', async () => {
  const { data, errors } = await graph.ask(keys.read, '{ adminTeams { id } operatorKeys { name } }')
  expect([data, errors?.length]).toEqual([{ adminTeams: [], operatorKeys: null }, 1])
})

test('a revoked key is unknown from the next request on', async () => {
  const { key } = await issueOperatorKey(world.app, { name: 'gone', roles: ['read'], expires_at: null })
  expect((await graph.ask(key, '{ adminTeams { id } }')).status).toBe(200)
  await revokeOperatorKey(world.app, 'gone')
  expect((await graph.ask(key, '{ adminTeams { id } }')).status).toBe(401)
})
