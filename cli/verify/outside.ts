import { isFailure } from '../failure.ts'
import { type Checkpoint, contradictsEnd, endOf, signerOf } from '../log/checkpoint.ts'
import { isConsistent } from '../log/consistency.ts'
import { cosignatureBy, type Witness } from '../log/witness.ts'
import { type Check, type Claims, checksOf } from './checks.ts'
import { keyIdOf, type PublishedKey, signsFingerprint } from './keys.ts'
import type { ServiceAnswer } from './service-answer.ts'

/** Facts about a report from outside the verified file. */
export interface Outside {
  /** 64 hex digits, or at least the first 16 of them. */
  fingerprint: string | null
  keys: { from: string; list: PublishedKey[] } | null
  /** Log witnesses that the user trusts. */
  witnesses?: readonly Witness[]
  /** Files of agencies, by their paths. */
  sources?: readonly string[]
  /** Queries a service; null if no service is queried. */
  ask: ((fingerprint: string) => Promise<ServiceAnswer>) | null
}

/** Compares the claims of a file with facts outside it. */
export async function compareOutside(claims: Claims, { fingerprint, keys, witnesses = [], ask }: Outside): Promise<Check[]> {
  return [
    ...(fingerprint === null ? [] : [compareFingerprint(claims, fingerprint)]),
    ...(keys === null ? [] : compareKeys(claims, keys.list, keys.from, true)),
    ...compareWitnesses(claims, witnesses),
    ...(ask === null ? [] : await compareService(claims, ask)),
  ]
}

const { agrees, differs, notCompared } = checksOf({ outside: true })

function compareFingerprint({ fingerprint }: Claims, expected: string): Check {
  return fingerprint.startsWith(expected)
    ? agrees('fingerprint', 'the evidence has the given fingerprint')
    : differs('fingerprint', `the evidence has the fingerprint ${fingerprint}, but ${expected} was given`)
}

/** @param binding whether a signed file must be signed by one of these keys */
function compareKeys(claims: Claims, list: PublishedKey[], from: string, binding: boolean): Check[] {
  const { fingerprint, fingerprint_signature: signature, document_key } = claims
  const known = (purpose: string, isIt: (key: PublishedKey) => boolean) =>
    list.find((key) => (key.purpose ?? purpose) === purpose && isIt(key))
  const checks: Check[] = []
  if (document_key !== null) {
    const key = known('document', (published) => published.key.equals(document_key))
    if (key) checks.push(agrees('signature', `the whole file is signed with the key ${described(key)}, published at ${from}`))
    else if (binding)
      checks.push(differs('signature', `the file is signed with the key ${keyIdOf(document_key)}, which is not published at ${from}`))
  }
  if (signature) {
    const key = known('fingerprint', ({ id }) => id === signature.key_id)
    if (key && signsFingerprint(key, signature, fingerprint))
      checks.push(agrees('fingerprint', `the fingerprint is signed with the key ${described(key)}, published at ${from}`))
    else if (key) checks.push(differs('fingerprint', `the key ${signature.key_id} did not sign this fingerprint`))
    else if (binding)
      checks.push(differs('fingerprint', `the fingerprint is signed with the key ${signature.key_id}, which is not published at ${from}`))
  }
  checks.push(...compareLogKey(claims, list, from, binding))
  if (checks.length > 0) return checks
  return [notCompared('signature', `nothing in the file is signed with a key that is published at ${from}`)]
}

/** The checkpoint states that the fingerprint is in the log. The log's key shows who stated it. */
function compareLogKey({ inclusion }: Claims, list: PublishedKey[], from: string, binding: boolean): Check[] {
  if (!inclusion) return []
  const { checkpoint } = inclusion
  const key = signerOf(checkpoint, list)
  if (key) return [agrees('log', `the checkpoint of ${checkpoint.origin} is signed with the key ${described(key)}, published at ${from}`)]
  return binding ? [differs('log', `the checkpoint of ${checkpoint.origin} is not signed with a key that is published at ${from}`)] : []
}

/**
 * Checks the cosignatures of the given witnesses, which state when each saw this checkpoint. Those of others cannot be checked without
 * their keys.
 */
