import { type Attack, attack, type Order, shortened } from './attack.ts'
import type { Answer, Request } from './client.ts'
import { readDescription } from './description.ts'
import { type RestCase, restCases } from './rest-cases.ts'
import { objectionTo } from './rest-check.ts'
import type { RecordNoun, Stock, Target } from './stock.ts'

/** Sends the given number of requests generated from the service's own description, and checks every response against it. */
export async function attackRest(target: Target, stock: Stock, order: Order): Promise<Attack> {
  const described = await fetch(`${target.base_url}/api/v1/openapi.json`, { headers: { authorization: `Bearer ${target.token}` } })
  const description = readDescription(await described.json())
  const names = description.operations.map(({ id }) => id)
  return attack<RestCase>(target, stock, order, restCases(description, stock, target.token), names, {
    nameOf: ({ operation }) => operation?.id ?? 'nothing',
    isFit: ({ kind }) => kind === 'fit' || kind === 'sampled',
    succeeded: (_case, { status }) => status < 300,
    madeBy: ({ operation }, answer) =>
      operation && made[operation.id] && [201, 202].includes(answer.status)
        ? [made[operation.id], JSON.parse(answer.body.toString()).data.id]
        : [undefined, undefined],
    removed: (_case, { status }) => status === 204,
    charged: ({ operation }, answer) => (operation ? chargedBy(operation.id, answer) : 0),
    objectionTo: (each, request, answer) => objectionTo(each, request, answer, description),
    shown,
  })
}

/** Operation -> the kind of record that it makes. */
const made: Record<string, RecordNoun> = {
  'reports.create': 'report',
  'properties.reports.create': 'report',
  'properties.create': 'property',
  'territories.create': 'territory',
  'integrations.create': 'integration',
}

/** One credit for each report: a replay made none. */
function chargedBy(operation: string, { status, headers, body }: Answer): number {
  if (headers['idempotent-replay']) return 0
  if (made[operation] === 'report' && status === 202) return 1
  return operation === 'reports.batch' && status < 300 ? JSON.parse(body.toString()).credits_spent : 0
}

function shown({ kind }: RestCase, { method, path, headers, body }: Request): string {
  const sent = headers.filter(([name]) => name !== 'authorization').map(([name, value]) => `${name}: ${shortened(value)}`)
  return `${kind}: ${method} ${shortened(path)} [${sent.join(' | ')}] ${shortened(body?.toString() ?? '')}`
}
