import { setTimeout as pause } from 'node:timers/promises'
import type { Command } from 'commander'
import { everyPage } from '../every-page.ts'
import { exits, isFailure } from '../failure.ts'
import { type Output, print, printLine } from '../format.ts'
import { serviceTime } from '../service.ts'
import type { Connection } from '../settings.ts'
import { addCommand, intervalFrom, lineOutputOf, list, perform, segment, settingsOf, wrapAction } from './command.ts'
import { type Exposure, exposureColumns, filtersOf, withExposureFilters, withExposureList } from './exposure-listing.ts'
import { moveExposures, moves } from './move-exposures.ts'

/** weather exposures: the inbox. */
export function addExposures(program: Command): void {
  const exposures = program.command('exposures').description('storm days and warnings at watched places')

  withExposureList(addCommand(exposures, 'list', 'exposures, newest first', 'exposures list --open true --min-measured-in 1')).action(
    wrapAction((invocation) => list(invocation, '/exposures', filtersOf(invocation.options), exposureColumns)),
  )

  addCommand(exposures, 'show', 'one exposure', 'exposures show 12')
    .argument('<exposure>', 'id of the exposure')
    .action(
      wrapAction((invocation) => perform(invocation, { method: 'GET', path: `/exposures/${segment(invocation.arguments[0] as string)}` })),
    )

  for (const name of ['ack', 'dismiss', 'reopen'] as const)
    withExposureFilters(
      addCommand(exposures, name, `${moves[name].description}: by id, or all that match the filters`, `exposures ${name} 12 13`),
    )
      .argument('[exposure...]', 'ids; without them, filters select exposures, and --all selects all')
      .option('--all', 'select every exposure')
      .action(wrapAction((invocation) => moveExposures(invocation, name)))

  addCommand(
    exposures,
    'watch',
    'print new and changed exposures as JSON lines until interrupted',
    'exposures watch --since 2025-05-28T00:00:00Z',
  )
    .option('--since <moment>', 'start with changes after this time (default: now)')
    .option('--every <seconds>', 'time between checks', intervalFrom, 15)
    .option('--once', 'check once and exit')
    .action((options: WatchOptions, command: Command) => watch(settingsOf(command).connection, options, lineOutputOf(command)))
}

interface WatchOptions {
  since?: string
  /** Seconds. */
  every: number
  once?: boolean
}

/**
 * Polls for changes; the largest last_seen_at is the cursor. `everyPage` follows the links, so that it is not later than the first page. The
 * first is the service's time: by a clock of this machine that is ahead, the changes until then would be left out.
 */
async function watch(connection: Connection, { since, every, once = false }: WatchOptions, output: Output): Promise<void> {
  let cursor = since
  for (;;) {
    try {
      cursor ??= await serviceTime(connection, '/exposures')
      const changes = await changesSince(connection, cursor)
      for (const exposure of changes) print(exposure, output)
      cursor = changes.at(-1)?.last_seen_at ?? cursor
    } catch (fault) {
      // The next poll retries a request that was lost or met a fault of the service.
      if (!isFailure(fault) || fault.exit_status !== exits.failure || once) throw fault
      printLine(`${fault.message}: retrying`)
    }
    if (once) return
    await pause(every * 1000)
  }
}

/** Returns changes, oldest first. */
async function changesSince(connection: Connection, since: string): Promise<Exposure[]> {
  const { data } = await everyPage<Exposure>(connection, '/exposures', { since })
  return data.sort((one, other) => (one.last_seen_at < other.last_seen_at ? -1 : 1))
}
