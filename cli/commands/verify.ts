import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type Command, Option } from 'commander'
import { counted } from '../counted.ts'
import { exits, failure, isFailure } from '../failure.ts'
import { unreadable } from '../file-fault.ts'
import { type Output, print, printLine } from '../format.ts'
import { readWitness, type Witness } from '../log/witness.ts'
import { rangeText } from '../range-text.ts'
import { readConnection, serviceNamed } from '../settings.ts'
import { checkFile, SOURCES, type Verification } from '../verify/check-file.ts'
import type { Check } from '../verify/checks.ts'
import { type Conclusion, conclusionOf } from '../verify/conclusion.ts'
import { readKeys } from '../verify/keys.ts'
import type { Outside } from '../verify/outside.ts'
import { askService, fetchKeys } from '../verify/service-answer.ts'
import { type Kind, kinds, type Peak, type Summary } from '../verify/summary.ts'
import { addCommand, gather, outputOf, wrapAction } from './command.ts'
import { verifyReport } from './reports.ts'

/** weather verify: verifies a document, evidence, or a report of the service. */
export function addVerify(program: Command): void {
  addCommand(
    program,
    'verify',
    "verify a report's document against its evidence and outside facts, or rebuild a report of the service from its records",
    'verify report.pdf --keys https://weather.example.com',
  )
    .argument('<what>', "a report's PDF, its evidence.json, or the id of a report of the service")
    .option('--fingerprint <hex>', 'the expected fingerprint, or its first 16 digits')
    .option('--keys <file or address>', 'public keys of the service: /.well-known/jwks.json, as a file or URL')
    .option('--service <address>', 'query this service (default: the one of the settings, unless --fingerprint or --keys is given)')
    .option('--source <file>', "an agency's file that the report cites, to compare its rows; repeat for several", gather)
    .option('--witness <key>', 'verifier key of a log witness, NAME+ID+KEY; repeat for several', addWitness)
    .addOption(new Option('--offline', 'query no service').conflicts('service'))
    .addHelpText('after', STATUSES)
    .action((what: string, options: VerifyOptions, command: Command) =>
      REPORT_ID.test(what) && !existsSync(what) ? verifyStored(what, options, command) : verifyFile(what, options, outputOf(command)),
    )
}

const addWitness = (text: string, witnesses: Witness[] = []) => [...witnesses, witnessFrom(text)]

function witnessFrom(text: string): Witness {
  try {
    return readWitness(text)
  } catch {
    throw failure(exits.usage, '--witness must be the verifier key of a witness: its name, id and key, separated by plus signs.')
  }
}

const STATUSES = `
Exit status: 0 it agrees with something outside the file: the given fingerprint, a published key, a witness of its log, the service's
  response, or the agencies' files that state all of its records.
  9 something differs. 10 it agrees with itself, but there was nothing outside the file to compare it with.`

interface VerifyOptions {
  source?: string[]
  witness?: Witness[]
  fingerprint?: string
  keys?: string
  service?: string
  offline?: boolean
  profile?: string
}

const REPORT_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

async function verifyFile(file: string, options: VerifyOptions, output: Output): Promise<void> {
  const sourcesFile = path.join(path.dirname(file), SOURCES)
  const verification = await checkFile(read(file), await outsideOf(options), existsSync(sourcesFile) ? read(sourcesFile) : null)
  const { status, verdict, sentence } = conclusionOf(verification.checks)
  print(answerOf(file, verification, verdict), output, tableOf(file, verification))
  printLine(sentence)
  process.exitCode = status
}

/** Verifies a report of the service by its id. @throws Failure if an option for comparing a file was given */
async function verifyStored(id: string, options: VerifyOptions, command: Command): Promise<void> {
  for (const [name, reason] of Object.entries(FILE_ONLY))
    if (options[name as keyof typeof FILE_ONLY] !== undefined) throw failure(exits.usage, `--${name} ${reason}`)
  const expected = expectedFingerprint(options)
  await wrapAction((invocation) => verifyReport(invocation, expected))(id, options, command)
}

/** Why these options do not apply to the id of a report. */
const FILE_ONLY = {
  witness: 'needs the PDF of the report, which contains the checkpoint of its log.',
  source: 'needs the PDF of the report, or its evidence.json with sources.json beside it.',
  keys: 'needs the PDF of the report, which is what they signed.',
  service: 'needs a file. A report is read from the service that stores it: choose it with --profile.',
  offline: 'needs a file, because a report is read from the service that stores it.',
}

