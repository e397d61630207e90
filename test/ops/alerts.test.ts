import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { openMetrics } from '#domain/engines/metrics.ts'
import { openWorld } from '#test/support/world.ts'
import { startWorkers } from '#workers/main.ts'

interface Rules {
  groups: { rules: { alert: string; expr: string; annotations: { action: string } }[] }[]
}

const rules = (parse(readFileSync('ops/alerts.yml', 'utf8')) as Rules).groups.flatMap(({ rules }) => rules)

/** Prometheus sees no increase in the first value of a series, so the first of these events would raise no alert. */
it('every series whose increase raises an alert starts at 0', async () => {
  const world = await openWorld()
  const metrics = openMetrics()
  const workers = await startWorkers({ ...world.app, metrics }, ['sweep'])
  const { text } = await metrics.read()
  await workers.stop()
  const watched = rules.flatMap(({ alert, expr }) =>
    [...expr.matchAll(/(?:rate|increase)\((\w+)\{(\w+)="(\w+)"\}/g)].map(([, metric, label, value]) => ({ alert, metric, label, value })),
  )
  expect(watched.map(({ alert }) => alert)).toEqual([
    'ServerErrors',
    'EngineUnavailable',
    'RateLimitExceeded',
    'JobsGivenUp',
    'JobsKeepFailing',
    'JobsKeepFailing',
    'PrintingFails',
  ])
  for (const { metric, label, value } of watched)
    expect(text).toMatch(new RegExp(`^${metric}\\{(?:job_name="sweep",)?${label}="${value}"(?:,job_name="sweep")?\\} 0$`, 'm'))
})

it('selects processes by the name of the job that scrapes them', () => {
  const selected = new Set(rules.flatMap(({ expr }) => [...expr.matchAll(/job="(\w+)"/g)].map(([, name]) => name)))
  expect([...selected]).toEqual(['weather'])
  // The jobs in comments too.
  const jobs = [...readFileSync('ops/prometheus.yml', 'utf8').matchAll(/- job_name: (\S+)/g)].map(([, name]) => name)
  expect(jobs).toEqual(['weather', 'traces', 'weather'])
})

it('the actions name lines of the log that the service writes', () => {
  const named = rules.flatMap(({ annotations }) => [...annotations.action.matchAll(/"([^"]+)"/g)].map(([, line = '']) => line))
  expect(named.length).toBeGreaterThan(5)
  const code = ['domain', 'graphql', 'rest', 'workers'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((file) =>
      file.endsWith('.ts') ? [readFileSync(path.join(folder, file), 'utf8')] : [],
    ),
  )
  expect(named.filter((line) => !code.some((text) => text.includes(`'${line}`)))).toEqual([])
})

it('slow responses do not count operations that take their time by design', () => {
  const expr = rules.find(({ alert }) => alert === 'ResponsesSlow')?.expr ?? ''
  const left = [...expr.matchAll(/operation!~"([^"]+)"/g)].map(([, names]) => new RegExp(`^(?:${names})$`))
  expect(left).toHaveLength(2)
  // A page of features ends after two seconds, a subscription with its session, a file with its last row.
  const slow = ['ogc.items', 'graphql.changes', 'exports.properties', 'archive.export', 'storms', 'operator']
  for (const names of left) {
    expect(slow.filter((name) => !names.test(name))).toEqual([])
    expect(['reports.show', 'reports.create', 'graphql', 'maps.tile'].filter((name) => names.test(name))).toEqual([])
  }
})

it('a share of events raises an alert only if there are enough of them', () => {
  const shares = rules.filter(({ expr }) => /\/|histogram_quantile/.test(expr))
  expect(shares.map(({ alert }) => alert)).toEqual(['ResponsesSlow', 'DeliveriesFail', 'ReplicaUnused'])
  for (const { expr } of shares) {
    const [share = '', least = ''] = expr.split(' and ')
    const events = /.*rate\((.+?)\)/.exec(share)?.[1]?.replace('_bucket', '_count')
    expect(least.replace(/\d+$/, 'N')).toBe(`sum(increase(${events})) >= N`)
  }
})
