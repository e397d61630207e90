import { Box, render, Text, useApp } from 'ink'
import { useCallback, useEffect, useRef, useState } from 'react'
import { type ExitStatus, exits, isFailure, isLost } from '../failure.ts'
import type { Connection } from '../settings.ts'
import { openCanvas, sizeOf } from './canvas.ts'
import { deliveries } from './deliveries.ts'
import { exposures } from './exposures.ts'
import { LineBox as Line, type ScreenProps } from './frame.tsx'
import { ErrorBoundary } from './guarded.tsx'
import { Help } from './help.tsx'
import { INTERRUPT, type Press, useKeyPresses } from './keys.ts'
import { List } from './list.tsx'
import type { Listing } from './listing.ts'
import { Playback } from './playback.tsx'
import { properties } from './properties.ts'
import { reports } from './reports.ts'
import { lookOf, type TerminalStyle } from './terminal.ts'
import { displayable, fit } from './text.ts'
import type { LastAction } from './use-actions.ts'
import { INITIAL_VIEW, type View } from './view.ts'

const listings = { reports, exposures, properties, deliveries }
const names = [...Object.keys(listings), 'playback'] as const

/** The retry policy of the screens: faults are shown immediately, and the screens request again themselves. */
const SCREEN_RETRIES = { within_ms: 5000, pauses_ms: [] }
/** Milliseconds for which a message is shown. */
const NOTICE_MS = 10_000

/**
 * Draws the screens until the user quits, and restores the terminal in every case.
 * @returns the exit status
 */
export async function openScreens(connection: Connection): Promise<ExitStatus> {
  const canvas = openCanvas(process.stdout)
  const restore = () => {
    canvas.close()
    process.stdin.setRawMode(false)
  }
  process.once('exit', restore)
  const screenConnection: Connection = { ...connection, retry: SCREEN_RETRIES }
  const app = render(<Screens connection={screenConnection} look={lookOf(process.env)} />, {
    stdout: canvas.stream,
    // Debug mode writes whole frames, which the canvas draws.
    debug: true,
    exitOnCtrlC: false,
    patchConsole: false,
  })
  try {
    return (await app.waitUntilExit()) as unknown as ExitStatus
  } finally {
    restore()
  }
}

function Screens({ connection, look }: { connection: Connection; look: TerminalStyle }) {
  const { exit } = useApp()
  const { columns, rows } = useSize()
  const [screen, setScreen] = useState<number>(0)
  const [typed, setTyped] = useState<{ mark: ':' | '/'; text: string } | null>(null)
  const [searches, setSearches] = useState<Record<number, string>>({})
  const [help, setHelp] = useState(false)
  const { notice, lost, say, reportFault } = useNotices()
  const views = useRef(new Map<string, View>())
  const inner = useRef<(press: Press) => void>(() => {})
  const lastAction: LastAction = useRef(null)

  const name = names[screen]!
  const listing = listings[name as keyof typeof listings]
  const search = searches[screen] ?? ''
  const viewKey = `${name} ${search}`
  const leave = (status: ExitStatus) => (exit as (status: unknown) => void)(status)
  const enter = ({ mark, text }: { mark: string; text: string }) => {
    if (mark === '/') return setSearches({ ...searches, [screen]: text.trim() })
    if (text === 'q' || text === 'quit') return leave(exits.ok)
    const found = names.findIndex((one) => text !== '' && one.startsWith(text))
    if (found === -1) say(`There is no screen "${text}". Screens: ${names.join(', ')}.`)
    else setScreen(found)
  }
  const typeKey = ({ key, times }: Press, { mark, text }: { mark: ':' | '/'; text: string }) => {
    if (key === 'escape') setTyped(null)
    else if (key === 'enter') {
      setTyped(null)
      enter({ mark, text })
    } else if (key === 'backspace') setTyped(text === '' ? null : { mark, text: [...text].slice(0, -times).join('') })
    else if ([...key].length === 1) setTyped({ mark, text: text + key.repeat(times) })
  }
  useKeyPresses((press) => {
    const { key } = press
    if (key === INTERRUPT) leave(exits.interrupted)
    else if (typed) typeKey(press, typed)
    else if (key === 'q') leave(exits.ok)
    else if (help) setHelp(false)
    else if (key >= '1' && key <= String(names.length) && key.length === 1) setScreen(Number(key) - 1)
    else if (key === ':' || key === '/') setTyped({ mark: key, text: key === '/' ? search : '' })
    else if (key === '?') setHelp(true)
    else inner.current(press)
  })

  const frame: ScreenProps = {
    ...{ connection, look, columns, search, say, reportFault, lastAction },
    rows: rows - 2,
    onPress(press) {
      inner.current = press
    },
    view: views.current.get(viewKey) ?? INITIAL_VIEW,
    saveView(view) {
      views.current.set(viewKey, view)
    },
  }
  const tabs = names.map((one, at) => (at === screen ? `[${at + 1} ${one}]` : ` ${at + 1} ${one} `)).join(' ')
  return (
    <Box flexDirection="column" width={columns} height={rows}>
      <Line>
        <Text inverse>{fit(` ${tabs}`, columns, look)}</Text>
      </Line>
      <Box flexDirection="column" height={rows - 2} overflow="hidden">
        <ErrorBoundary key={help ? 'help' : listing ? viewKey : name} frame={frame}>
          {help ? <Help /> : listing ? <List noun={listing} frame={frame} /> : <Playback frame={frame} />}
        </ErrorBoundary>
      </Box>
      <LastLine typed={typed} listing={listing} notice={notice} lost={lost} look={look} />
    </Box>
  )
}

interface LastLineProps {
  typed: { mark: ':' | '/'; text: string } | null
  listing: Listing | undefined
  notice: string
  lost: boolean
  look: TerminalStyle
}

/** The line being typed, or else the last message. */
function LastLine({ typed, listing, notice, lost, look }: LastLineProps) {
  return (
    <Line>
      {typed ? (
        <Text>{`${typed.mark}${typed.text}_  ${typed.mark === ':' ? names.join(', ') : (listing?.searchHint ?? 'a date such as 2025-05-28')}`}</Text>
      ) : (
        <Text {...(look.colour && { color: lost ? 'red' : 'yellow' })} bold={lost}>
          {lost ? `${look.marks.warn} No connection: retrying.` : displayable(notice, look) || ' '}
        </Text>
      )}
    </Line>
  )
}

/** State of the last line: a message, for a while, and whether the service is unreachable. */
function useNotices() {
  const [notice, say] = useState('')
  const [lost, setLost] = useState(false)
  useEffect(() => {
    if (notice === '') return
    const timer = setTimeout(() => say(''), NOTICE_MS)
    return () => clearTimeout(timer)
  }, [notice])
  const reportFault = useCallback((fault: Error | null) => {
    setLost(isLost(fault))
    if (fault && !isLost(fault)) say(isFailure(fault) ? fault.message.split('\n').join(' ') : `Unexpected error: ${fault.message}`)
  }, [])
  return { notice, lost, say, reportFault }
}

function useSize(): { columns: number; rows: number } {
  const [size, setSize] = useState(() => sizeOf(process.stdout))
  useEffect(() => {
    const onResize = () => setSize(sizeOf(process.stdout))
    process.stdout.on('resize', onResize)
    return () => void process.stdout.off('resize', onResize)
  }, [])
  return size
}
