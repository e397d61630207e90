import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { seedSample } from '#domain/archive/sample/seed.ts'
import { sampleStorm } from '#domain/archive/sample/storm-day.ts'
import { detailsName, sampleDetails } from '#domain/archive/sample/storm-files.ts'
import { INSTALL } from '#domain/audit/audit-log.ts'
import { type AuditRow, verifyAuditLog } from '#domain/audit/verify.ts'
import { watchSample } from '#domain/exposures/sample.ts'
import { appendPending } from '#domain/fingerprint-log/append.ts'
import { schema } from '#graphql/schema.ts'
import { endpoints } from '#rest/endpoints.ts'
import { openRest, type Rest } from '#test/support/api.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
import { openReceiver, type Receiver } from '#test/support/receiver.ts'
import { OPERATOR_KEY, openWorld, type World } from '#test/support/world.ts'

let world: World
let rest: Rest
let receiver: Receiver
let team: { id: string }
let token: string
let prefix: string

beforeAll(async () => {
  const blobs_also = path.join(tmpdir(), 'weather-no-documents')
  world = await openWorld({ config: { rate_limit_per_minute: 1_000_000, webhook_allowed_networks: ['127.0.0.0/8'], blobs_also } })
  rest = await openRest(world)
  receiver = await openReceiver()
  await seedSample(world.app)
  team = await aTeam(world, { credits: 10_000 })
  ;({ token, prefix } = await aToken(world, team))
})
afterAll(async () => {
  await rest.close()
  await receiver.close()
})

type Row = AuditRow & { before: never; after: never; changed: never }

async function rows(): Promise<Row[]> {
  return (await world.owner.query('SELECT * FROM audit_log ORDER BY at, team_id, sequence')).rows
}

/** Personal data and secrets that must not appear in the log. */
const PRIVATE = {
  name: 'Josephine Quillfeather',
  company: 'Quillfeather & Daughters',
  email: 'josephine@quillfeather.example',
  phone: '+1 972 555 0142',
  notes: 'the key is under the mat',
  street: '700 Main St, Frisco, TX 75034',
  hook: 'hook-secret-7f3a',
}

/** The rows that an action added to the log. */
async function left<Answer>(work: () => Promise<Answer>): Promise<{ rows: Row[]; answer: Answer }> {
  const known = new Set((await rows()).map(({ team_id, sequence }) => `${team_id} ${sequence}`))
  const answer = await work()
  return { rows: (await rows()).filter(({ team_id, sequence }) => !known.has(`${team_id} ${sequence}`)), answer }
}

const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown, headers: Record<string, string> = {}) =>
  rest.call(method, path, { token, ...(body !== undefined && { body }), headers })

async function graph(as: string, query: string, variables: Record<string, unknown> = {}) {
  const response = await rest.fastify.inject({
    method: 'POST',
    url: '/graphql',
    headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json' },
    remoteAddress: '203.0.113.77',
    payload: { query, variables },
  })
  const { data, errors } = response.json()
  if (errors) throw new Error(JSON.stringify(errors))
  return data
}
const ask = (query: string, variables?: Record<string, unknown>) => graph(token, query, variables)
const operate = (query: string, variables?: Record<string, unknown>) => graph(OPERATOR_KEY, query, variables)

const { window_start, window_end } = sampleStorm
const storm = { address: PRIVATE.street, window_start, window_end, radius_miles: 5, recipient: PRIVATE.name, reference: PRIVATE.email }
const square = {
  type: 'Polygon',
  coordinates: [
    [
      [-96.9, 33.1],
      [-96.7, 33.1],
      [-96.7, 33.2],
      [-96.9, 33.2],
      [-96.9, 33.1],
    ],
  ],
}

const LOGO = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const performed = new Set<string>()

/** Performs one write, and expects one log row: who, what and on what. */
async function wrote<Answer>(operation: string, of: Partial<Row>, work: () => Promise<Answer>): Promise<Answer> {
  const { rows, answer } = await left(work)
  const response = answer as { status?: number; body?: unknown } | null
  expect(rows, JSON.stringify(response)).toHaveLength(1)
  expect(rows[0]).toMatchObject({ operation, team_id: team.id, actor_kind: 'token', actor: prefix, request_id: expect.any(String), ...of })
  performed.add(operation)
  return answer
}

