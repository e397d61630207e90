import type { Command } from 'commander'
import { operateWithoutTimeout } from '../api.ts'
import { exits } from '../failure.ts'
import { print, printLine } from '../format.ts'
import { addCommand, settingsOf, suggestedCommand } from './command.ts'

interface Step {
  looked_at: number
  moved: number
  bytes: number
  gone: number
  next: string | null
}

const MOVE = 'mutation ($after: String) { moveDocuments(after: $after) { looked_at moved bytes gone next } }'
const BYTES_PER_MB = 1_000_000

/** weather blobs: the document store, with the operator key. */
export function addBlobs(program: Command): void {
  const blobs = program.command('blobs').description('the document store (needs the operator key)')

  addCommand(blobs, 'move', 'copy every document from WEATHER_BLOBS_ALSO to WEATHER_BLOBS while the service runs', 'blobs move')
    .option('--after <report>', 'continue after this report, as printed by an interrupted run')
    .action(async ({ after }: { after?: string }, command: Command) => {
      const setting = settingsOf(command)
      const total = { looked_at: 0, moved: 0, bytes: 0, gone: 0 }
      for (let next: string | null = after ?? null; ; ) {
        const step: Step = await operateWithoutTimeout(setting.connection, MOVE, { after: next })
        for (const figure of ['looked_at', 'moved', 'bytes', 'gone'] as const) total[figure] += step[figure]
        next = step.next
        if (next === null) break
        printLine(
          `${total.looked_at} checked, ${total.moved} copied (${(total.bytes / BYTES_PER_MB).toFixed(1)} MB): continue with --after ${next}`,
        )
      }
      print(total, setting)
      if (total.gone === 0) return
      printLine(
        `${total.gone} ${total.gone === 1 ? 'is' : 'are'} in neither store. ${suggestedCommand(setting, 'doctor --repair')} prints them again.`,
      )
      process.exitCode = exits.failure
    })
}
