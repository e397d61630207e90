import { Command, CommanderError } from 'commander'
import { addAdmin } from './commands/admin.ts'
import { addArchive } from './commands/archive.ts'
import { addDoctor } from './commands/doctor.ts'
import { addMonitor } from './commands/monitor.ts'
import { exits, isFailure } from './failure.ts'
import { tell } from './format.ts'

const program = new Command('weather')
  .description('Weather reports from the terminal. Without settings it speaks to the service that runs on this folder.')
  .addHelpText(
    'after',
    '\nExit status: 0 done, 1 failure, 2 usage, 3 not found, 4 not allowed, 5 plan or credits, 6 conflict, 7 invalid input, 8 too many requests.',
  )
  .exitOverride()

addAdmin(program)
addArchive(program)
addDoctor(program)
addMonitor(program)

process.once('SIGINT', () => process.exit(exits.interrupted))
// A reader that has seen enough, such as `head`, is no fault.
process.stdout.on('error', (fault: NodeJS.ErrnoException) => process.exit(fault.code === 'EPIPE' ? exits.ok : exits.failure))

try {
  await program.parseAsync()
} catch (fault) {
  process.exitCode = statusOf(fault)
}

/** Tells what went wrong, unless commander has, and answers the status to end with. */
function statusOf(fault: unknown): number {
  if (fault instanceof CommanderError) return fault.exitCode === 0 ? exits.ok : exits.usage
  tell(`weather: ${(fault as Error).message}`)
  return isFailure(fault) ? fault.exit_status : exits.failure
}
