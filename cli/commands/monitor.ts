import { Argument, type Command } from 'commander'
import { operateWithoutTimeout } from '../api.ts'
import { exits } from '../failure.ts'
import { liveLine, print, printLine } from '../format.ts'
import { addCommand, settingsOf } from './command.ts'

const LANES = ['record', 'warnings', 'surfaces']
const RUN = `mutation ($lane: LaneName!) {
  monitorRun(lane: $lane) { lane status started_at finished_at watermark candidates failure_reason } }`

interface Run {
  status: string
  failure_reason: string | null
}

/** weather monitor: the monitored feeds, with the operator key. */
export function addMonitor(program: Command): void {
  const monitor = program.command('monitor').description('the monitored feeds (needs the operator key)')

  addCommand(monitor, 'run', 'read the feeds of a lane now; exit status 1 if one of them fails', 'monitor run warnings')
    .addArgument(new Argument('<lane>', 'the lane').choices(LANES))
    .action(async (lane: string, _options: unknown, command: Command) => {
      const setting = settingsOf(command)
      const live = liveLine()
      live.show(`reading the feeds of ${lane} ...`)
      const run = await operateWithoutTimeout<Run | null>(setting.connection, RUN, { lane }).finally(live.clear)
      print(run, setting)
      if (run === null) printLine(`Another process is reading ${lane}.`)
      if (run?.status !== 'failed') return
      printLine(run.failure_reason ?? 'The run failed.')
      process.exitCode = exits.failure
    })
}
