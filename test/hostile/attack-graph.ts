import { teamSchema } from '#graphql/schema.ts'
import { type Attack, attack, type Order, shortened } from './attack.ts'
import type { Answer, Request } from './client.ts'
import { type GraphCase, graphCases } from './graph-cases.ts'
import { objectionTo, readAnswer } from './graph-check.ts'
import type { RecordNoun, Stock, Target } from './stock.ts'

/** Sends the given number of GraphQL requests generated from the schema, and checks every response against it. */
export function attackGraph(target: Target, stock: Stock, order: Order): Promise<Attack> {
  const { cases, fields } = graphCases(teamSchema, stock, target.token)
  return attack<GraphCase>(target, stock, order, cases, fields, {
    nameOf: ({ field }) => field.name,
    isFit: ({ kind }) => kind === 'fit',
    succeeded: (_case, answer) => answer.status === 200 && readAnswer(answer)?.errors === undefined,
    madeBy: ({ field }, answer) => [made[field.name], (dataOf(field.name, answer)?.data as Made)?.id ?? dataOf(field.name, answer)?.id],
    removed: ({ field }, answer) => dataOf(field.name, answer) === true,
    charged: ({ field }, answer) => chargedBy(field.name, answer),
    objectionTo: (each, _request, answer) => objectionTo(each, answer),
    shown,
  })
}

type Made = { id?: unknown } | undefined
// biome-ignore lint/suspicious/noExplicitAny: what any field answers
const dataOf = (field: string, answer: Answer): any => readAnswer(answer)?.data?.[field]

/** Field -> the kind of record that it makes. */
const made: Record<string, RecordNoun> = {
  createReport: 'report',
  createPropertyReport: 'report',
  createProperty: 'property',
  createTerritory: 'territory',
  createIntegration: 'integration',
}

/** One credit for each report: an idempotency key is used once here, so nothing is a replay. */
function chargedBy(field: string, answer: Answer): number {
  const { data } = readAnswer(answer) ?? {}
  const batches = Object.values(data ?? {}).map((value) => Number((value as { credits_spent?: number } | null)?.credits_spent ?? 0))
  return made[field] === 'report' && data?.[field] ? 1 : batches.reduce((sum, credits) => sum + credits, 0)
}

function shown({ kind }: GraphCase, { body, headers }: Request): string {
  return `${kind}: [${headers.map(([name, value]) => (name === 'authorization' ? name : `${name}: ${shortened(value)}`)).join(' | ')}] ${shortened(body?.toString() ?? '')}`
}
