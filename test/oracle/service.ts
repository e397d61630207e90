import { createReadStream } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { operate, upload } from '../../cli/api.ts'
import type { Connection } from '../../cli/settings.ts'
import type { Question } from './expected.ts'
import { stateHolding } from './ground.ts'

/** A cited record, as GET /reports/{report}/events answers it: the keys that are compared. */
export interface LiveRecord {
  type: string
  family: string
  severity: string
  occurred_on: string
  begins_at: string
  measurements: Record<'wind_speed_mph' | 'wind_gust_mph' | 'hail_size_in' | 'tornado_ef_scale', number | null>
  relevance: { distance_miles: number | null; bearing: string | null }
  provenance: { source: string; citation_url: string }
}

export interface LiveReport {
  id: string
  status: string
  failure_reason: string | null
  address: { latitude: number; longitude: number }
  event_count: number
  findings: LiveFinding[]
}

export interface LiveFinding {
  family: string
  event_count: number
  peak_severity: string
  peak_hail_in: number | null
  peak_wind_mph: number | null
  peak_tornado_ef: number | null
  nearest_miles: number | null
}

export interface LiveAnswer {
  report: LiveReport
  records: LiveRecord[]
}

/** Reads files into the archive through the operator's upload. */
export async function importFiles(connection: Connection, source: string, files: readonly string[]): Promise<void> {
  for (const file of files)
    await upload(connection, `/operator/archive/${source}?file_name=${path.basename(file)}`, createReadStream(file), () => {})
}

/**
 * Asks for a report on every question, in batches, and reads each with all of its records. Places are exact: each is
 * imported as an address point, and asked for by its address.
 * @param settle returns once no report is pending
 */
export async function askService(
  connection: Connection,
  questions: readonly Question[],
  settle: (ids: readonly string[], call: Call) => Promise<void>,
): Promise<LiveAnswer[]> {
  await upload(connection, '/operator/archive/address-points?file_name=places.csv', Readable.from(addressPoints(questions)), () => {})
  const call = await openTeam(connection)
  const ids: string[] = []
  for (let at = 0; at < questions.length; at += BATCH) ids.push(...(await createReports(call, questions.slice(at, at + BATCH), at)))
  await settle(ids, call)
  const answers: LiveAnswer[] = []
  for (const id of ids)
    answers.push({ report: (await call<{ data: LiveReport }>('GET', `/reports/${id}`)).data, records: await readRecords(call, id) })
  return answers
}

/** Waits until the workers have ended every report. */
export async function poll(ids: readonly string[], call: Call): Promise<void> {
  for (const id of ids) {
    while ((await call<{ data: LiveReport }>('GET', `/reports/${id}`)).data.status === 'pending') await pause(LOOK_AGAIN_MS)
  }
}

/** Rows of one batch call, by the contract. */
const BATCH = 25
/** A report takes a few tens of milliseconds. */
const LOOK_AGAIN_MS = 50
/** Each may ask 120 times a minute: together enough never to wait for long. */
const TOKENS = 8

const townOf = (at: number) => `${101 + at} Question St, Oracle`

function* addressPoints(questions: readonly Question[]): Generator<string> {
  yield 'LON,LAT,NUMBER,STREET,CITY,REGION,POSTCODE\n'
  for (const [at, { place }] of questions.entries())
    yield `${place[0]},${place[1]},${101 + at},Question St,Oracle,${stateHolding(place)},\n`
}

async function createReports(call: Call, questions: readonly Question[], first: number): Promise<string[]> {
  const reports = questions.map(({ place, start, end, radius_miles }, at) => ({
    address: `${townOf(first + at)}, ${stateHolding(place)}`,
    window_start: start,
    window_end: end,
    radius_miles,
  }))
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

/** A team of its own, and a way to ask as it: tokens take turns, and a refusal for haste is waited out. */
async function openTeam(connection: Connection): Promise<Call> {
  const team = await operate<{ id: string }>(connection, 'mutation { adminCreateTeam(name: "Oracle", plan: "enterprise") { id } }')
  const issue = 'mutation ($team: ID!) { adminIssueToken(team: $team, name: "Oracle", all_abilities: true) { token } }'
  const tokens = await Promise.all(Array.from({ length: TOKENS }, () => operate<{ token: string }>(connection, issue, { team: team.id })))
  let turn = 0
  return async function call<T>(method: string, at: string, body?: unknown): Promise<T> {
    const token = tokens[turn++ % tokens.length]?.token
    const headers = { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) }
    const answer = await fetch(`${connection.url}/api/v1${at}`, { method, headers, body: body === undefined ? null : JSON.stringify(body) })
    if (answer.status === 429) {
      await pause(Number(answer.headers.get('retry-after')) * 1000)
      return call(method, at, body)
    }
    const parsed = (await answer.json()) as T & { message?: string }
    if (!answer.ok) throw new Error(`${method} ${at} answered ${answer.status}: ${parsed.message}`)
    return parsed
  }
}

const pause = (ms: number) => new Promise((resume) => setTimeout(resume, ms))
