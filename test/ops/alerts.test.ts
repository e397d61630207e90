import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { openMetrics } from '#domain/engines/metrics.ts'
import { openWorld } from '#test/support/world.ts'
import { startWorkers } from '#workers/main.ts'

interface Rules {
  groups: { rules: { alert: string; expr: string }[] }[]
}

/** Prometheus sees no increase in the first value of a series, so the first of these events would raise no alert. */
it('every series whose increase raises an alert starts at 0', async () => {
  const world = await openWorld()
  const metrics = openMetrics()
  const workers = await startWorkers({ ...world.app, metrics }, ['sweep'])
  const { text } = await metrics.read()
  await workers.stop()
  const rules = (parse(readFileSync('ops/alerts.yml', 'utf8')) as Rules).groups.flatMap(({ rules }) => rules)
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
