import { setTimeout as wait } from 'node:timers/promises'
import { findExposure, listExposures } from '#domain/exposures/find.ts'
import type { ExposureView } from '#domain/exposures/view.ts'
import type { PageOf } from '#domain/kernel/pagination.ts'
import { nextMoment } from '#domain/watches/next-moment.ts'
import { addExposure, aKeptProperty } from './exposures.ts'
import { aCaller, aTeam } from './factories.ts'
import type { World } from './world.ts'

const WRITERS = 8
/** Longest time in milliseconds for which a transaction stays open after it took its moment. */
const DELAY_MS = 500
/** Longest pause of the reader between two pages, in milliseconds. */
const PAUSE_MS = 200
/** Share of the transactions that also remove an exposure, as a property that is deleted takes its own along. */
const REMOVED_SHARE = 0.2
/** Small, so that most polls have several pages and transactions commit between them. */
const PER_PAGE = 2

/** The rows that a reader saw, without those that were removed, and the rows of the table, each as "id last_seen_at". */
export interface Followed {
  seen: string[]
  stored: string[]
  /** Rows that two pages showed in the same state. */
  doubled: number
  polls: number
  written: number
}

/** How a transaction takes the moment of its writes. */
export type TakeMoment = typeof nextMoment

/**
 * Lets eight writers add, change and remove the exposures of one team, with commits delayed at random, while a reader
 * follows the links of each listing, and begins the next with the largest `last_seen_at` that it saw. Needs a pool with a connection for each writer, and some to
 * spare.
 */
export async function followSince(world: World, duration_ms: number, takeMoment: TakeMoment = nextMoment): Promise<Followed> {
  const team = await aTeam(world)
  const caller = await aCaller(world, team)
  const properties = await Promise.all(Array.from({ length: WRITERS }, () => aKeptProperty(world, team)))
  const ends = Date.now() + duration_ms
  const seen = new Map<number, string>()
  const shown = new Set<string>()
  let doubled = 0
  let cursor = '2000-01-01T00:00:00Z'
  let polls = 0
  let written = 0

  const write = async (writer: number) => {
    const ids: number[] = []
    let days = 0
    while (Date.now() < ends) {
      await world.app.db.$transaction(
        async (tx) => {
          // The other transactions together lock the team's row for seconds.
          await tx.$executeRaw`SELECT set_config(name, '60s', true) FROM unnest(ARRAY['lock_timeout', 'statement_timeout']) AS name`
          const property_id = properties[writer]?.id ?? null
          const moment = await takeMoment(tx, team.id, world.clock.now())
          ids.push(await addExposure(tx, world.clock.now(), team.id, { property_id, date: dayOf(days++) }, moment))
          // A transaction also changes an older exposure: both get one moment.
          const older = ids[Math.floor(Math.random() * ids.length)]
          await tx.$executeRaw`
            UPDATE exposures SET reports = reports + 1, last_seen_at = ${moment}::timestamptz WHERE id = ${older}`
          if (Math.random() < REMOVED_SHARE) await removeOne(tx, ids)
          await wait(Math.random() * DELAY_MS)
        },
        { maxWait: 60_000, timeout: 60_000 },
      )
      written++
    }
  }

  const poll = async () => {
    polls++
    let after: string | null = null
    for (let page = 1; ; page++) {
      const read: PageOf<ExposureView> = await listExposures(world.app, caller, { since: cursor, page, per_page: PER_PAGE, after })
      const { data, total } = read
      after = read.after ?? null
      for (const { id, last_seen_at } of data) {
        if ((seen.get(id) ?? '') < last_seen_at) seen.set(id, last_seen_at)
        if (shown.has(`${id} ${last_seen_at}`)) doubled++
        shown.add(`${id} ${last_seen_at}`)
      }
      if (page * PER_PAGE >= total) break
      await wait(Math.random() * PAUSE_MS)
    }
    cursor = [...seen.values()].reduce((largest, moment) => (moment > largest ? moment : largest), cursor)
  }

  const writers = Array.from({ length: WRITERS }, (_, writer) => write(writer))
  let writing = true
  const done = Promise.all(writers).finally(() => (writing = false))
  while (writing) {
    await poll()
    await wait(20)
  }
  await done
  await poll()
  const { data } = await listAll(world, caller)
  const left = new Set(data.map(([id]) => id))
  return { seen: textOf([...seen].filter(([id]) => left.has(id))), stored: textOf(data), doubled, polls, written }
}

async function removeOne(tx: Pick<World['app']['db'], 'exposure'>, ids: number[]): Promise<void> {
  const [id] = ids.length > 1 ? ids.splice(Math.floor(Math.random() * ids.length), 1) : []
  if (id !== undefined) await tx.exposure.delete({ where: { id } })
}

async function listAll(world: World, caller: Awaited<ReturnType<typeof aCaller>>): Promise<{ data: [number, string][] }> {
  const rows = await world.app.db.exposure.findMany({ where: { team_id: caller.team.id }, select: { id: true } })
  const views = await Promise.all(rows.map(({ id }) => findExposure(world.app, caller, id)))
  return { data: views.map(({ id, last_seen_at }) => [id, last_seen_at]) }
}

const textOf = (pairs: [number, string][]) => pairs.map(([id, moment]) => `${id} ${moment}`).sort()

function dayOf(count: number): string {
  return new Date(Date.UTC(2020, 0, 1 + count)).toISOString().slice(0, 10)
}