const byOperator = (team_id: string) => ({ actor_kind: 'operator', actor: 'environment', team_id })

it('has one row for every write over any interface, and none for refused requests or reads', async () => {
  const contact = { name: PRIVATE.name, company: PRIVATE.company, email: PRIVATE.email, phone: PRIVATE.phone, notes: PRIVATE.notes }
  const property = (
    await wrote('createProperty', { target_kind: 'property', before: null as never, network: '127.0.0.0/24' }, () =>
      call('POST', '/properties', { address: PRIVATE.street, label: PRIVATE.name, notes: PRIVATE.notes }),
    )
  ).body.data.id
  const ofProperty = { target_kind: 'property', target_id: property }
  await wrote(
    'updateProperty',
    {
      ...ofProperty,
      changed: ['label', 'watch_radius_miles'] as never,
      before: { status: 'watching', kind: 'other', watch_radius_miles: 1, located: true } as never,
      after: { status: 'watching', kind: 'other', watch_radius_miles: 2, located: true } as never,
    },
    () => call('PATCH', `/properties/${property}`, { watch_radius_miles: 2, label: PRIVATE.company }),
  )
  // A write that sets a value to itself is accepted and changes nothing.
  await wrote('updateProperty', { ...ofProperty, changed: [] as never }, () =>
    call('PATCH', `/properties/${property}`, { watch_radius_miles: 2 }),
  )
  await wrote('enrichProperty', ofProperty, () => call('POST', `/properties/${property}/enrich`))
  await wrote('sendProperty', { ...ofProperty, network: '203.0.113.0/24' }, () =>
    ask('mutation ($p: UUID!) { sendProperty(property: $p) { id } }', { p: property }),
  )
  const added = (await wrote('createContact', { target_kind: 'contact' }, () => call('POST', `/properties/${property}/contacts`, contact)))
    .body.data.id
  const ofContact = { target_kind: 'contact', target_id: String(added) }
  await wrote('updateContact', { ...ofContact, changed: ['role'] as never }, () =>
    call('PATCH', `/properties/${property}/contacts/${added}`, { phone: PRIVATE.phone, role: 'tenant' }),
  )
  await wrote('updateContact', { ...ofContact, changed: [] as never }, () =>
    call('PATCH', `/properties/${property}/contacts/${added}`, { phone: PRIVATE.phone }),
  )
  await wrote('deleteContact', ofContact, () => call('DELETE', `/properties/${property}/contacts/${added}`))
  await call('POST', `/properties/${property}/contacts`, contact)
  await wrote('erasePersonalData', { target_kind: 'person', target_id: null }, () =>
    ask('mutation ($e: String!) { erasePersonalData(email: $e) { email } }', { e: PRIVATE.email }),
  )
  await wrote('createProperties', { target_kind: 'property_batch', target_id: null }, () =>
    call('POST', '/properties/batch', { properties: [{ address: '1 Elm St, Dallas, TX 75202' }, { address: PRIVATE.street }, {}] }),
  )
  expect((await rows()).at(-1)?.after).toMatchObject({ created: 1, rejected: 1 })
  const tagged = { unchanged: 0, full: 0, not_found: 1, property_ids: [property] }
  await wrote('tagProperties', { target_kind: 'property_batch', target_id: null, changed: ['tags'] as never, after: tagged as never }, () =>
    ask('mutation ($p: [UUID!]!) { tagProperties(ids: $p, add: ["private tag"]) { outcome } }', { p: [property, team.id] }),
  )

  const report = (
    await wrote('createReport', { target_kind: 'report', after: { status: 'pending', radius_miles: 5 } as never }, () =>
      call('POST', '/reports', storm, { 'idempotency-key': 'one' }),
    )
  ).body.data.id
  expect((await left(() => call('POST', '/reports', storm, { 'idempotency-key': 'one' }))).rows).toEqual([])
  await wrote('createReports', { target_kind: 'report_batch' }, () =>
    call('POST', '/reports/batch', { reports: [storm, {}], window_start, window_end }, { 'idempotency-key': 'two' }),
  )
  expect(
    (await left(() => call('POST', '/reports/batch', { reports: [storm, {}], window_start, window_end }, { 'idempotency-key': 'two' })))
      .rows,
  ).toEqual([])
  const ordered = { accepted: 1, rejected: 0, skipped: 0, report_ids: expect.any(Array) }
  await wrote('orderReports', { target_kind: 'report_batch', target_id: null, after: ordered as never }, () =>
    ask('mutation ($p: [UUID!]) { orderReports(property_ids: $p, cost: 1) { credits_spent } }', { p: [property] }),
  )
  const variables = { p: property, s: window_start, e: window_end }
  const twice = () =>
    ask(
      'mutation ($p: UUID!, $s: Date, $e: Date) { createPropertyReport(property: $p, window_start: $s, window_end: $e, idempotency_key: "three") { id } }',
      variables,
    )
  await wrote('createPropertyReport', { target_kind: 'report' }, twice)
  expect((await left(twice)).rows).toEqual([])
  await world.drain()
  await wrote('createReportPdfLink', { target_kind: 'report_link', target_id: report }, () => call('POST', `/reports/${report}/pdf/link`))
  await wrote('createReportPdfLink', { target_kind: 'report_link', target_id: report }, () =>
    ask('mutation ($r: UUID!) { createReportPdfLink(report: $r) { __typename } }', { r: report }),
  )
  // The archive changed since: only then does a refresh compile the report again.
  await world.app.pool.query(`UPDATE archive_records SET description = 'Revised. ' || description`)
  await wrote('refreshReport', { target_kind: 'report', after: { status: 'pending', radius_miles: 5 } as never }, () =>
    ask('mutation ($r: UUID!) { refreshReport(report: $r) { id } }', { r: report }),
  )
  await wrote('deleteReport', { target_kind: 'report', target_id: report }, () => call('DELETE', `/reports/${report}`))

  const drawn = { name: PRIVATE.name, kind: 'polygon', geometry: square, notes: PRIVATE.notes }
  const territory = (
    await wrote('createTerritory', { target_kind: 'territory' }, () => call('POST', '/territories', drawn, { 'idempotency-key': 'four' }))
  ).body.data.id
  expect((await left(() => call('POST', '/territories', drawn, { 'idempotency-key': 'four' }))).rows).toEqual([])
  const ofTerritory = { target_kind: 'territory', target_id: territory }
  await wrote('updateTerritory', { ...ofTerritory, changed: ['name'] as never }, () =>
    call('PATCH', `/territories/${territory}`, { name: PRIVATE.company }),
  )
  await wrote(
    'setTerritoryStatus',
    { ...ofTerritory, before: { status: 'watching', kind: 'polygon' } as never, after: { status: 'paused' } as never },
    () => call('POST', `/territories/${territory}/status`, { status: 'paused' }),
  )
  await wrote('deleteTerritory', ofTerritory, () => call('DELETE', `/territories/${territory}`))

  await watchSample(world.app, team.id)
  await world.drain()
  const exposure = (await call('GET', '/exposures')).body.data[0].id
  const ofExposure = { target_kind: 'exposure', target_id: String(exposure) }
  await wrote('acknowledgeExposure', { ...ofExposure, before: { state: 'open' } as never, after: { state: 'dismissed' } as never }, () =>
    call('POST', `/exposures/${exposure}/acknowledge`, { dismiss: true }),
  )
  await wrote(
    'acknowledgeExposure',
    { ...ofExposure, before: { state: 'dismissed' } as never, after: { state: 'dismissed' } as never },
    () => call('POST', `/exposures/${exposure}/acknowledge`, { dismiss: true }),
  )
  await wrote('reopenExposure', ofExposure, () => call('POST', `/exposures/${exposure}/reopen`))
  const ofMany = { target_kind: 'exposure_batch', target_id: null }
  const counted = { state: 'dismissed', unchanged: 0, not_found: 1, exposure_ids: [exposure] }
  await wrote('acknowledgeExposures', { ...ofMany, after: counted as never }, () =>
    ask(`mutation { acknowledgeExposures(ids: [${exposure}, 2000000000], dismiss: true) { outcome } }`),
  )
  await wrote('reopenExposures', ofMany, () => ask(`mutation { reopenExposures(ids: [${exposure}]) { outcome } }`))

  const hook = `${receiver.url}/${PRIVATE.hook}`
  const registered = await wrote('createIntegration', { target_kind: 'integration' }, () =>
    call('POST', '/integrations', { name: PRIVATE.name, channel: 'webhook', url: hook, events: ['property.created'] }),
  )
  const integration = registered.body.data.id
  const { secret } = registered.body
  const ofIntegration = { target_kind: 'integration', target_id: integration }
  await wrote('updateIntegration', { ...ofIntegration, changed: ['url'] as never }, () =>
    call('PATCH', `/integrations/${integration}`, { url: `${hook}/2`, active: true }),
  )
  await wrote('testIntegration', { target_kind: 'delivery' }, () => call('POST', `/integrations/${integration}/test`))
  const rotated = await wrote('rotateIntegrationSecret', { ...ofIntegration, changed: ['secret'] as never }, () =>
    call('POST', `/integrations/${integration}/secret`),
  )
  await call('POST', '/properties', { address: '2 Elm St, Dallas, TX 75202' })
  await world.drain()
  const delivery = (await call('GET', '/integrations/deliveries?status=sent')).body.data.find(
    ({ kind }: { kind: string }) => kind === 'event',
  ).id
  await wrote('resendDelivery', { target_kind: 'delivery', target_id: delivery }, () =>
    ask('mutation ($d: UUID!) { resendDelivery(delivery: $d) { id } }', { d: delivery }),
  )
  await wrote('acknowledgeIntegration', ofIntegration, () =>
    ask('mutation ($i: UUID!) { acknowledgeIntegration(integration: $i) { id } }', { i: integration }),
  )
  const recipients = ['desk@example.com']
  const ruled = await wrote('createAlertRule', { target_kind: 'alert_rule' }, () =>
    ask('mutation ($n: String!, $r: [String!]!) { createAlertRule(name: $n, tag: $n, recipients: $r) { id } }', {
      n: PRIVATE.name,
      r: [PRIVATE.email, ...recipients],
    }),
  )
  const rule = ruled.createAlertRule.id
  const ofRule = { target_kind: 'alert_rule', target_id: rule }
  await wrote('updateAlertRule', { ...ofRule, changed: ['active', 'recipients'] as never }, () =>
    ask('mutation ($i: UUID!, $r: [String!]) { updateAlertRule(rule: $i, active: false, recipients: $r) { id } }', {
      i: rule,
      r: recipients,
    }),
  )
  await wrote('updateAlertRule', { ...ofRule, changed: ['least_hail_in'] as never, after: { least_hail_in: 1 } as never }, () =>
    ask(
      'mutation ($i: UUID!, $n: String, $r: [String!]) { updateAlertRule(rule: $i, name: $n, tag: $n, active: false, least_hail_in: 1, recipients: $r) { id } }',
      { i: rule, n: PRIVATE.name, r: recipients },
    ),
  )
  await wrote('deleteAlertRule', ofRule, () => ask('mutation ($i: UUID!) { deleteAlertRule(rule: $i) }', { i: rule }))
  await wrote('deleteIntegration', ofIntegration, () => call('DELETE', `/integrations/${integration}`))
  await wrote('deleteProperty', ofProperty, () => call('DELETE', `/properties/${property}`))

  const other = await left(() =>
    operate('mutation ($n: String!, $e: String) { adminCreateTeam(name: $n, plan: "business", email: $e) { id } }', {
      n: PRIVATE.company,
      e: PRIVATE.email,
    }),
  )
  const made = other.answer.adminCreateTeam.id
  expect(other.rows).toMatchObject([
    { operation: 'adminCreateTeam', ...byOperator(made), target_kind: 'team', target_id: made, sequence: 1 },
  ])
  performed.add('adminCreateTeam')
  const ofTeam = { ...byOperator(made), target_kind: 'team', target_id: made }
  const t = { t: made }
  await wrote('adminSetPlan', { ...ofTeam, before: { plan: 'business' } as never, after: { plan: 'professional' } as never }, () =>
    operate('mutation ($t: ID!) { adminSetPlan(team: $t, plan: "professional") { id } }', t),
  )
  await wrote('adminSetPlan', ofTeam, () => operate('mutation ($t: ID!) { adminSetPlan(team: $t, plan: "professional") { id } }', t))
  await wrote('adminLapseTeam', ofTeam, () => operate('mutation ($t: ID!) { adminLapseTeam(team: $t) { id } }', t))
  await wrote('adminSetLimits', { ...ofTeam, after: { limit_overrides: { properties: 3 } } as never }, () =>
    operate('mutation ($t: ID!) { adminSetLimits(team: $t, properties: 3) { id } }', t),
  )
  await wrote('adminSetLetterhead', { ...ofTeam, changed: ['brand_name', 'paper'] as never }, () =>
    operate('mutation ($t: ID!, $n: String) { adminSetLetterhead(team: $t, paper: "a4", brand_name: $n) { id } }', {
      ...t,
      n: PRIVATE.company,
    }),
  )
  await wrote('adminSetLetterhead', { ...ofTeam, changed: ['brand_logo'] as never }, () =>
    operate(
      'mutation ($t: ID!, $n: String, $l: String) { adminSetLetterhead(team: $t, paper: "a4", brand_name: $n, brand_logo: $l) { id } }',
      {
        ...t,
        n: PRIVATE.company,
        l: LOGO,
      },
    ),
  )
  await wrote('adminSetLetterhead', { ...ofTeam, changed: [] as never }, () =>
    operate('mutation ($t: ID!, $l: String) { adminSetLetterhead(team: $t, brand_logo: $l) { id } }', { ...t, l: LOGO }),
  )
  await wrote('adminTopUp', { ...ofTeam, before: { balance: 100 } as never, after: { balance: 105 } as never }, () =>
    operate('mutation ($t: ID!) { adminTopUp(team: $t, amount: 5) { balance } }', t),
  )
  await wrote('adminAdjustCredits', ofTeam, () =>
    operate('mutation ($t: ID!, $n: String!) { adminAdjustCredits(team: $t, amount: -5, note: $n) { balance } }', {
      ...t,
      n: PRIVATE.notes,
    }),
  )
  const issued = (
    await wrote(
      'adminIssueToken',
      { ...byOperator(made), target_kind: 'token', after: { abilities: ['reports:read'], expires_at: null } as never },
      () =>
        operate('mutation ($t: ID!, $n: String!) { adminIssueToken(team: $t, name: $n, abilities: ["reports:read"]) { token prefix } }', {
          ...t,
          n: PRIVATE.name,
        }),
    )
  ).adminIssueToken
  await wrote('adminRevokeToken', { ...byOperator(made), target_kind: 'token', target_id: issued.prefix }, () =>
    operate('mutation ($p: String!) { adminRevokeToken(prefix: $p) { prefix } }', { p: issued.prefix }),
  )
  const ofSource = { ...byOperator(INSTALL), target_kind: 'source' }
  await wrote('archiveImport', { ...ofSource, target_id: 'sample' }, () => upload('sample', detailsName, sampleDetails()))
  await wrote('archiveImport', { ...ofSource, target_id: 'address-points' }, () =>
    upload('address-points', 'points.csv', 'LON,LAT,NUMBER,STREET,CITY,REGION,POSTCODE\n-96.8,33.1,700,Main St,Frisco,TX,75034\n'),
  )
  await wrote('storedRepair', { ...byOperator(INSTALL), target_kind: 'stored', target_id: null }, () =>
    operate('mutation { storedRepair { checked } }'),
  )
  await wrote('moveDocuments', { ...byOperator(INSTALL), target_kind: 'stored', target_id: null }, () =>
    operate('mutation { moveDocuments { looked_at } }'),
  )
  const key = { ...byOperator(INSTALL), target_kind: 'operator_key', target_id: 'ann' }
  await wrote('issueOperatorKey', { ...key, after: { roles: ['read'], expires_at: null, revoked_at: null } as never }, () =>
    operate('mutation { issueOperatorKey(name: "ann", roles: ["read"]) { name } }'),
  )
  // Revoking it again is accepted and changes nothing.
  for (let nth = 0; nth < 2; nth++)
    await wrote('revokeOperatorKey', key, () => operate('mutation { revokeOperatorKey(name: "ann") { name } }'))
  await wrote('rotateDocumentKey', { ...byOperator(INSTALL), target_kind: 'signing_key' }, () =>
    operate('mutation { rotateDocumentKey { key_id } }'),
  )
  await wrote('rotateLogKey', { ...byOperator(INSTALL), target_kind: 'signing_key' }, () => operate('mutation { rotateLogKey { key_id } }'))
  await world.app.pool.query("INSERT INTO fingerprint_log_pending (entry) VALUES (decode(repeat('01', 32), 'hex'))")
  await appendPending(world.app)
  await wrote('beginLog', { ...byOperator(INSTALL), target_kind: 'signing_key' }, () =>
    operate('mutation { beginLog(origin: "weather.example.com/log-2") { size } }'),
  )
  await wrote('resealValues', { ...byOperator(INSTALL), target_kind: 'sealed_values', target_id: null }, () =>
    operate('mutation { resealValues { __typename } }'),
  )
  await wrote('archiveForget', ofSource, () => operate('mutation { archiveForget(source: "sample") { records } }'))

  // Every refused request and every read.
  const refused = await left(async () => {
    for (const body of [{}, { address: 5 }]) expect((await call('POST', '/reports', body)).status).toBe(422)
    expect((await call('DELETE', `/reports/${report}`)).status).toBe(404)
    expect((await call('DELETE', `/integrations/${integration}`)).status).toBe(404)
    await expect(operate('mutation { adminRevokeToken(prefix: "wt_nobody") { prefix } }')).rejects.toThrow('no token')
    for (const path of ['/reports', '/properties', '/integrations', '/account']) await call('GET', path)
  })
  expect(refused.rows).toEqual([])

  const log = JSON.stringify(await rows())
  for (const secretOf of [
    ...Object.values(PRIVATE),
    'Quillfeather',
    '555 0142',
    '5550142',
    'Main St',
    token,
    issued.token,
    secret,
    rotated.body.secret,
    'Elm St',
  ])
    expect(log).not.toContain(secretOf)
  expect(await verifyAuditLog(world.app)).toEqual([])
})

