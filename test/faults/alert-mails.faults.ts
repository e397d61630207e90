import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { AlertRule, Property } from '#generated/prisma/client.ts'
import { expectConsistent, waitForIdle } from '#test/support/consistency.ts'
import { aDestination, aTeam } from '#test/support/factories.ts'
import { type MailServer, openMailServer } from '#test/support/mail-server.ts'
import { openProcesses, type Processes, SECRET_KEYS } from '#test/support/processes.ts'
import { seededRandom } from '#test/support/random.ts'
import { openReceiver } from '#test/support/receiver.ts'
import { NETWORKS } from '#test/support/shape.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { aRule } from '../domain/alerts/alerts.ts'
import { detailsText, importText } from '../domain/archive/files.ts'
import { aProperty, frisco, MILE } from '../domain/exposures/storm.ts'

const PROPERTIES = 2000
const TAGS = 10
const KILLS = Number(process.env.KILLS ?? 100)
const SEED = Number(process.env.KILL_SEED ?? Date.now() % 1_000_000)
/** Largest number of mails, or settled places, between two kills, so that the work lasts for all kills. */
const APART = 6
/** A restarted process works within this time on a busy machine. */
const WORKING_WITHIN_MS = 120_000
/** From the last kill: a mail whose worker died is taken over once its lease of at most 70 s has ended, and is found within another 15 s. */
const SETTLED_WITHIN_MS = 240_000

it(`${KILLS} kills during a storm day over ${PROPERTIES} properties with 20 rules: each mail arrives once, and none is missing`, {
  timeout: 2_400_000,
}, async () => {
  const random = seededRandom(SEED)
  const [server, receiver] = await Promise.all([openMailServer(), openReceiver()])
  const world = await openWorld({ config: { secret_keys: SECRET_KEYS, webhook_allowed_networks: [NETWORKS] } })
  const team = await aTeam(world)
  const properties = await manyProperties(world, team)
  const rules = await twentyRules(world, team)
  await aDestination(world, team, receiver.url, ['exposure.detected'])
  // New places are checked back to a month before, where there is nothing: the storm is years old.
  await world.owner.query('TRUNCATE outbox, lasting_jobs')
  await importText(world, detailsText({ EVENT_ID: '1', MAGNITUDE: '1.75' }), { quiet: false })
  const processes = await openProcesses(world.app.config.database_url, { SMTP_URL: server.url, WEBHOOK_ALLOWED_NETWORKS: NETWORKS })
  // A connection of the service's own would see no team's rows.
  const stored: Stored = { query: async (text, values) => (await world.app.pool.query(text, values)).rows }
  try {
    let early = 0
    for (let kill = 0; kill < KILLS; kill++) {
      const worker = processes.start('worker')
      const target = (await progress(stored, server)) + 1 + Math.floor(random() * APART)
      early += Number(await reached(stored, server, target))
      await pause(random() * 30)
      await processes.kill(worker)
      await timePasses(stored)
    }
    processes.start('worker')
    const took = await waitForMails(stored)

    const mails = await stored.query<Mail>('SELECT id, rule_id, email, status, exposure_ids, maybe_repeated FROM alert_mails')
    const arrived = arrivals(server)
    const twice = mails.filter(({ id }) => (arrived.get(id)?.length ?? 0) > 1)
    console.log(
      `KILL_SEED=${SEED}: ${KILLS} kills, ${early} of them in mid-work; ${mails.length} mails, ${twice.length} of them twice under one Message-ID, ${mails.filter(({ maybe_repeated }) => maybe_repeated).length} marked; all done ${took} ms after the last kill`,
    )
    expect(new Set(mails.map(({ status }) => status))).toEqual(new Set(['sent']))
    // The ledger matches the mails that arrived and their recipients: each Message-ID once, and a second time only where the ledger states
    // it.
    expect([...arrived.keys()].toSorted()).toEqual(mails.map(({ id }) => id).toSorted())
    for (const { id, email } of mails) expect(new Set(arrived.get(id))).toEqual(new Set([email]))
    expect(twice.filter(({ maybe_repeated }) => !maybe_repeated)).toEqual([])
    // For each rule that a storm day meets, each recipient gets it in one mail of that rule, and in no other.
    for (const { rule, recipients, meets } of rules)
      for (const email of recipients) {
        const named = mails.filter((mail) => mail.rule_id === rule.id && mail.email === email).flatMap(({ exposure_ids }) => exposure_ids)
        expect(await placesOf(stored, named)).toEqual(
          properties
            .filter(meets)
            .map(({ id }) => id)
            .toSorted(),
        )
      }
    expect(await stored.query("SELECT count(*)::int AS n FROM events WHERE name = 'exposure.detected'")).toEqual([{ n: PROPERTIES }])
    // Posts to the destination continue meanwhile: those that a dead worker had taken are free when its lease ends.
    await waitForIdle(stored, SETTLED_WITHIN_MS, ['undelivered'])
    await expectConsistent(stored)
  } finally {
    await processes.close()
    await Promise.all([server.close(), receiver.close()])
  }
})

