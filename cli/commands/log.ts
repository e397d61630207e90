import { setTimeout as pause } from 'node:timers/promises'
import type { Command } from 'commander'
import { operate } from '../api.ts'
import { SECOND_MS } from '../durations.ts'
import { type ExitStatus, exits, failure, isFailure } from '../failure.ts'
import { type Output, print, printLine } from '../format.ts'
import { type Checkpoint, contradictsEnd, endOf, readCheckpoint, signerOf } from '../log/checkpoint.ts'
import { isConsistent } from '../log/consistency.ts'
import { keepBoth, recall, remember } from '../log/memory.ts'
import { fetchCheckpoint, fetchTile } from '../log/service-log.ts'
import { textOf } from '../rows.ts'
import { readConnection, serviceNamed } from '../settings.ts'
import { type PublishedKey, readKeys } from '../verify/keys.ts'
import { fetchKeys } from '../verify/service-answer.ts'
import { addCommand, confirm, intervalFrom, outputOf, settingsOf } from './command.ts'

interface WatchOptions {
  service?: string
  keys?: string
  every: number
  once?: boolean
  profile?: string
}

const EVERY_SECONDS = 60

const BEGIN = `mutation ($origin: String!, $published: String) {
  beginLog(origin: $origin, published: $published) { origin size key_id ended { origin size root } } }`

/** weather log: the public log of fingerprints of a service. Only `begin` needs a key. */
export function addLog(program: Command): void {
  const log = program.command('log').description('the log of fingerprints of a service')
  addCommand(
    log,
    'watch',
    "remember the log's last checkpoint and verify that the log only grew since; this detects a log that shows two trees",
    'log watch --service https://weather.example.com',
  )
    .option('--service <address>', 'the service (default: the one of the settings)')
    .option('--keys <file or address>', 'its public keys, if they should not come from the service itself')
    .option('--every <seconds>', 'time between checks', intervalFrom, EVERY_SECONDS)
    .option('--once', 'check once and exit, for scheduled runs')
    .addHelpText('after', STATUSES)
    .action((options: WatchOptions, command: Command) => watch(options, outputOf(command)))

  addCommand(
    log,
    'begin',
    'after a restore: end the log and begin another under a new name (needs the operator key)',
    'log begin --origin weather.example.com/log-2 --published checkpoint',
  )
    .requiredOption('--origin <name>', 'name of the new log, which no log of the service had')
    .option('--published <file>', 'the last checkpoint of the old log that anybody kept (default: the last one in the database)')
    .action(async ({ origin, published }: { origin: string; published?: string }, command: Command) => {
      const setting = settingsOf(command)
      const note = published === undefined ? null : await textOf(published)
      await confirm(setting, `End the log of fingerprints for good, and begin ${origin}?`)
      print(await operate(setting.connection, BEGIN, { origin, published: note }), setting)
    })
}

const STATUSES = `
Checkpoints are stored in $XDG_STATE_HOME/weather/logs (~/.local/state).
Exit status: 0 with --once, if the log is unchanged or grew. 11 the log contradicts an earlier checkpoint, or states that it
  ended and another began: both checkpoints are stored in that folder. The other log is watched from then on. 9 none of its keys signed its checkpoint. 1 with --once, if it could not be read.`

/** Checks the log repeatedly until it contradicts itself. A log that cannot be read now is checked again later. */
async function watch(options: WatchOptions, output: Output): Promise<void> {
  const url = serviceOf(options)
  for (;;) {
    try {
      const end = await checkLog(url, options, output)
      if (end !== null && options.once) throw failure(exits.forked, end)
      if (end !== null) printLine(end)
    } catch (fault) {
      if (options.once || !isFailure(fault) || FATAL_STATUSES.has(fault.exit_status)) throw fault
      printLine(fault.message)
    }
    if (options.once) return
    await pause(options.every * SECOND_MS)
  }
}

const FATAL_STATUSES = new Set<ExitStatus>([exits.forked, exits.failed_or_mismatch, exits.usage])

/** @returns a sentence if the log that was watched has ended and another one began; null otherwise */
async function checkLog(url: string, { keys }: WatchOptions, output: Output): Promise<string | null> {
  const seen = recall(process.env, url)
  const before = seen && readCheckpoint(seen.checkpoint)
  const now = await fetchCheckpoint(url)
  const signer = signerOf(now, await keysOf(url, keys))
  if (!signer) throw failure(exits.failed_or_mismatch, `The checkpoint of ${url} is not signed with any of its keys.`)
  if (before) await requireConsistency(url, before, now)
  if (seen && seen.key_id !== signer.id)
    printLine(`${url} signs its log with the key ${signer.id} now, and signed with ${seen.key_id} before.`)
  const end = before && before.origin !== now.origin ? keepEnd(url, before, now) : null
  const seen_at = new Date().toISOString()
  remember(process.env, { url, checkpoint: now.note, key_id: signer.id, seen_at })
  const grown_by = before && end === null ? now.size - before.size : null
  print({ origin: now.origin, size: now.size, grown_by, key_id: signer.id, seen_at }, output)
  return end
}

/** Keeps the last checkpoint of a log that has ended: the service states its end, and cannot prove that nothing was changed. */
function keepEnd(url: string, before: Checkpoint, now: Checkpoint): string {
  const kept = keepBoth(process.env, 'end', { url, before: before.note, now: now.note }, new Date())
  return (
    `The log ${before.origin} of ${url} ended: the service states ${endOf(before, now)?.size} entries, and it had ${before.size} when it was last seen. ` +
    `Another log, ${now.origin}, began: nothing proves that it extends the first one. The last checkpoint of each is stored in ${kept}.`
  )
}

/** @throws Failure 11 unless the log is the earlier one, possibly with more entries, or another that states that the earlier one ended */
async function requireConsistency(url: string, before: Checkpoint, now: Checkpoint): Promise<void> {
  const fault = await contradiction(url, before, now)
  if (fault === null) return
  const kept = keepBoth(process.env, 'fork', { url, before: before.note, now: now.note }, new Date())
  throw failure(exits.forked, `THE LOG OF ${url} CONTRADICTS ITSELF: ${fault}. It signed both checkpoints; they are stored in ${kept}.`)
}

async function contradiction(url: string, before: Checkpoint, now: Checkpoint): Promise<string | null> {
  if (now.origin !== before.origin) {
    const end = endOf(before, now)
    if (!end) return `its name was ${before.origin} and is now ${now.origin}`
    return contradictsEnd(before, end) ? `it states another tree of ${end.size} entries for ${before.origin} than before` : null
  }
  if (now.size < before.size) return `it had ${before.size} entries and now shows ${now.size}`
  if (await isConsistent(before, now, (level, index, width) => fetchTile(url, level, index, width))) return null
  return now.size === before.size
    ? `it shows a different tree of ${now.size} entries than before`
    : `its tree of ${now.size} entries did not grow from the tree of ${before.size} entries`
}

async function keysOf(url: string, from: string | undefined): Promise<PublishedKey[]> {
  if (from === undefined || /^https?:\/\//.test(from)) return fetchKeys(from ?? url)
  return readKeys(await textOf(from), from)
}

function serviceOf({ service, profile }: WatchOptions): string {
  return service === undefined ? readConnection(process.env, profile).url : serviceNamed(service)
}
