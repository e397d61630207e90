import { setTimeout as wait } from 'node:timers/promises'
import { findExposure, listExposures } from '#domain/exposures/find.ts'
import { nextMoment } from '#domain/watches/next-moment.ts'
import { addExposure, aKeptProperty } from './exposures.ts'
import { aCaller, aTeam } from './factories.ts'
import type { World } from './world.ts'

const WRITERS = 8
/** Longest time in milliseconds for which a transaction stays open after it took its moment. */
const DELAY_MS = 500
const PER_PAGE = 100

/** The rows that a reader saw and the rows of the table, each as "id last_seen_at". */
export interface Followed {
  seen: string[]
  stored: string[]
  polls: number
  written: number
}

/** How a transaction takes the moment of its writes. */
export type TakeMoment = typeof nextMoment

/**
 * Lets eight writers add and change the exposures of one team, with commits delayed at random, while a reader
 * follows with the largest `last_seen_at` that it saw. Needs a pool with a connection for each writer, and some to
 * spare.
 */
export async function followSince(world: World, duration_ms: number, takeMoment: TakeMoment = nextMoment): Promise<Followed> {
  const team = await aTeam(world)
  const caller = await aCaller(world, team)
  const properties = await Promise.all(Array.from({ length: WRITERS }, () => aKeptProperty(world, team)))
  const ends = Date.now() + duration_ms
  const seen = new Map<number, string>()
  let cursor: string | null = null
  let polls = 0
  let written = 0

  const write = async (writer: number) => {
    const ids: number[] = []
    while (Date.now() < ends) {
      await world.app.db.$transaction(
        async (tx) => {
          // The other transactions together lock the team's row for seconds.
          await tx.$executeRaw`SELECT set_config(name, '60s', true) FROM unnest(ARRAY['lock_timeout', 'statement_timeout']) AS name`
          const property_id = properties[writer]?.id ?? null
          const moment = await takeMoment(tx, team.id, world.clock.now())
          ids.push(await addExposure(tx, world.clock.now(), team.id, { property_id, date: dayOf(ids.length) }, moment))
          // A transaction also changes an older exposure: both get one moment.
          const older = ids[Math.floor(Math.random() * ids.length)]
          await tx.$executeRaw`
            UPDATE exposures SET reports = reports + 1, last_seen_at = ${moment}::timestamptz WHERE id = ${older}`
          await wait(Math.random() * DELAY_MS)
        },
        { maxWait: 60_000, timeout: 60_000 },
      )
      written++
    }
  }

  const poll = async () => {
    polls++
    for (let page = 1; ; page++) {
      const { data, total } = await listExposures(world.app, caller, { since: cursor, page, per_page: PER_PAGE })
      for (const { id, last_seen_at } of data) if ((seen.get(id) ?? '') < last_seen_at) seen.set(id, last_seen_at)
      if (page * PER_PAGE >= total) break
    }
    cursor = [...seen.values()].reduce<string | null>((largest, moment) => (largest === null || moment > largest ? moment : largest), null)
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
  return { seen: textOf([...seen]), stored: textOf(data), polls, written }
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