function read(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (fault) {
    throw unreadable(file, fault)
  }
}

async function outsideOf(options: VerifyOptions): Promise<Outside> {
  const fingerprint = expectedFingerprint(options)
  const keys = options.keys === undefined ? null : { from: options.keys, list: await keysFrom(options.keys, options) }
  const url = serviceOf(options)
  return {
    fingerprint,
    keys,
    sources: options.source ?? [],
    witnesses: options.witness ?? [],
    ask: url === null ? null : (of) => askService(url, of),
  }
}

/** Digits of the printed short fingerprint, and of the whole one. */
const FINGERPRINT = /^[0-9a-f]{16,64}$/

function expectedFingerprint({ fingerprint }: VerifyOptions): string | null {
  if (fingerprint === undefined) return null
  const digits = fingerprint.toLowerCase().replace(/\s/g, '')
  if (!FINGERPRINT.test(digits)) throw failure(exits.usage, '--fingerprint must be 16 to 64 hex digits.')
  return digits
}

async function keysFrom(place: string, { offline }: VerifyOptions) {
  if (!/^https?:\/\//.test(place)) return readKeys(read(place).toString('utf8'), place)
  if (offline) throw failure(exits.usage, '--offline queries no service: save its /.well-known/jwks.json, and give --keys that file.')
  return fetchKeys(place)
}

/** The service to query: the named one, or else the one of the settings if there is nothing else to compare with. */
function serviceOf({ service, offline, fingerprint, keys, profile }: VerifyOptions): string | null {
  if (service !== undefined) return serviceNamed(service)
  if (offline || fingerprint !== undefined || keys !== undefined) return null
  try {
    return readConnection(process.env, profile).url
  } catch (fault) {
    // Without a service the file is only compared with itself.
    if (isFailure(fault) && profile === undefined) return null
    throw fault
  }
}

/** As JSON, all of it. */
function answerOf(
  file: string,
  { kind, stated, methodology_version, computed, summary, signed_by, checks }: Verification,
  verdict: Conclusion['verdict'],
) {
  const matches = verdict === 'unconfirmed' ? null : verdict === 'verified'
  return { file, kind, verdict, matches, stated, methodology_version, computed, summary, signed_by, checks }
}

const NAMES: Record<Kind, string> = { hail_reported: 'hail reported', hail_by_radar: 'hail by radar', wind: 'wind', tornado: 'tornado' }
const OUTCOMES: Record<Check['outcome'], string> = { agrees: 'agrees', differs: 'DIFFERS', not_compared: 'not compared' }

function tableOf(file: string, { computed, methodology_version, summary, checks }: Verification): Record<string, unknown> {
  const compared = checks.map(({ what, outcome, detail }, at) => [`${at + 1} ${what}`, `${OUTCOMES[outcome]}: ${detail}`])
  return {
    file,
    fingerprint: computed,
    ...(methodology_version !== null && { method: `version ${methodology_version}` }),
    ...(summary && linesOf(summary)),
    ...Object.fromEntries(compared),
  }
}

function linesOf({ latitude, longitude, window, records, days, sources_searched, sources_found, peaks, stamp }: Summary) {
  return {
    place: `${latitude}, ${longitude}`,
    window: `${rangeText(window.start, window.end)}, within ${Number(window.radius_miles)} mi`,
    records: `${records} on ${counted(days, 'day')}; ${counted(sources_searched.length, 'source')} searched, ${sources_found} with records`,
    ...Object.fromEntries(kinds.map((kind) => [NAMES[kind], peakLine(peaks[kind])])),
    stamp: stamp ?? 'unknown: the evidence does not state whether zone records could not be located',
  }
}

function peakLine(peak: Peak | null): string | null {
  if (!peak) return null
  const { value, qualifier, distance_miles, bearing, county, state, occurred_on } = peak
  const where = distance_miles === null ? [county, state].filter(Boolean).join(', ') : `${distance_miles} mi${bearing ? ` ${bearing}` : ''}`
  return `${value} (${QUALIFIER_LABELS[qualifier ?? 'unknown'] ?? qualifier}), ${where}, ${occurred_on}`
}

/** How a value was obtained, if the word in the evidence does not make it clear. */
const QUALIFIER_LABELS: Record<string, string> = {
  unknown: 'measured or estimated: not stated',
  radar_estimated: 'estimated by radar',
  surveyed: 'survey',
}
