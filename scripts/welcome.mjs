import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { say } from './steps.mjs'

/**
 * Prints where the service is and how to use it. The first start also acts like a new user: it requests a report on
 * the sample's address through the REST API, waits for it, and shows it. Later starts show the same report.
 * @param {string} program how to run the terminal program here
 */
export async function welcome(ready, home, program) {
  say(ready ? `\nServing on ${ready.base_url}  (Ctrl-C stops)` : '\nWorking, without an API in this process  (Ctrl-C stops)')
  if (ready) showPages(ready)
  if (!ready?.token) return
  const report = ready.sample ? await firstReport(ready, path.join(home, 'first-report')) : null
  if (report) show(report)
  showCommands(ready, report, program)
  say()
}

function showPages({ base_url, console_url, sign_in_url }) {
  say(`  ${'console'.padEnd(12)} ${sign_in_url ?? console_url}${sign_in_url ? '  (signs you in, once, within an hour)' : ''}`)
  for (const [name, at] of Object.entries({ docs: '/docs', map: '/map', health: '/readyz' })) say(`  ${name.padEnd(12)} ${base_url}${at}`)
}

/** Returns the report shown at the first start, or a new one if it has been deleted. */
async function firstReport(ready, reportFile) {
  if (existsSync(reportFile)) {
    const { status, body } = await call(ready, 'GET', `/reports/${readFileSync(reportFile, 'utf8').trim()}`)
    if (status === 200 && body.data.status === 'complete') return body.data
  }
  const { address, window_start, window_end, radius_miles } = ready.sample
  const { status, body } = await call(ready, 'POST', '/reports', {
    address,
    window_start,
    window_end,
    radius_miles,
    reference: 'Sample, made up',
  })
  if (status !== 202) throw new Error(body.message)
  const report = await waitForReport(ready, body.data)
  if (report.status === 'complete') writeFileSync(reportFile, report.id)
  return report
}

/** A report takes well under a second. After a minute something is wrong. */
const COMPLETE_WITHIN_MS = 60_000
const POLL_MS = 100
/** Too many requests, and a service that cannot answer now. */
const BUSY = new Set([429, 503])

async function waitForReport(ready, report) {
  for (const until = Date.now() + COMPLETE_WITHIN_MS; Date.now() < until; await pause(POLL_MS)) {
    const { status, body } = await call(ready, 'GET', `/reports/${report.id}`)
    if (BUSY.has(status)) continue
    if (status !== 200) throw new Error(body.message)
    if (body.data.status !== 'pending') return body.data
  }
  throw new Error(`report ${report.id} is still pending`)
}

async function call({ base_url, token }, method, apiPath, body) {
  const answer = await fetch(`${base_url}/api/v1${apiPath}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    body: body && JSON.stringify(body),
  })
  return { status: answer.status, body: await answer.json() }
}

function show(report) {
  const { address, window, findings, coverage } = report
  say(`\nSample, made up: a report over ${address.query}`)
  say(
    `  ${window.start} to ${window.end}, within ${window.radius_miles} mi: ${report.status}${report.failure_message ? ` (${report.failure_message})` : ''}`,
  )
  if (report.headline) say(`  ${report.headline}`)
  if (report.nothing_found) say(`  ${report.nothing_found}`)
  for (const finding of findings ?? []) say(`  - ${finding.statement} (${finding.confidence_label})`)
  if (coverage.summary) say(`  ${coverage.summary}`)
}

function showCommands({ base_url, token, sample, operator_key }, report, program) {
  const authorized = `  curl -s -H 'Authorization: Bearer ${token}'`
  say('\nTry (the token changes at each start):')
  say(`${authorized} ${base_url}/api/v1/account`)
  if (report) {
    const { address, window_start, window_end, radius_miles } = sample
    const body = JSON.stringify({ address, window_start, window_end, radius_miles })
    say(`${authorized} -H 'Content-Type: application/json' -d '${body.replaceAll("'", "'\\''")}' ${base_url}/api/v1/reports`)
    say(`${authorized} ${base_url}/api/v1/reports/${report.id}/events`)
  }
  if (operator_key) say(`  ${program} archive status`)
}
