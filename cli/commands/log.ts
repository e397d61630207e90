import { setTimeout as pause } from 'node:timers/promises'
import type { Command } from 'commander'
import { type ExitStatus, exits, failure, isFailure } from '../failure.ts'
import { type Output, print, printLine } from '../format.ts'
import { type Checkpoint, readCheckpoint, signerOf } from '../log/checkpoint.ts'
import { isConsistent } from '../log/consistency.ts'
import { keepFork, recall, remember } from '../log/memory.ts'
import { fetchCheckpoint, fetchTile } from '../log/service-log.ts'
import { textOf } from '../rows.ts'
import { readConnection } from '../settings.ts'
import { type PublishedKey, readKeys } from '../verify/keys.ts'
import { fetchKeys } from '../verify/service-answer.ts'
import { addCommand, intervalFrom, outputOf } from './command.ts'

interface WatchOptions {
  service?: string
  keys?: string
  every: number
  once?: boolean
  profile?: string
}

const MS_PER_SECOND = 1000
const EVERY_SECONDS = 60

/** weather log: the public log of fingerprints of a service. No token is needed. */
export function addLog(program: Command): void {
  const log = program.command('log').description('the log of fingerprints of a service; no token is needed')
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
}

const STATUSES = `
Checkpoints are stored in $XDG_STATE_HOME/weather/logs (~/.local/state).
Exit status: 0 with --once, if the log is unchanged or grew. 11 the log contradicts an earlier checkpoint: both checkpoints are
  stored in that folder. 9 none of its keys signed its checkpoint. 1 with --once, if it could not be read.`

/** Checks the log repeatedly until it contradicts itself. A log that cannot be read now is checked again later. */
async function watch(options: WatchOptions, output: Output): Promise<void> {
  const url = serviceOf(options)
  for (;;) {
    try {
      await checkLog(url, options, output)
    } catch (fault) {
      if (options.once || !isFailure(fault) || FATAL_STATUSES.has(fault.exit_status)) throw fault
      printLine(fault.message)
    }
    if (options.once) return
    await pause(options.every * MS_PER_SECOND)
  }
}

const FATAL_STATUSES = new Set<ExitStatus>([exits.forked, exits.failed_or_mismatch, exits.usage])

async function checkLog(url: string, { keys }: WatchOptions, output: Output): Promise<void> {
  const seen = recall(process.env, url)
  const before = seen && readCheckpoint(seen.checkpoint)
  const now = await fetchCheckpoint(url)
  const signer = signerOf(now, await keysOf(url, keys))
  if (!signer) throw failure(exits.failed_or_mismatch, `The checkpoint of ${url} is not signed with any of its keys.`)
  if (before) await requireConsistency(url, before, now)
  if (seen && seen.key_id !== signer.id)
    printLine(`${url} signs its log with the key ${signer.id} now, and signed with ${seen.key_id} before.`)
  const seen_at = new Date().toISOString()
  remember(process.env, { url, checkpoint: now.note, key_id: signer.id, seen_at })
  const summary = { origin: now.origin, size: now.size, grown_by: before ? now.size - before.size : null, key_id: signer.id, seen_at }
  print(summary, output)
}

/** @throws Failure 11 unless the log is the earlier one, possibly with more entries */
async function requireConsistency(url: string, before: Checkpoint, now: Checkpoint): Promise<void> {
  const fault = await contradiction(url, before, now)
  if (fault === null) return
  const kept = keepFork(process.env, url, before.note, now.note, new Date())
  throw failure(exits.forked, `THE LOG OF ${url} CONTRADICTS ITSELF: ${fault}. It signed both checkpoints; they are stored in ${kept}.`)
}

async function contradiction(url: string, before: Checkpoint, now: Checkpoint): Promise<string | null> {
  if (now.origin !== before.origin) return `its name was ${before.origin} and is now ${now.origin}`
  if (now.size < before.size) return `it had ${before.size} entries and now shows ${now.size}`
  if (await isConsistent(before, now, (level, index, width) => fetchTile(url, level, index, width))) return null
  return now.size === before.size
    ? `it shows a different tree of ${now.size} entries than before`
    : `its tree of ${now.size} entries did not grow from the tree of ${before.size} entries`
}

async function keysOf(url: string, from: string | undefined): Promise<PublishedKey[]> {
  if (from === undefined || /^https?:\/\//.test(from)) return fetchKeys(from ?? url)
  return readKeys(textOf(from), from)
}

function serviceOf({ service, profile }: WatchOptions): string {
  if (service === undefined) return readConnection(process.env, profile).url
  if (!URL.canParse(service)) throw failure(exits.usage, '--service must be an address such as https://weather.example.com')
  return service.replace(/\/+$/, '')
}
