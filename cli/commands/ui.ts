import type { Command } from 'commander'
import { exits, failure } from '../failure.ts'
import { addCommand, wrapAction } from './command.ts'

/** weather ui: the screens. Only this command loads their packages. */
export function addUi(program: Command): void {
  addCommand(program, 'ui', 'screens for reports, exposures, properties, deliveries and playback', 'ui --profile work').action(
    wrapAction(async ({ setting }) => {
      if (!process.stdin.isTTY || !process.stdout.isTTY || process.env.TERM === 'dumb')
        throw failure(exits.usage, 'The screens need a terminal with cursor control; the other commands do not.')
      const { openScreens } = await import('../screens/ui.tsx')
      // Does not wait for requests in progress.
      process.exit(await openScreens(setting.connection))
    }),
  )
}
