import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { builtJobs } from '#workers/jobs.ts'
import { operate } from '../../cli/api.ts'
import { startService } from '../oracle/own-service.ts'
import { openReceiver } from '../support/receiver.ts'
import type { Attack } from './attack.ts'
import { attackGraph } from './attack-graph.ts'
import { attackRest } from './attack-rest.ts'
import { summaryOf } from './attack-stats.ts'
import type { Served } from './good-client.ts'
import { createStock, type Target } from './stock.ts'
import { probeWire } from './wire.ts'

/**
 * npm run test:hostile [-- --cases 10000 --graphql 3000 --seed 20250528]
 * Starts a service of its own and sends it requests generated from its own description and schema, half of them
 * valid and half damaged, while a well-behaved client continues its requests. The exit status is 1 if anything
 * breaks a promise.
 */
const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '10000' },
    graphql: { type: 'string', default: '3000' },
    seed: { type: 'string', default: '20250528' },
  },
})
const seed = Number(values.seed)
/** Of the valid requests, at least this share succeeds; otherwise the generator requests records that do not exist. */
const SHARE_MIN = 0.2
/** Longest wait of the well-behaved client in milliseconds, except for one request in a hundred: a busy machine has pauses. */
const GOOD_WITHIN_MS = 500
/** No rate limits, and enough credits for everything. */
const NO_LIMIT = '1000000'
const CREDITS = 100_000
/**
 * Operations that need not succeed. Only a post that failed for good can be sent again, which takes two days of
 * attempts. Only a report whose content would change can be refreshed, and the archive does not change here. An
 * order names its properties in one of three ways and needs the current price. A rule is about one of three places,
 * and needs both of its quiet times.
 */
const OUT_OF_REACH = [
  'resendDelivery',
  'refreshReport',
  'reportQuote',
  'orderReports',
  'createAlertRule',
  'updateAlertRule',
  'mailAlertConfirmation',
  'deleteAlertRule',
]
/** Printing thousands of reports in a browser is another test's work. */
const PRINTING = 'report.render'
/** Enough of the end of the log to show the last faults. */
const LOG_SHOWN = 20_000

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const receiver = await openReceiver()
const service = await startService({ RATE_LIMIT_PER_MINUTE: NO_LIMIT, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', LOG_LEVEL: 'error' }, [
  `--jobs=${builtJobs.filter((name) => name !== PRINTING).join(',')}`,
])
const broken: string[] = []
try {
  const { connection } = service
  const { team_id, token } = service.team
  await operate(connection, `mutation { adminSetPlan(team: "${team_id}", plan: "enterprise") { id } }`)
  await operate(connection, `mutation { adminTopUp(team: "${team_id}", amount: ${CREDITS}) { balance } }`)
  const target: Target = {
    base_url: connection.url,
    token,
    other_team_token: await newTeam('Strangers'),
    receiver: receiver.url,
    settle: async () => {},
  }
  const stock = await createStock(target)
  const creditsBefore = await countSpentCredits(target)
  const good = await startGoodClient(connection.url, await newTeam('Good client'))
  const startedAt = performance.now()
  const rest = await attackRest(target, stock, { seed, cases: Number(values.cases) })
  report('REST', rest)
  const graph = await attackGraph(target, stock, { seed, cases: Number(values.graphql) })
  report('GraphQL', graph)
  for (const objection of await probeWire(target)) broken.push(`wire: ${objection}`)
  const served = await good.stop()
  console.log(
    `good client: ${served.requests} requests, ${served.refused} refused, slowest ${served.slowest_ms} ms, p99 ${served.p99_ms} ms; ${Math.round((performance.now() - startedAt) / 1000)} s in all, seed ${seed}`,
  )
  if (served.refused > 0 || served.p99_ms > GOOD_WITHIN_MS) broken.push('the client that means well was not served in time')
  const charged = rest.stats.charged + graph.stats.charged + stock.reports_made()
  const spentCredits = (await countSpentCredits(target)) - creditsBefore
  if (spentCredits !== charged) broken.push(`${spentCredits} credits were spent, ${charged} reports were promised`)
  const violations = await operate<object[]>(connection, '{ invariantViolations { invariant subject detail } }')
  for (const row of violations) broken.push(`invariant: ${JSON.stringify(row)}`)
  if (broken.length > 0) console.error(readFileSync(service.log, 'utf8').slice(-LOG_SHOWN))
} finally {
  await service.stop()
  await receiver.close()
}
for (const line of broken) console.error(line)
console.log(`hostile input: ${broken.length === 0 ? 'nothing found' : `${broken.length} found`}`)
process.exit(broken.length > 0 ? 1 : 0)

async function newTeam(name: string): Promise<string> {
  const team = await operate<{ id: string }>(service.connection, `mutation { adminCreateTeam(name: "${name}", plan: "enterprise") { id } }`)
  const { token } = await operate<{ token: string }>(
    service.connection,
    `mutation { adminIssueToken(team: "${team.id}", name: "Hostile", all_abilities: true) { token } }`,
  )
  return token
}

/** Credits that reports have cost so far. */
async function countSpentCredits({ base_url, token }: Target): Promise<number> {
  const answer = await fetch(`${base_url}/api/v1/credits/transactions?kind=spend&per_page=1`, {
    headers: { authorization: `Bearer ${token}` },
  })
  return ((await answer.json()) as { meta: { total: number } }).meta.total
}

async function startGoodClient(url: string, token: string): Promise<{ stop(): Promise<Served> }> {
  const child: ChildProcess = fork(path.join(import.meta.dirname, 'good-client.ts'), [url, token], { execArgv: ['--import', 'tsx'] })
  process.once('exit', () => child.kill())
  await once(child, 'message')
  return {
    async stop() {
      child.send('stop')
      const [served] = await once(child, 'message')
      return served as Served
    },
  }
}

function report(name: string, { stats, operations }: Attack): void {
  console.log(summaryOf(name, stats, operations))
  for (const [finding, { times, first }] of stats.findings) broken.push(`${times} x ${name} ${finding}\n    ${first}`)
  if (stats.fit_successes < SHARE_MIN * stats.fit) broken.push(`${name}: too few of the requests that fit succeeded`)
  const unreached = operations.filter((operation) => !stats.reached.has(operation) && !OUT_OF_REACH.includes(operation))
  if (unreached.length > 0) broken.push(`${name}: never succeeded: ${unreached.join(', ')}`)
}
