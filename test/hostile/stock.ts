import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'

/** A service with the sample data, and its address from outside. */
export interface Target {
  base_url: string
  /** Of the team that watches the sample's storm. */
  token: string
  /** Of another team. */
  other_team_token: string
  /** A network for destinations, where every post is accepted. */
  receiver: string
  /** Runs background work, if the service does not do it by itself. */
  settle(): Promise<void>
}

export const nouns = ['report', 'property', 'territory', 'integration', 'exposure', 'contact'] as const
export type RecordNoun = (typeof nouns)[number]
/** Ids by the name of their path parameter; a contact belongs to the property. */
export type Ids = Record<RecordNoun, string>

/** The records for requests, so that a valid request finds its record. */
export interface Stock {
  /** Read and never changed: other records depend on them. */
  kept: Ids
  /** May be changed. */
  loose: Ids
  /** Another team's. */
  foreign: Ids
  delivery: string
  place_ids: number[]
  receiver: string
  /** The ids of the kept records, except one removable record of the noun. */
  spare(noun: RecordNoun): Promise<Ids>
  /** Reports that were made to be removed: each cost a credit. */
  reports_made(): number
  /** Adds a record that a request made: it may be removed. */
  takeIn(noun: RecordNoun, id: string): void
}

const STORM = { address: '100 Main Street, Frisco, TX 75034', window_start: '2025-01-01', window_end: '2025-12-31' }
const AREA = { name: 'Frisco', kind: 'radius', latitude: 33.1499, longitude: -96.8241, radius_miles: 5 }
/** No test install has as many. */
const NO_EXPOSURE = '2147483647'

/** Makes records of every kind through the service's own API. */
export async function createStock(target: Target): Promise<Stock> {
  const own = recordsOf(target, target.token)
  const otherTeam = recordsOf(target, target.other_team_token)
  const exposures = await until(target, async () => (await own.call('GET', '/exposures')).data)
  const watched = (noun: string) => exposures.find(({ subject }: { subject: { object: string } }) => subject.object === noun).subject.id
  const [property, territory, exposure] = [watched('property'), watched('territory'), String(exposures[0].id)]
  const kept = { ...(await own.set(property)), property, territory, exposure }
  const loose = { ...(await own.set()), exposure: String(exposures.at(-1).id) }
  const foreign = { ...(await otherTeam.set()), exposure: NO_EXPOSURE }
  await own.call('POST', `/integrations/${kept.integration}/test`)
  await until(target, async () => (await own.call('GET', '/reports?status=complete')).data)
  const { data: places } = await own.call('GET', '/places?search=Moore')
  const { data: deliveries } = await own.call('GET', '/integrations/deliveries')
  let reports_made = 0
  const spares: Record<string, string[]> = Object.fromEntries(nouns.map((noun) => [noun, []]))
  return {
    kept,
    loose,
    foreign,
    delivery: deliveries[0].id,
    place_ids: places.map(({ id }: { id: number }) => id),
    receiver: target.receiver,
    async spare(noun) {
      if (noun === 'exposure') return loose
      const spare = spares[noun]?.pop()
      if (noun === 'report' && spare === undefined) reports_made += 1
      return { ...kept, [noun]: spare ?? (await own.make[noun](kept.property)) }
    },
    reports_made: () => reports_made,
    takeIn: (noun, id) => void spares[noun]?.push(id),
  }
}

/** Makes records of a team. */
function recordsOf({ base_url, receiver }: Target, token: string) {
  // biome-ignore lint/suspicious/noExplicitAny: an answer is whatever the endpoint answers
  async function call(method: string, path: string, body?: object): Promise<any> {
    const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) }
    const answer = await fetch(`${base_url}/api/v1${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    if (!answer.ok) throw new Error(`${method} ${path} of the stock: ${answer.status} ${await answer.text()}`)
    return answer.json()
  }
  const made = async (path: string, body: object): Promise<string> => String((await call('POST', path, body)).data.id)
  const make = {
    report: () => made('/reports', STORM),
    property: () => made('/properties', { address: `${randomInt(1_000, 9_999_999)} Main Street, Frisco, TX 75034` }),
    territory: () => made('/territories', AREA),
    integration: () => made('/integrations', { name: 'Desk', channel: 'webhook', url: receiver, events: ['digest.sent'] }),
    contact: (property: string) => made(`/properties/${property}/contacts`, { name: 'Ada' }),
  }
  async function set(of?: string): Promise<Ids> {
    const property = of ?? (await make.property())
    const contact = await make.contact(property)
    const [report, territory, integration] = [await make.report(), await make.territory(), await make.integration()]
    return { property, contact, report, territory, integration, exposure: '' }
  }
  return { call, make, set }
}

/** Background work takes a moment; after a minute it has failed. */
const DONE_WITHIN_MS = 60_000
const LOOK_AGAIN_MS = 100

/** The rows, once there are any. */
// biome-ignore lint/suspicious/noExplicitAny: rows of any endpoint
async function until({ settle }: Target, look: () => Promise<any[]>): Promise<any[]> {
  for (const end = Date.now() + DONE_WITHIN_MS; Date.now() < end; await pause(LOOK_AGAIN_MS)) {
    await settle()
    const rows = await look()
    if (rows.length > 0) return rows
  }
  throw new Error('the stock was not there in time')
}
