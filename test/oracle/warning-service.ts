import { createReadStream } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { DEFAULT_RETRY, executeGraphql, operate, upload } from '../../cli/api.ts'
import type { Connection } from '../../cli/settings.ts'
import { type Spot, stateHolding } from './geography.ts'
import { inForce, type Notice } from './warned.ts'
import type { WarningQuestion } from './warning-questions.ts'

/** A warning at a watched place, with its messages and the times at which the service states each was in force. */
export interface LiveWarning {
  periods: { from: string; until: string }[]
  messages: { from: string | null; until: string | null; citation_url: string }[]
  citation_url: string
}

/** Rows of one batch call, by the contract. */
const BATCH = 100
const PAGE = 100

/**
 * Watches every place by an address of its own, reads the texts into the archive, and returns the warnings at each
 * place.
 * @param waitUntilDone returns once every job is done; it may look at the current results
 */
export async function warningsAt(
  connection: Connection,
  places: readonly Spot[],
  files: readonly string[],
  waitUntilDone: (look: () => Promise<unknown>) => Promise<void>,
): Promise<LiveWarning[][]> {
  await upload(connection, '/operator/archive/address-points?file_name=warned.csv', Readable.from(addressPoints(places)), () => {})
  const team = await operate<{ id: string }>(connection, 'mutation { adminCreateTeam(name: "Warned", plan: "enterprise") { id } }')
  const issue = 'mutation ($team: ID!) { adminIssueToken(team: $team, name: "Warned", all_abilities: true) { token } }'
  const { token } = await operate<{ token: string }>(connection, issue, { team: team.id })
  const look = () => readWarnings(connection, token, places.length)
  for (let at = 0; at < places.length; at += BATCH) await watch(connection, token, places.slice(at, at + BATCH), at)
  await waitUntilDone(look)
  for (const file of files)
    await upload(connection, `/operator/archive/warnings?quiet=true&file_name=${path.basename(file)}`, createReadStream(file), () => {})
  await waitUntilDone(look)
  return look()
}

/** Small jobs are done within seconds: results that are unchanged for so long are final. */
const STEADY_MS = 5_000

/** Waits until the results no longer change. */
export async function waitUntilStable(look: () => Promise<unknown>): Promise<void> {
  for (let before: string | null = null; ; ) {
    const now = JSON.stringify(await look())
    if (now === before) return
    before = now
    await new Promise((resume) => setTimeout(resume, STEADY_MS))
  }
}

const addressOf = (at: number, place: Spot) => `${101 + at} Warning St, Oracle, ${stateHolding(place)}`

function* addressPoints(places: readonly Spot[]): Generator<string> {
  yield 'LON,LAT,NUMBER,STREET,CITY,REGION,POSTCODE\n'
  for (const [at, place] of places.entries()) yield `${place[0]},${place[1]},${101 + at},Warning St,Oracle,${stateHolding(place)},\n`
}

async function watch({ url }: Connection, token: string, places: readonly Spot[], first: number): Promise<void> {
  const properties = places.map((place, at) => ({ address: addressOf(first + at, place), label: String(first + at) }))
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const answer = await fetch(`${url}/api/v1/properties/batch`, { method: 'POST', headers, body: JSON.stringify({ properties }) })
  const { results } = (await answer.json()) as { results: { status: string; message: string | null }[] }
  const refused = results?.find(({ status }) => status !== 'created')
  if (answer.status !== 201 || refused) throw new Error(`a place was not watched: ${answer.status} ${refused?.message}`)
}

interface Page {
  data: { subject: { name: string }; warning: Omit<LiveWarning, 'messages'>; warning_messages: LiveWarning['messages'] }[]
  meta: { last_page: number }
}

const EXPOSURES = `query ($page: Int) { exposures(kind: warning, per_page: ${PAGE}, page: $page) {
  data { subject { name } warning { citation_url periods { from until } } warning_messages { from until citation_url } } meta { last_page } } }`

async function readWarnings({ url }: Connection, token: string, places: number): Promise<LiveWarning[][]> {
  const found = Array.from({ length: places }, (): LiveWarning[] => [])
  for (let page = 1; ; page++) {
    const { data, meta } = await executeGraphql<Page>(url, token, EXPOSURES, { page }, DEFAULT_RETRY)
    for (const { subject, warning, warning_messages } of data) found[Number(subject.name)]?.push({ ...warning, messages: warning_messages })
    if (page >= meta.last_page) return found
  }
}

/** The service's statement of what was in force at a moment, in the terms of `inForce`. */
export function liveInForce(warnings: readonly LiveWarning[], at: number): string[] {
  const within = ({ from, until }: { from: string | null; until: string | null }) =>
    from !== null && until !== null && Date.parse(from) / 1000 <= at && at < Date.parse(until) / 1000
  return warnings.flatMap(({ periods, messages, citation_url }) => {
    if (!periods.some(within)) return []
    const [, year, rest] = /event\/(\d{4})-O-NEW-(.+)$/.exec(citation_url) as unknown as [string, string, string]
    const products = new Set(messages.filter(within).map((message) => message.citation_url.split('pid=')[1]))
    return [...products].map((product) => `${rest.replaceAll('-', '.')}.${year} by ${product}`)
  })
}

/** Every moment at which the service and the texts differ. */
export function warningDifferences(
  questions: readonly WarningQuestion[],
  notices: readonly Notice[],
  live: readonly LiveWarning[][],
): string[] {
  return questions.flatMap(({ place, moments }, index) =>
    moments.flatMap((at) => {
      const [want, have] = [inForce(notices, place, at), liveInForce(live[index] ?? [], at)].map((warnings) => warnings.sort().join(', '))
      return want === have ? [] : [`${place[1]}, ${place[0]} at ${new Date(at * 1000).toISOString()}: "${have}", not "${want}"`]
    }),
  )
}