it('has 1,000 rows after 1,000 concurrent mixed writes, each with who did what to what', async () => {
  const teams = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const { id } = await aTeam(world, { credits: 1000 })
      return { id, ...(await aToken(world, { id })) }
    }),
  )
  const before = (await rows()).length
  const expected: string[] = []
  const wants = (team_id: string, actor: string, operation: string, target: unknown) =>
    expected.push(`${team_id} ${actor} ${operation} ${target}`)
  // Six writes on a property over REST, two on a territory through GraphQL, and two by the operator: ten, a hundred times.
  const round = async (nth: number) => {
    const team = teams[nth % teams.length] as (typeof teams)[number]
    const send = async (method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) => {
      const answer = await rest.call(method, path, { token: team.token, ...(body !== undefined && { body }) })
      expect(answer.status, answer.text).toBeLessThan(300)
      return answer.body?.data
    }
    const property = (await send('POST', '/properties', { address: `${nth + 1} Main St, Frisco, TX 75034`, label: PRIVATE.name })).id
    wants(team.id, team.prefix, 'createProperty', property)
    await send('PATCH', `/properties/${property}`, { notes: PRIVATE.notes, status: 'archived' })
    wants(team.id, team.prefix, 'updateProperty', property)
    const contact = (await send('POST', `/properties/${property}/contacts`, { name: PRIVATE.name, email: PRIVATE.email })).id
    wants(team.id, team.prefix, 'createContact', contact)
    await send('DELETE', `/properties/${property}/contacts/${contact}`)
    wants(team.id, team.prefix, 'deleteContact', contact)
    const report = (await send('POST', '/reports', storm)).id
    wants(team.id, team.prefix, 'createReport', report)
    await send('DELETE', `/properties/${property}`)
    wants(team.id, team.prefix, 'deleteProperty', property)
    const { createTerritory } = await graph(
      team.token,
      'mutation ($n: String!, $g: GeoJson!) { createTerritory(name: $n, kind: polygon, geometry: $g) { id } }',
      { n: PRIVATE.name, g: square },
    )
    wants(team.id, team.prefix, 'createTerritory', createTerritory.id)
    await graph(team.token, 'mutation ($t: UUID!) { deleteTerritory(territory: $t) }', { t: createTerritory.id })
    wants(team.id, team.prefix, 'deleteTerritory', createTerritory.id)
    await operate('mutation ($t: ID!) { adminTopUp(team: $t, amount: 1) { balance } }', { t: team.id })
    wants(team.id, 'environment', 'adminTopUp', team.id)
    const { adminIssueToken: issued } = await operate(
      'mutation ($t: ID!, $n: String!) { adminIssueToken(team: $t, name: $n, all_abilities: true) { prefix } }',
      { t: team.id, n: PRIVATE.name },
    )
    wants(team.id, 'environment', 'adminIssueToken', issued.prefix)
  }
  const waiting = Array.from({ length: 100 }, (_, nth) => nth)
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let nth = waiting.pop(); nth !== undefined; nth = waiting.pop()) await round(nth)
    }),
  )
  const written = (await rows()).slice(before)
  expect(written).toHaveLength(1000)
  expect(written.map((row) => `${row.team_id} ${row.actor} ${row.operation} ${row.target_id}`).toSorted()).toEqual(expected.toSorted())
  const log = JSON.stringify(written)
  for (const text of [...Object.values(PRIVATE), 'Quillfeather', 'Main St', ...teams.map(({ token }) => token)])
    expect(log).not.toContain(text)
  expect(await verifyAuditLog(world.app)).toEqual([])
  // The check finds one changed byte among all of them.
  const [row] = written.slice(637) as [Row]
  const client = await world.owner.connect()
  await client.query('SET session_replication_role = replica')
  await client.query(
    'UPDATE audit_log SET actor = left(actor, -1) || chr(ascii(right(actor, 1)) # 1) WHERE team_id = $1 AND sequence = $2',
    [row.team_id, row.sequence],
  )
  expect(await verifyAuditLog(world.app)).toEqual([{ team_id: row.team_id, sequence: row.sequence, fault: 'The row was changed.' }])
  await client.query('UPDATE audit_log SET actor = $3 WHERE team_id = $1 AND sequence = $2', [row.team_id, row.sequence, row.actor])
  await client.query('RESET session_replication_role')
  client.release()
}, 240_000)

