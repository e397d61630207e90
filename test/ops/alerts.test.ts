import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { openMetrics } from '#domain/engines/metrics.ts'
import { openWorld } from '#test/support/world.ts'
import { startWorkers } from '#workers/main.ts'

interface Rules {
  groups: { rules: { alert: string; expr: string }[] }[]
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

it('a share of events raises an alert only if there are enough of them', () => {
  const shares = rules.filter(({ expr }) => /\/|histogram_quantile/.test(expr))
  expect(shares.map(({ alert }) => alert)).toEqual(['ResponsesSlow', 'DeliveriesFail', 'ReplicaUnused'])
  for (const { expr } of shares) {
    const [share = '', least = ''] = expr.split(' and ')
    const events = /.*rate\((.+?)\)/.exec(share)?.[1]?.replace('_bucket', '_count')
    expect(least.replace(/\d+$/, 'N')).toBe(`sum(increase(${events})) >= N`)
  }
})
