import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { freezeInTransaction } from './frozen.ts'
import type { Shape } from './shape.ts'
import { waitUntil } from './wait-until.ts'

/** Something stands still, or falls silent, until it is let go. */
export interface Standstill {
  /** What it was, and in what. */
  what: string
  end(): void
}
export type StandStill = (shape: Shape, random: () => number) => Promise<Standstill>

const oneOf = <Item>(items: readonly Item[], random: () => number) => items[Math.floor(random() * items.length)] as Item

const processOf =
  (...named: ('api-1' | 'api-2' | 'worker' | 'worker-2')[]): StandStill =>
  async (shape, random) => {
    const name = oneOf(named, random)
    return { what: `${name} in ${await freezeInTransaction(shape, name)}`, end: () => void shape.process(name).kill('SIGCONT') }
  }

/** Every process of ours that can stand still, and every server's. */
export const standstills: Record<string, StandStill> = {
  worker: processOf('worker', 'worker-2'),
  api: processOf('api-1', 'api-2'),
  async documents(shape) {
    shape.process('documents').kill('SIGSTOP')
    return { what: 'documents', end: () => void shape.process('documents').kill('SIGCONT') }
  },
  async redis({ redis }) {
    redis.freeze()
    return { what: 'redis', end: () => redis.thaw() }
  },
  async browser({ browser }) {
    await waitUntil(async () => (await browser.running()).length > 0)
    const groups = (await browser.running()).map(groupOf)
    const signalAll = (signal: NodeJS.Signals) => {
      for (const group of groups) send(-group, signal)
    }
    signalAll('SIGSTOP')
    return { what: 'browser', end: () => signalAll('SIGCONT') }
  },
  session: freezeSession,
}

/** Cables that are pulled: of a machine with one process, of all to one server. */
export const silences: Record<string, StandStill> = {
  async 'machine of a worker'({ links }, random) {
    const name = oneOf(['worker', 'worker-2'] as const, random)
    return cut(`the machine of ${name}`, Object.values(links[name] ?? {}))
  },
  async 'machine of an API process'({ links }, random) {
    const name = oneOf(['api-1', 'api-2'] as const, random)
    return cut(`the machine of ${name}`, Object.values(links[name] ?? {}))
  },
  async 'way to Redis'({ links }) {
    return cut(
      'the way to Redis',
      Object.values(links).map(({ redis }) => redis),
    )
  },
  // As a firewall that forgot its connections: new ones pass.
  async 'connections to PostgreSQL'({ links }) {
    const all = Object.values(links).map(({ postgres }) => postgres)
    const { what, end } = cut('connections to PostgreSQL', all)
    end()
    return { what, end: () => {} }
  },
}

function cut(what: string, links: { cut(): void; mend(): void }[]): Standstill {
  for (const link of links) link.cut()
  return {
    what,
    end() {
      for (const link of links) link.mend()
    },
  }
}

/**
 * Stops a session of PostgreSQL, in a transaction where one is open. One that stands still with a lock of the server's own inside stops
 * all of the server, as a frozen primary does: such a one is let go, and another taken.
 */
async function freezeSession({ query }: Shape, random: () => number): Promise<Standstill> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const sessions = await query<{ pid: number; state: string; query: string }>(
      `SELECT pid, state, query FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'weather%'
        ORDER BY (xact_start IS NULL), random() LIMIT 3`,
    )
    const { pid, state, query: text } = oneOf(sessions, random)
    send(pid, 'SIGSTOP')
    await pause(30)
    if (await answers(query))
      return { what: `a session, ${state} in ${text.replace(/\s+/g, ' ').trim().slice(0, 40)}`, end: () => send(pid, 'SIGCONT') }
    send(pid, 'SIGCONT')
  }
  throw new Error('every session that was stopped stopped the server')
}

/** Writes to the log of the server and waits for the disk. */
async function answers(query: Shape['query']): Promise<boolean> {
  const said = query("SELECT pg_logical_emit_message(true, 'test', 'here')").then(() => true)
  said.catch(() => {})
  return Promise.race([said, pause(1000).then(() => false)])
}

/** The group of processes that a browser was started in, whatever started it. */
function groupOf(pid: number): number {
  const [, , group] = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/.*\) /, '').split(' ')
  return Number(group)
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended by itself.
  }
}
