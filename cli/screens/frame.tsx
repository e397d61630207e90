import { Box, Text } from 'ink'
import type { ReactNode } from 'react'
import type { Connection } from '../settings.ts'
import type { Press } from './keys.ts'
import type { TerminalStyle } from './terminal.ts'
import type { Tone } from './text.ts'
import type { LastAction } from './use-actions.ts'
import type { View } from './view.ts'

/** Properties of every screen. */
export interface ScreenProps {
  connection: Connection
  look: TerminalStyle
  /** The screen's own size, in characters. */
  columns: number
  rows: number
  /** The text typed after `/`. */
  search: string
  /** Shows a fault; null means that the service is available. */
  reportFault(fault: Error | null): void
  say(line: string): void
  /** Registers the key handler of the shown screen, again for each rendering. */
  onPress(press: (press: Press) => void): void
  /** The position when the screen was last left. */
  view: View
  saveView(view: View): void
  /** The last action on rows, which can be undone also after another screen was shown. */
  lastAction: LastAction
}

/** One line, cut at the width of its box. */
export function LineBox({ children }: { children: ReactNode }) {
  return (
    <Box height={1} overflow="hidden">
      {children}
    </Box>
  )
}

/** A text in its tone. */
export function Toned({ tone, look, children }: { tone?: Tone | undefined; look: TerminalStyle; children: ReactNode }) {
  return (
    <Text
      wrap="truncate"
      bold={tone === 'title' || tone === 'alarm'}
      dimColor={tone === 'quiet'}
      {...(look.colour && tone === 'alarm' && { color: 'red' })}
    >
      {children}
    </Text>
  )
}
