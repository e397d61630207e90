import { readdir, readFile, readlink } from 'node:fs/promises'
import type { Link } from './link.ts'

/** A session's statement, and its locks that others may wait for. */
export interface Session {
  pid: number
  state: string
  query: string
  /** Advisory locks and transactions of its own that it has locked. */
  locks: number
}

/** Local TCP ports that a process has open, IPv4. */
async function portsOf(pid: number): Promise<Set<number>> {
  const names = await readdir(`/proc/${pid}/fd`).catch(() => [])
  const links = await Promise.all(names.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => '')))
  const inodes = new Set(links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []))
  const rows = (await readFile('/proc/net/tcp', 'utf8')).trim().split('\n').slice(1)
  return new Set(
    rows.flatMap((row) => {
      const [, local, , , , , , , , inode] = row.trim().split(/\s+/)
      return inodes.has(inode as string) ? [Number.parseInt(local?.split(':')[1] as string, 16)] : []
    }),
  )
}

/** Returns the sessions of a process that are in a transaction, those with locks first; through a link if there is one. */
export async function transactionsOf(
  query: <Row extends object>(text: string, values?: unknown[]) => Promise<Row[]>,
  pid: number,
  link?: Pick<Link, 'beyond'>,
): Promise<Session[]> {
  const ports = [...(await portsOf(pid))].map((port) => link?.beyond(port) ?? port)
  return query<Session>(
    `SELECT a.pid, a.state, a.query, count(l.pid)::int AS locks
       FROM pg_stat_activity a
       LEFT JOIN pg_locks l ON l.pid = a.pid AND l.granted AND l.locktype IN ('advisory', 'transactionid')
      WHERE a.datname = current_database() AND a.client_port = ANY ($1::int[]) AND a.state LIKE 'idle in transaction%'
      GROUP BY a.pid, a.state, a.query ORDER BY locks DESC`,
    [ports],
  )
}