function compareWitnesses({ inclusion }: Claims, witnesses: readonly Witness[]): Check[] {
  if (!inclusion) return witnesses.map(({ name }) => notCompared('witness', `the file has no checkpoint that ${name} could have cosigned`))
  const { checkpoint } = inclusion
  const witnessChecks = witnesses.map((witness) => {
    const { name } = witness
    const cosignature = cosignatureBy(witness, checkpoint)
    if (cosignature.state === 'signed')
      return agrees(
        'witness',
        `${name} cosigned this checkpoint of ${checkpoint.origin} at ${cosignature.at.toISOString()}, which extends the last one it saw`,
      )
    if (cosignature.state === 'forged')
      return differs('witness', `the checkpoint has a signature line of ${name} that ${name} did not sign`)
    return notCompared('witness', `the checkpoint has no signature line of ${name}`)
  })
  const others = checkpoint.signatures.filter(
    ({ name, key_id }) => name !== checkpoint.origin && !witnesses.some((one) => one.name === name && one.key_id === key_id),
  )
  if (others.length === 0) return witnessChecks
  return [
    ...witnessChecks,
    notCompared(
      'witness',
      `the checkpoint has signature lines of ${others.map(({ name }) => name).join(', ')}: to check one, give its key with --witness`,
    ),
  ]
}

const described = ({ id, is_retired }: PublishedKey) => (is_retired ? `${id} (retired)` : id)

/**
 * If a file names this service, the service must know it and its key must have signed it; otherwise the file is not from this service. The
 * same evidence has the same fingerprint on every installation, so the service may know the fingerprint of a file that names another one.
 */
async function compareService(claims: Claims, ask: NonNullable<Outside['ask']>): Promise<Check[]> {
  let answer: ServiceAnswer
  try {
    answer = await ask(claims.fingerprint)
  } catch (fault) {
    if (!isFailure(fault)) throw fault
    return [notCompared('service', `the service could not be queried: ${fault.message}`)]
  }
  const { url, report_status, keys } = answer
  const is_own = claims.service === null || claims.service === url
  if (report_status === 'unknown' && !is_own)
    return [notCompared('service', `${url} does not know this report; the file names the service ${claims.service}`)]
  return [
    reportStatusCheck(answer),
    ...compareKeys(claims, keys, url, is_own).filter(({ outcome }) => outcome !== 'not_compared'),
    ...(is_own && claims.inclusion ? [await consistencyCheck(claims.inclusion.checkpoint, answer)] : []),
  ]
}

/** Checks that the current log of the service extends the one in the file. Otherwise the service showed different logs to two readers. */
async function consistencyCheck(checkpoint: Checkpoint, { url, keys, log }: ServiceAnswer): Promise<Check> {
  try {
    const newest = await log.checkpoint()
    if (!signerOf(newest, keys)) return differs('log', `the current checkpoint of ${url} is not signed with a key that it publishes`)
    if (newest.origin !== checkpoint.origin) return endCheck(checkpoint, newest, url)
    if (await isConsistent(checkpoint, newest, log.tile))
      return agrees('log', `the current log of ${url} (${newest.size} entries) extends the one in the file`)
    return differs(
      'log',
      `the current log of ${url} (${newest.size} entries) does not extend the one in the file (${checkpoint.size} entries)`,
    )
  } catch (fault) {
    if (!isFailure(fault)) throw fault
    return notCompared('log', `the log could not be read: ${fault.message}`)
  }
}

/** A log that the service ended, after a restore, is not extended by the current one: only its signed checkpoint speaks for the file. */
function endCheck(checkpoint: Checkpoint, newest: Checkpoint, url: string): Check {
  const end = endOf(checkpoint, newest)
  if (!end) return differs('log', `the log of ${url} is ${newest.origin}, but the file names ${checkpoint.origin}`)
  if (contradictsEnd(checkpoint, end))
    return differs('log', `${url} states another tree of ${end.size} entries for ${checkpoint.origin}, which ended, than the file has`)
  return notCompared(
    'log',
    `${url} states that ${checkpoint.origin} ended, with ${end.size} entries, and that its log is now ${newest.origin}: nothing proves that this one extends it`,
  )
}

function reportStatusCheck({ url, report_status }: ServiceAnswer): Check {
  if (report_status === 'unknown') return differs('service', `${url} has issued no report with this fingerprint`)
  if (report_status === 'withdrawn') return agrees('service', `${url} has issued a report with this fingerprint, but no longer stores one`)
  return agrees('service', `${url} has issued a report with this fingerprint`)
}
