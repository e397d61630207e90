import { Box, render, Text, useApp, useInput, useStdout } from 'ink'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { isFailure } from '../failure.ts'
import { plain } from '../format.ts'
import type { Connection } from '../settings.ts'
import { Browser } from './browser.tsx'
import { deliveries, exposures, properties, reports } from './nouns.ts'
import { Playback } from './playback.tsx'
import { drawsUnicode, type Marks, marksOf } from './terminal.ts'

/** Draws the screens until the user leaves; the terminal is given back as it was, however that comes about. */
export async function openScreens(connection: Connection): Promise<void> {
  const restore = () => process.stdout.write('\u001b[?1049l\u001b[?25h')
  process.stdout.write('\u001b[?1049h\u001b[H')
  process.once('exit', restore)
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))
  const unicode = drawsUnicode(process.env)
  const app = render(<Screens connection={connection} unicode={unicode} marks={marksOf(unicode)} />, {
    exitOnCtrlC: true,
    patchConsole: false,
  })
  await app.waitUntilExit()
}

const names = ['reports', 'exposures', 'properties', 'deliveries', 'playback']

/** What every screen is given. */
export interface Frame {
  connection: Connection
  marks: Marks
  unicode: boolean
  columns: number
  rows: number
  /** Whether keys go to the screen: not while a line is typed or the help is shown. */
  listening: boolean
  /** Shows what happened; null says that the service answers again. */
  tell(fault: Error | null): void
  say(line: string): void
  /** Says which keys do something now. */
  keys(line: string): void
  /** The text typed after `/`. */
  search: string
}

function Screens({ connection, unicode, marks }: { connection: Connection; unicode: boolean; marks: Marks }) {
  const { exit } = useApp()
  const { columns, rows } = useSize()
  const [screen, setScreen] = useState(0)
  const [typing, setTyping] = useState<{ mark: ':' | '/'; text: string } | null>(null)
  const [searches, setSearches] = useState<Record<number, string>>({})
  const [help, setHelp] = useState(false)
  const [lost, setLost] = useState<string | null>(null)
  const [said, setSaid] = useState('')
  const [keys, setKeys] = useState('')

  const tell = useCallback((fault: Error | null) => {
    const cut = fault !== null && 'unreachable' in fault
    setLost(cut ? 'No connection: trying again.' : null)
    if (fault && !cut) setSaid(isFailure(fault) ? (fault.message.split('\n')[0] as string) : fault.message)
  }, [])
  const open = (at: number) => {
    setSaid('')
    setScreen(at)
  }
  const enter = ({ mark, text }: { mark: string; text: string }) => {
    if (mark === '/') return setSearches((before) => ({ ...before, [screen]: text }))
    if (text === 'q' || text === 'quit') return exit()
    const at = names.findIndex((name) => text !== '' && name.startsWith(text))
    if (at === -1) setSaid(`There is no screen "${text}": ${names.join(', ')}.`)
    else open(at)
  }

  useInput((input, key) => {
    if (typing) {
      if (key.escape) setTyping(null)
      else if (key.return) {
        enter(typing)
        setTyping(null)
      } else if (key.backspace || key.delete) setTyping({ ...typing, text: typing.text.slice(0, -1) })
      else if (!key.ctrl && !key.meta) setTyping({ ...typing, text: typing.text + input })
    } else if (help) setHelp(false)
    else if (/^[1-5]$/.test(input)) open(Number(input) - 1)
    else if (input === ':' || input === '/') setTyping({ mark: input, text: input === '/' ? (searches[screen] ?? '') : '' })
    else if (input === '?') setHelp(true)
    else if (input === 'q') exit()
  })

  const frame: Frame = {
    ...{ connection, marks, unicode, columns, tell, say: setSaid, keys: setKeys },
    rows: rows - 3,
    listening: typing === null && !help,
    search: searches[screen] ?? '',
  }
  return (
    <Box flexDirection="column" width={columns} height={rows}>
      <Line>
        <Text inverse>
          {` ${names.map((name, at) => (at === screen ? `[${at + 1} ${name}]` : ` ${at + 1} ${name} `)).join(' ')}`.padEnd(columns)}
        </Text>
      </Line>
      <Box flexDirection="column" height={rows - 3} overflow="hidden">
        {help ? <Help /> : <Screen at={screen} frame={frame} />}
      </Box>
      <Line>
        <Text color={lost ? 'red' : 'yellow'}>{lost ? `${marks.warn} ${lost}` : plain(said) || ' '}</Text>
      </Line>
      <Line>
        <Text dimColor>{typing ? `${typing.mark}${typing.text}_` : keys}</Text>
      </Line>
    </Box>
  )
}

function Screen({ at, frame }: { at: number; frame: Frame }) {
  if (at === 4) return <Playback {...frame} />
  const noun = [reports, exposures, properties, deliveries][at]
  return noun ? <Browser key={at} {...frame} noun={noun} /> : null
}

const HELP = `1-5      a screen: reports, exposures, properties, deliveries, playback
:        a screen by its name; :q leaves
/        search or filter; Enter on an empty line ends it
j k      down and up, as the arrows do
g G      first and last
Enter    open what stands at the cursor      Esc   back
Tab      between list and details
space    choose; on playback: play           *     choose all that is loaded
a d o    exposures: acknowledge, dismiss, reopen
u        take it back, for ten seconds
s        deliveries: send again
r        read again                          y     copy the id
e        write the row to a file             q     leave`

function Help() {
  return (
    <Box flexDirection="column">
      {HELP.split('\n').map((line) => (
        <Line key={line}>
          <Text>{line}</Text>
        </Line>
      ))}
    </Box>
  )
}

/** One line, cut where the terminal ends. */
export function Line({ children }: { children: ReactNode }) {
  return (
    <Box height={1} overflow="hidden">
      {children}
    </Box>
  )
}

function useSize(): { columns: number; rows: number } {
  const { stdout } = useStdout()
  const read = () => ({ columns: stdout.columns || 80, rows: stdout.rows || 24 })
  const [size, setSize] = useState(read)
  useEffect(() => {
    const resized = () => setSize(read())
    stdout.on('resize', resized)
    return () => void stdout.off('resize', resized)
  }, [stdout])
  return size
}
