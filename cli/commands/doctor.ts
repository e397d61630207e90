import type { Command } from 'commander'
import { operateAtLength } from '../api.ts'
import { exits } from '../failure.ts'
import { print, tell } from '../format.ts'
import { ask, settingOf } from './command.ts'

/** weather doctor: whatever is in the data that must never be; exit status 1 where there is anything. */
export function addDoctor(program: Command): void {
  ask(program, 'doctor', 'check the invariants of the data (needs the operator key)', 'doctor').action(
    async (_options: unknown, command: Command) => {
      const setting = settingOf(command)
      const rows = await operateAtLength<unknown[]>(setting.connection, '{ invariantViolations { invariant team_id subject detail } }')
      print(rows, setting)
      if (rows.length === 0) return
      tell(`${rows.length} ${rows.length === 1 ? 'row breaks' : 'rows break'} an invariant.`)
      process.exitCode = exits.failure
    },
  )
}
