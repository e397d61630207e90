import { createReadStream } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { operate, upload } from '../../cli/api.ts'
import type { Connection } from '../../cli/settings.ts'
import type { ContextFiles } from './context.ts'
import type { Question } from './expected.ts'
import { type Spot, stateHolding } from './geography.ts'
import { type ZoneTable, zoneFile } from './zone-table.ts'

/** A cited record, as GET /reports/{report}/events returns it: the keys that are compared. */
export interface LiveRecord {
  type: string
  family: string
  severity: string
  occurred_on: string
  begins_at: string
  measurements: Record<'wind_speed_mph' | 'wind_gust_mph' | 'hail_size_in' | 'tornado_ef_scale', number | null>
  location: { latitude: number | null; longitude: number | null; precision: string }
  relevance: { distance_miles: number | null; bearing: string | null }
  provenance: { source: string; citation_url: string; caveats: string[] }
}

export interface LiveReport {
  id: string
  status: string
  failure_reason: string | null
  address: { latitude: number; longitude: number }
  event_count: number
  findings: LiveFinding[]
  headline: string
  nothing_found: string | null
  coverage: { complete: boolean; provisional: boolean; summary: string; sources_searched: string[]; unplaced_zone_records: number }
}

export interface LiveFinding {
  family: string
  event_count: number
  peak_severity: string
  peak_hail_in: number | null
  peak_wind_mph: number | null
  peak_tornado_ef: number | null
  nearest_miles: number | null
  confidence: string
}

export interface LiveAnswer {
  report: LiveReport
  records: LiveRecord[]
  verification: { authoritative: boolean }
}

/** Imports files into the archive through the operator's upload. */
export async function importFiles(connection: Connection, source: string, files: readonly string[]): Promise<void> {
  for (const file of files)
    await upload(connection, `/operator/archive/${source}?file_name=${path.basename(file)}`, createReadStream(file), () => {})
}

/** Reads warnings and observations into the archive: they make no record. */
export async function importContext(connection: Connection, { warnings, observations }: ContextFiles): Promise<void> {
  await upload(connection, '/operator/archive/warnings?file_name=alerts.geojson', Readable.from([warnings]), () => {})
  await upload(connection, '/operator/archive/observations?file_name=observations.geojson', Readable.from([observations]), () => {})
}

/** Imports a table of forecast zones into the archive. */
export async function importZones(connection: Connection, zones: ZoneTable): Promise<void> {
  await upload(connection, '/operator/archive/zones?file_name=zones.dbx', Readable.from(zoneFile(zones)), () => {})
}

/**
 * Requests a report for every question, in batches, and reads each with all of its records. Places are exact: each
 * is imported as an address point, and requested by its address.
 * @param waitForReports returns once no report is pending
 */
export async function askService(
  connection: Connection,
  questions: readonly Question[],
  waitForReports: WaitForReports,
): Promise<LiveAnswer[]> {
  const addresses = await importAddressPoints(
    connection,
    questions.map(({ place }) => place),
  )
  const call = await openTeam(connection)
  const inputs = questions.map(({ start, end, radius_miles }, at) => ({
    address: addresses[at] as string,
    window_start: start,
    window_end: end,
    radius_miles,
  }))
  const ids = await requestReports(call, inputs, waitForReports)
  const answers: LiveAnswer[] = []
  for (const id of ids) {
    const answer = await readAnswer<Pick<LiveAnswer, 'report' | 'records'>>(call, id)
    const { data } = await call<{ data: LiveAnswer['verification'] }>('GET', `/reports/${id}/verification`)
    answers.push({ ...answer, verification: data })
  }
  return answers
}

/** Returns once none of the reports is pending. */
export type WaitForReports = (ids: readonly string[], call: Call) => Promise<void>

/** Imports places as address points; returns the address of each. */
export async function importAddressPoints(connection: Connection, places: readonly Spot[]): Promise<string[]> {
  await upload(connection, '/operator/archive/address-points?file_name=places.csv', Readable.from(addressPoints(places)), () => {})
  return places.map((place, at) => `${townOf(at)}, ${stateHolding(place)}`)
}

export interface Request {
  address: string
  window_start: string
  window_end: string
  radius_miles: number
}

