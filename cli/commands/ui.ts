import type { Command } from 'commander'
import { exits, failure } from '../failure.ts'
import { ask, doing } from './command.ts'

/** weather ui: the screens. Their packages are read only here. */
export function addUi(program: Command): void {
  ask(program, 'ui', 'screens for reports, exposures, properties, deliveries and playback', 'ui').action(
    doing(async ({ setting }) => {
      if (!process.stdin.isTTY || !process.stdout.isTTY) throw failure(exits.usage, 'The screens need a terminal.')
      const { openScreens } = await import('../screens/ui.tsx')
      await openScreens(setting.connection)
    }),
  )
}
