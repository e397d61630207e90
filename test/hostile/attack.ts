import fc from 'fast-check'
import { type AttackStats, addFinding, emptyStats, noteAnswer, noteFit } from './attack-stats.ts'
import { type Answer, openClient, type Request } from './client.ts'
import type { Ids, RecordNoun, Stock, Target } from './stock.ts'

/** Requests in flight at one time: a crowd, and few enough that the wait for a connection is not what is measured. */
const AT_ONCE = 4
/** Cases generated at one time: a large body is only in memory shortly before it is sent. */
const CHUNK = 200

export interface Order {
  seed: number
  cases: number
}

export interface Attack {
  stats: AttackStats
  /** Names of the operations that exist. */
  operations: readonly string[]
}

/** How to read a kind of case. */
interface Ways<Case> {
  nameOf(each: Case): string
  /** Whether the case follows the description. */
  isFit(each: Case): boolean
  succeeded(each: Case, answer: Answer): boolean
  /** The record that the response reports as made, if its noun is kept in stock. */
  madeBy(each: Case, answer: Answer): [noun: RecordNoun | undefined, id: unknown]
  /** Whether the record that the case should remove is gone. */
  removed(each: Case, answer: Answer): boolean
  /** Credits that the response reports as charged. */
  charged(each: Case, answer: Answer): number
  objectionTo(each: Case, request: Request, answer: Answer): string | null
  shown(each: Case, request: Request): string
}

/** Sends the given number of cases, a few at a time, and collects the faults of the responses. */
export async function attack<Case extends { spare: RecordNoun | null; request(ids: Ids): Request }>(
  target: Target,
  stock: Stock,
  { seed, cases }: Order,
  arbitrary: fc.Arbitrary<Case>,
  operations: readonly string[],
  ways: Ways<Case>,
): Promise<Attack> {
  const client = openClient(target.base_url, AT_ONCE)
  const stats = emptyStats()
  const send = async (each: Case) => {
    const ids = each.spare ? await stock.spare(each.spare) : stock.loose
    const request = each.request(ids)
    const name = ways.nameOf(each)
    const answer = await client.ask(request).catch((fault: Error) => fault)
    if (answer instanceof Error) return addFinding(stats, name, `no answer: ${answer.message}`, ways.shown(each, request))
    noteAnswer(stats, name, answer.status, answer.ms)
    if (ways.isFit(each)) noteFit(stats, name, ways.succeeded(each, answer))
    stats.charged += ways.charged(each, answer)
    const [noun, id] = ways.madeBy(each, answer)
    if (noun && id !== undefined) stock.takeIn(noun, String(id))
    if (each.spare && !ways.removed(each, answer)) stock.takeIn(each.spare, ids[each.spare])
    const objection = ways.objectionTo(each, request, answer)
    if (objection)
      addFinding(stats, name, objection, `${ways.shown(each, request)}\n    ${answer.status} ${shortened(answer.body.toString())}`)
  }
  try {
    for (let made = 0; made < cases; made += CHUNK) {
      await runConcurrently(fc.sample(arbitrary, { seed: seed + made, numRuns: Math.min(CHUNK, cases - made) }), send)
    }
  } finally {
    client.close()
  }
  return { stats, operations }
}

async function runConcurrently<Each>(all: readonly Each[], work: (each: Each) => Promise<void>): Promise<void> {
  let next = 0
  const turn = async () => {
    for (let each = all[next++]; each !== undefined; each = all[next++]) await work(each)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, turn))
}

const SHOWN = 400

/** Enough of a text to recognise it. */
export const shortened = (text: string) => (text.length > SHOWN ? `${text.slice(0, SHOWN)}... (${text.length})` : text)
