import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { freezeInTransaction } from './loaded-shape.ts'
import type { Shape } from './shape.ts'
import { waitUntil } from './wait-until.ts'

/** Something that stands still, or falls silent, until it is released. */
export interface Freeze {
  /** What stands still, and in which statement. */
  what: string
  end(): void
}
export type StartFreeze = (shape: Shape, random: () => number) => Promise<Freeze>

const oneOf = <Item>(items: readonly Item[], random: () => number) => items[Math.floor(random() * items.length)] as Item

const processOf =
  (...named: ('api-1' | 'api-2' | 'worker' | 'worker-2')[]): StartFreeze =>
  async (shape, random) => {
    const name = oneOf(named, random)
    return { what: `${name} in ${await freezeInTransaction(shape, name)}`, end: () => void shape.process(name).kill('SIGCONT') }
  }

/** Every process of the service that can stand still, and those of the servers. */
export const freezes: Record<string, StartFreeze> = {
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

/** Pulled cables: those of a machine with one process, or all to one server. */
export const networkCuts: Record<string, StartFreeze> = {
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
  // Like a firewall that lost its connection table: new connections pass.
  async 'connections to PostgreSQL'({ links }) {
    const all = Object.values(links).map(({ postgres }) => postgres)
    const { what, end } = cut('connections to PostgreSQL', all)
    end()
    return { what, end: () => {} }
  },
}

function cut(what: string, links: { cut(): void; mend(): void }[]): Freeze {
  for (const link of links) link.cut()
  return {
    what,
    end() {
      for (const link of links) link.mend()
    },
  }
}

/**
 * Freezes a session of PostgreSQL, in a transaction if one is open. A session that stands still inside one of the
 * server's internal locks stops the whole server, as a frozen primary does: such a session is released, and another
 * one is taken.
 */
async function freezeSession({ query }: Shape, random: () => number): Promise<Freeze> {
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

/** Whether the server still writes to its write-ahead log and the disk. */
async function answers(query: Shape['query']): Promise<boolean> {
  const written = query("SELECT pg_logical_emit_message(true, 'test', 'here')").then(() => true)
  written.catch(() => {})
  return Promise.race([written, pause(1000).then(() => false)])
}

/** The process group of a browser, whatever started it. */
function groupOf(pid: number): number {
  const [, , group] = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/.*\) /, '').split(' ')
  return Number(group)
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has exited by itself.
  }
}