it('shows a team its own actions, and the operator all actions', async () => {
  const [ownTeam, otherTeam] = [await aTeam(world), await aTeam(world)]
  const { token: ownToken, prefix: my } = await aToken(world, ownTeam)
  const { token: other } = await aToken(world, otherTeam)
  const narrow = await aToken(world, ownTeam, ['reports:read'])
  const { createProperty } = await graph(ownToken, 'mutation { createProperty(address: "1 Main St, Dallas, TX 75202") { id } }')
  await graph(ownToken, 'mutation ($p: UUID!) { deleteProperty(property: $p) }', { p: createProperty.id })
  await graph(other, 'mutation { createProperty(address: "2 Main St, Dallas, TX 75202") { id } }')
  await operate('mutation ($t: ID!) { adminTopUp(team: $t, amount: 1) { balance } }', { t: ownTeam.id })
  const READ =
    '{ data { team_id sequence at actor_kind actor operation target_kind target_id before after changed network hash previous_hash } total }'
  const { auditLog } = await graph(ownToken, `{ auditLog ${READ} }`)
  expect(auditLog.total).toBe(3)
  expect(auditLog.data).toMatchObject([
    { sequence: 3, actor_kind: 'operator', actor: 'environment', operation: 'adminTopUp', after: { balance: 101 } },
    { sequence: 2, actor_kind: 'token', actor: my, operation: 'deleteProperty', target_id: createProperty.id, network: '203.0.113.0/24' },
    {
      sequence: 1,
      team_id: ownTeam.id,
      operation: 'createProperty',
      before: null,
      after: { status: 'watching' },
      previous_hash: '0'.repeat(64),
    },
  ])
  // An id in upper case is the stored one, here as in a path.
  for (const t of [createProperty.id, createProperty.id.toUpperCase()]) {
    const one = await graph(
      ownToken,
      `query ($t: String) { auditLog(target: $t, operation: "deleteProperty", actor_kind: token, per_page: 1) ${READ} }`,
      { t },
    )
    expect(one.auditLog.data.map(({ sequence }: Row) => sequence)).toEqual([2])
  }
  expect((await graph(ownToken, `{ auditLog(since: "2999-01-01T00:00:00Z") ${READ} }`)).auditLog).toEqual({ data: [], total: 0 })
  await expect(graph(ownToken, `{ auditLog(since: "yesterday") ${READ} }`)).rejects.toThrow('moment')
  await expect(graph(narrow.token, `{ auditLog ${READ} }`)).rejects.toThrow('account:read')
  await expect(graph(ownToken, `{ adminAuditLog ${READ} }`)).rejects.toThrow('adminAuditLog')
  await expect(graph(ownToken, '{ auditFaults { fault } }')).rejects.toThrow('auditFaults')
  const all = (await operate(`{ adminAuditLog(per_page: 100) ${READ} }`)).adminAuditLog
  expect(
    all.data
      .slice(0, 4)
      .map(({ operation }: Row) => operation)
      .toSorted(),
  ).toEqual(['adminTopUp', 'createProperty', 'createProperty', 'deleteProperty'])
  expect((await operate(`query ($t: ID) { adminAuditLog(team: $t) ${READ} }`, { t: otherTeam.id })).adminAuditLog.total).toBe(1)
  expect((await operate('{ auditFaults { team_id sequence fault } }')).auditFaults).toEqual([])
})

