import { constants } from 'node:os'
import { Command, CommanderError } from 'commander'
import { addAccount } from './commands/account.ts'
import { addAdmin } from './commands/admin.ts'
import { addAlerts } from './commands/alerts.ts'
import { addArchive } from './commands/archive.ts'
import { addAudit } from './commands/audit.ts'
import { addBasemap } from './commands/basemap.ts'
import { addBlobs } from './commands/blobs.ts'
import { addCompletion } from './commands/completion.ts'
import { addDestinations } from './commands/destinations.ts'
import { addDoctor } from './commands/doctor.ts'
import { addExport } from './commands/export.ts'
import { addExposures } from './commands/exposures.ts'
import { addHelp } from './commands/help.ts'
import { addKeys } from './commands/keys.ts'
import { addLocal } from './commands/local.ts'
import { addLog } from './commands/log.ts'
import { addMcp } from './commands/mcp.ts'
import { addMonitor } from './commands/monitor.ts'
import { addOperator } from './commands/operator.ts'
import { addProperties } from './commands/properties.ts'
import { addReports } from './commands/reports.ts'
import { addStorms } from './commands/storms.ts'
import { addSwaths } from './commands/swaths.ts'
import { addTerritories } from './commands/territories.ts'
import { addUi } from './commands/ui.ts'
import { addVerify } from './commands/verify.ts'
import { exits, isFailure } from './failure.ts'
import { unwritable } from './file-fault.ts'
import { printLine } from './format.ts'

const program = new Command('weather')
  .description('Weather reports from the terminal. Without settings it connects to the service that runs in this folder.')
  .addHelpText(
    'after',
    '\nExit status: 0 done, 1 failure, 2 usage, 3 not found, 4 not allowed, 5 plan or credits, 6 conflict, 7 invalid input, 8 too many requests, 9 failed report or mismatch, 10 verified only against itself, 11 a log that contradicts itself, 75 still pending, 130 interrupted, 143 after SIGTERM, 129 after SIGHUP.',
  )
  .exitOverride()

addAccount(program)
addReports(program)
addProperties(program)
addTerritories(program)
addExposures(program)
addStorms(program)
addDestinations(program)
addAlerts(program)
addExport(program)
addAudit(program)
addVerify(program)
addLog(program)
addLocal(program)
addSwaths(program)
addMcp(program)
addUi(program)
addCompletion(program)
addAdmin(program)
addArchive(program)
addDoctor(program)
addKeys(program)
addBasemap(program)
addBlobs(program)
addOperator(program)
addMonitor(program)
addHelp(program)

// What is half written, and a screen that is drawn on, is put right on exit. The status is that of shells: 128 and the signal's number.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(128 + constants.signals[signal]))
process.stdout.on('error', (fault: NodeJS.ErrnoException) => {
  // A reader that closes early, such as `head`, is not a fault.
  if (fault.code === 'EPIPE') process.exit(exits.ok)
  process.exit(statusOf(unwritable('standard output', fault)))
})
// If nobody can read the messages, the work continues.
process.stderr.on('error', () => {})

try {
  await program.parseAsync()
} catch (fault) {
  process.exitCode = statusOf(fault)
}

/** Prints what went wrong, unless commander did, and returns the exit status. */
function statusOf(fault: unknown): number {
  if (fault instanceof CommanderError) return fault.exitCode === 0 ? exits.ok : exits.usage
  printLine(`weather: ${fault instanceof TypeError ? unknownForm(fault) : (fault as Error).message}`)
  return isFailure(fault) ? fault.exit_status : exits.failure
}

/** The data, usually a response, lacks required fields. */
function unknownForm({ message }: TypeError): string {
  return `The data has a form that this version does not know. If it came from a service, check that its URL is right. (${message})`
}