type Stored = Pick<Processes, 'query'>

interface Mail {
  id: string
  rule_id: string
  email: string
  status: string
  exposure_ids: number[]
  maybe_repeated: boolean
}

/** Around Frisco, each within reach of the hail there, with one of ten tags. */
async function manyProperties(world: World, team: { id: string }): Promise<Property[]> {
  const made: Property[] = []
  for (let n = 0; n < PROPERTIES; n++) {
    const latitude = frisco.latitude + ((n % 50) - 25) * 0.1 * MILE
    made.push(await aProperty(world, team, { label: `P${n}`, latitude, tags: [`t${n % TAGS}`] }))
  }
  return made
}

interface TestedRule {
  rule: AlertRule
  recipients: string[]
  meets(property: Property): boolean
}

/** Eight rules for every place, ten for a tag each, and two that nothing meets. */
async function twentyRules(world: World, team: { id: string }): Promise<TestedRule[]> {
  const rules: TestedRule[] = []
  const add = async (columns: Partial<AlertRule>, recipients: string[], meets: TestedRule['meets']) =>
    rules.push({ rule: await aRule(world, team, columns, recipients), recipients, meets })
  for (let n = 0; n < 8; n++) await add({ name: `All ${n}`, least_hail_in: 1.75 }, [`all${n}@example.com`, 'desk@example.com'], () => true)
  for (let n = 0; n < TAGS; n++)
    await add({ name: `Tag ${n}`, tag: `t${n}` }, [`tag${n}@example.com`], ({ tags }) => tags.includes(`t${n}`))
  await add({ name: 'Larger', least_hail_in: 2 }, ['desk@example.com'], () => false)
  await add({ name: 'Tornado', kinds: ['tornado'] }, ['desk@example.com'], () => false)
  return rules
}

/** Places settled and mails taken so far. */
async function progress({ query }: Stored, server: MailServer): Promise<number> {
  const [counted] = await query<{ n: number }>('SELECT count(*)::int AS n FROM exposures')
  return (counted?.n ?? 0) + server.mails.length
}

/**
 * Frees what a dead worker had leased, and makes what it began due again, as would happen half a minute and a
 * minute later: those times have tests of their own.
 */
async function timePasses({ query }: Stored): Promise<void> {
  await query("UPDATE alert_mails SET leased_until = now() - interval '1 ms' WHERE leased_until > now()")
  await query("UPDATE lasting_jobs SET due_at = now() - interval '1 s'")
  await query("UPDATE schedules SET due_at = now() WHERE job = 'sweep'")
}

/** Whether so much was done while there was still work left. */
async function reached(stored: Stored, server: MailServer, target: number): Promise<boolean> {
  for (const ends = Date.now() + WORKING_WITHIN_MS; Date.now() < ends; await pause(5)) {
    if ((await progress(stored, server)) >= target) return true
    if ((await waiting(stored)) === 0) return false
  }
  throw new Error('the worker did nothing')
}

async function waiting({ query }: Stored): Promise<number> {
  const [counted] = await query<{ n: number }>(`
    SELECT (SELECT count(*) FROM alert_mails WHERE status IN ('queued', 'sending', 'retrying'))::int
         + (SELECT count(*) FROM lasting_jobs WHERE job = 'detection.run')::int AS n`)
  return counted?.n ?? 0
}

async function waitForMails(stored: Stored): Promise<number> {
  const startedAt = Date.now()
  while ((await waiting(stored)) > 0) {
    if (Date.now() - startedAt > SETTLED_WITHIN_MS) throw new Error(`there still wait ${await waiting(stored)}`)
    await pause(500)
  }
  return Date.now() - startedAt
}

/** The recipients of each mail, as often as it arrived, by the id at the start of its Message-ID. */
function arrivals({ mails }: MailServer): Map<string, string[]> {
  const arrived = new Map<string, string[]>()
  for (const { headers, to } of mails) {
    const id = headers['message-id']?.slice(1, 37) ?? ''
    arrived.set(id, [...(arrived.get(id) ?? []), ...to])
  }
  return arrived
}

/** The properties of storm days, as often as they are named. */
async function placesOf({ query }: Stored, exposure_ids: number[]): Promise<string[]> {
  const rows = await query<{ id: string }>(
    'SELECT e.property_id AS id FROM unnest($1::int[]) AS named (id) JOIN exposures e USING (id) ORDER BY 1',
    [exposure_ids],
  )
  return rows.map(({ id }) => id)
}