/** Actions of signed-in people, and their sign-in links: `test/graphql/roles.test.ts` covers their rows. */
const OF_PEOPLE = [
  ...['adminPersonLink', 'changeRole', 'invitePerson', 'issueToken', 'leaveTeam', 'removePerson', 'revokeInvitation', 'revokeToken'],
  ...['setAllowedOrigins', 'setLetterhead', 'setOperator'],
]

/** A sync and a run call external feeds, and a link is mailed: tests with a fake feed server and mail server cover their rows. */
const ELSEWHERE = ['archiveSync', 'archiveSyncRadarDay', 'mailAlertConfirmation', 'monitorRun', ...OF_PEOPLE]

it('covers every mutation, and every endpoint that writes', () => {
  const mutations = Object.keys(schema.getMutationType()?.getFields() ?? {})
  expect([...performed, ...ELSEWHERE].toSorted()).toEqual([...mutations, 'archiveImport'].toSorted())
  const writing = endpoints.filter(({ method, name }) => method !== 'GET' && name !== 'territories.quote')
  expect(writing.filter((endpoint) => !('field' in endpoint && endpoint.field.startsWith('Mutation.'))).map(({ name }) => name)).toEqual([
    'reports.pdf.link',
  ])
})

async function upload(source: string, file_name: string, file: string) {
  const response = await rest.fastify.inject({
    method: 'POST',
    url: `/operator/archive/${source}?file_name=${encodeURIComponent(file_name)}`,
    headers: { authorization: `Bearer ${OPERATOR_KEY}`, 'content-type': 'application/octet-stream' },
    payload: file,
  })
  expect(response.statusCode, response.body).toBe(200)
  return response.json()
}