/** Requests the reports in batches, and waits for them; returns their ids in the order requested. */
export async function requestReports(call: Call, inputs: readonly Request[], waitForReports: WaitForReports): Promise<string[]> {
  const ids: string[] = []
  for (let at = 0; at < inputs.length; at += BATCH) ids.push(...(await createReports(call, inputs.slice(at, at + BATCH))))
  await waitForReports(ids, call)
  return ids
}

/** Returns a report with all of its cited records. */
export async function readAnswer<Answer extends { report: unknown; records: unknown[] }>(call: Call, id: string): Promise<Answer> {
  const { data } = await call<{ data: Answer['report'] }>('GET', `/reports/${id}`)
  return { report: data, records: await readRecords(call, id) } as Answer
}

/** Waits until the workers have finished every report. */
export async function poll(ids: readonly string[], call: Call): Promise<void> {
  for (const id of ids) {
    while ((await call<{ data: LiveReport }>('GET', `/reports/${id}`)).data.status === 'pending') await pause(LOOK_AGAIN_MS)
  }
}

/** Rows of one batch call, by the contract. */
const BATCH = 25
/** A report takes a few tens of milliseconds. */
const LOOK_AGAIN_MS = 50
/** Each token may send 120 requests a minute: together there are enough tokens to never wait for long. */
const TOKENS = 8

const townOf = (at: number) => `${101 + at} Question St, Oracle`

function* addressPoints(places: readonly Spot[]): Generator<string> {
  yield 'LON,LAT,NUMBER,STREET,CITY,REGION,POSTCODE\n'
  for (const [at, place] of places.entries()) yield `${place[0]},${place[1]},${101 + at},Question St,Oracle,${stateHolding(place)},\n`
}

async function createReports(call: Call, reports: readonly Request[]): Promise<string[]> {
  const batch = await call<{ results: { status: string; message: string | null; report: LiveReport }[] }>('POST', '/reports/batch', {
    reports,
  })
  return batch.results.map(({ status, message, report }) => {
    if (status !== 'accepted') throw new Error(`a report was ${status}: ${message}`)
    return report.id
  })
}

async function readRecords(call: Call, id: string): Promise<LiveRecord[]> {
  const records: LiveRecord[] = []
  for (let page = 1; ; page++) {
    const { data, meta } = await call<{ data: LiveRecord[]; meta: { last_page: number } }>(
      'GET',
      `/reports/${id}/events?per_page=100&page=${page}`,
    )
    records.push(...data)
    if (page >= meta.last_page) return records
  }
}

export type Call = <T>(method: string, path: string, body?: unknown) => Promise<T>

/** How often a busy service is retried: for two minutes at its "Try again in 5 s". */
const ASKED_AGAIN_MAX = 24

/** Makes a team, and a function that sends its requests: tokens take turns, a rate limit is waited out, and a busy service is retried. */
export async function openTeam(connection: Connection): Promise<Call> {
  const team = await operate<{ id: string }>(connection, 'mutation { adminCreateTeam(name: "Oracle", plan: "enterprise") { id } }')
  const issue = 'mutation ($team: ID!) { adminIssueToken(team: $team, name: "Oracle", all_abilities: true) { token } }'
  const tokens = await Promise.all(Array.from({ length: TOKENS }, () => operate<{ token: string }>(connection, issue, { team: team.id })))
  let turn = 0
  const ask = async <T>(method: string, at: string, body: unknown, attempt: number): Promise<T> => {
    const token = tokens[turn++ % tokens.length]?.token
    const headers = { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) }
    const answer = await fetch(`${connection.url}/api/v1${at}`, { method, headers, body: body === undefined ? null : JSON.stringify(body) })
    const busy = answer.status === 503 && method === 'GET' && attempt < ASKED_AGAIN_MAX
    if (answer.status === 429 || busy) {
      await pause(Number(answer.headers.get('retry-after')) * 1000)
      return ask(method, at, body, attempt + Number(busy))
    }
    const parsed = (await answer.json()) as T & { message?: string }
    if (!answer.ok) throw new Error(`${method} ${at} answered ${answer.status}: ${parsed.message}`)
    return parsed
  }
  return (method, at, body) => ask(method, at, body, 0)
}

const pause = (ms: number) => new Promise((resume) => setTimeout(resume, ms))
