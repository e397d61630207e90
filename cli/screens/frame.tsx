import { Box, Text } from 'ink'
import type { ReactNode } from 'react'
import type { Connection } from '../settings.ts'
import type { Press } from './keys.ts'
import type { Look } from './terminal.ts'
import type { Tone } from './text.ts'
import type { View } from './view.ts'

/** What every screen is given. */
export interface Frame {
  connection: Connection
  look: Look
  /** The screen's own size, in characters. */
  columns: number
  rows: number
  /** The text typed after `/`. */
  search: string
  /** Shows what went wrong; null says that the service answers. */
  reportFault(fault: Error | null): void
  say(line: string): void
  /** Takes what keys do while the screen shows, anew each time it is drawn. */
  onPress(press: (press: Press) => void): void
  /** Where somebody stood when the screen was left. */
  view: View
  keep(view: View): void
}

/** One line, cut where its box ends. */
export function Row({ children }: { children: ReactNode }) {
  return (
    <Box height={1} overflow="hidden">
      {children}
    </Box>
  )
}

/** A text in the tone that it is meant in. */
export function Toned({ tone, look, children }: { tone?: Tone | undefined; look: Look; children: ReactNode }) {
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
