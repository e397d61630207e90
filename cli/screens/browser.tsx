import { writeFileSync } from 'node:fs'
import { Box, Text, useInput } from 'ink'
import { useEffect, useRef, useState } from 'react'
import { plain } from '../format.ts'
import type { Noun } from './nouns.ts'
import { type Row, useRows } from './rows.ts'
import { type Frame, Line } from './ui.tsx'

/** From this width on, list and details stand side by side. */
const WIDE = 120
/** Milliseconds in which an act can be taken back. */
const UNDO_MS = 10_000

interface Done {
  key: string
  rows: Row[]
  until: number
}

/** A list with what can be done with its rows, and the row opened beside or instead of it. */
export function Browser(props: Frame & { noun: Noun }) {
  const { noun, connection, columns, rows: height, marks, tell, say, listening, search } = props
  const list = useRows(connection, noun.path, noun.filters(search), tell)
  const [cursor, setCursor] = useState(0)
  const [chosen, setChosen] = useState<ReadonlyMap<string, Row>>(new Map())
  const [opened, setOpened] = useState<{ id: string; lines: string[] } | null>(null)
  const [scrolled, setScrolled] = useState(0)
  const [inDetails, setInDetails] = useState(false)
  const [banner, setBanner] = useState<string[]>([])
  const done = useRef<Done | null>(null)

  const total = list.total ?? 0
  const wide = columns >= WIDE && opened !== null
  const width = wide ? Math.floor(columns / 2) : columns
  const visible = Math.max(1, height - banner.length - 2)
  const first = Math.max(0, Math.min(cursor - Math.floor(visible / 2), total - visible))
  const row = list.at(cursor)

  useEffect(() => list.look(first, Math.min(total, first + visible * 2)))
  useEffect(
    () => props.keys(`? help  q leave  Enter open  ${noun.keys ? `${noun.keys}  ` : ''}/ find  r again  y copy  e write  Tab  Esc`),
    [noun],
  )
  useEffect(() => {
    setCursor(0)
    setChosen(new Map())
  }, [search])
  useEffect(() => {
    noun.banner(connection).then(setBanner, tell)
  }, [list.total])

  const open = async (at: Row) => {
    setScrolled(0)
    try {
      setOpened({ id: at.id, lines: await noun.details(connection, at, marks) })
    } catch (fault) {
      tell(fault as Error)
    }
  }
  const run = async (key: string, rows: readonly Row[], undoing = false) => {
    const act = noun.acts[key]
    if (!act || rows.length === 0) return
    const before: Row[] = []
    try {
      for (const one of rows) {
        const after = await act.run(connection, one)
        before.push(one)
        if (after) list.put(after)
      }
      say(undoing ? 'Taken back.' : `${act.label}: ${rows.length}${act.back ? '. u takes it back for 10 s.' : ''}`)
    } catch (fault) {
      tell(fault as Error)
    }
    done.current = undoing || !act.back ? null : { key, rows: before, until: Date.now() + UNDO_MS }
    setChosen(new Map())
  }
  const undo = async () => {
    const last = done.current
    if (!last || Date.now() > last.until) return say('There is nothing to take back.')
    done.current = null
    // Each goes back to how it stood.
    for (const one of last.rows) await run(noun.acts[last.key]!.back!(one), [one], true)
  }

  const beside = wide ? columns - width - 2 : columns
  const text = opened?.lines.flatMap((line) => wrap(plain(line), beside)) ?? []

  useInput(
    (input, key) => {
      // A key that is held down, or a slow line, brings several presses as one.
      const presses = input.length
      const by = key.downArrow
        ? 1
        : key.upArrow
          ? -1
          : /^j+$/.test(input)
            ? presses
            : /^k+$/.test(input)
              ? -presses
              : key.pageDown
                ? visible
                : key.pageUp
                  ? -visible
                  : 0
      const details = inDetails || (opened !== null && !wide)
      if (by !== 0 && details) setScrolled((at) => Math.max(0, Math.min(at + by, text.length - 1)))
      else if (by !== 0) setCursor((at) => Math.max(0, Math.min(at + by, total - 1)))
      else if (input === 'g') details ? setScrolled(0) : setCursor(0)
      else if (input === 'G') setCursor(Math.max(0, total - 1))
      else if (key.tab) setInDetails((before) => opened !== null && !before)
      else if (key.escape) {
        setOpened(null)
        setInDetails(false)
      } else if (input === 'r') list.refresh()
      else if (input === 'u') undo()
      else if (input === '*') {
        const all = Array.from({ length: total }, (_, at) => list.at(at)).filter((one) => one !== null)
        setChosen(chosen.size === all.length ? new Map() : new Map(all.map((one) => [one.id, one])))
      } else if (!row) return
      else if (key.return) open(row)
      else if (/^ +$/.test(input)) {
        const next = new Map(chosen)
        for (let at = cursor; at < Math.min(cursor + presses, total); at++) {
          const one = list.at(at)
          if (one && !next.delete(one.id)) next.set(one.id, one)
        }
        setChosen(next)
        setCursor((at) => Math.min(at + presses, total - 1))
      } else if (input === 'y') {
        // The terminal itself puts it on the clipboard: OSC 52.
        process.stdout.write(`\u001b]52;c;${Buffer.from(String(row.id)).toString('base64')}\u0007`)
        say(`Copied ${row.id}.`)
      } else if (input === 'e') {
        const file = `${noun.path.split('/').at(-1)}-${row.id}.json`
        writeFileSync(file, `${JSON.stringify(row, null, 2)}\n`)
        say(`Written to ${file}.`)
      } else run(input, chosen.size > 0 ? [...chosen.values()] : [row])
    },
    { isActive: listening },
  )

  const rest = width - 3 - noun.columns.reduce((sum, [, wanted]) => sum + wanted + 1, 0)
  const cells = (of: (column: Noun['columns'][number]) => unknown) =>
    noun.columns.map((column) => fit(plain(String(of(column) ?? '')), column[1] || Math.max(8, rest))).join(' ')
  const shown = text.slice(scrolled, scrolled + height) ?? []
  return (
    <Box>
      {(wide || opened === null) && (
        <Box flexDirection="column" width={width}>
          {banner.map((line) => (
            <Line key={line}>
              <Text color="red" bold>{`${marks.warn} ${plain(line)}`}</Text>
            </Line>
          ))}
          <Line>
            <Text bold>{fit(`  ${cells(([title]) => title)}`, width)}</Text>
          </Line>
          {Array.from({ length: Math.min(visible, total - first) }, (_, at) => first + at).map((at) => {
            const one = list.at(at)
            return (
              <Line key={at}>
                <Text inverse={at === cursor}>
                  {fit(
                    `${at === cursor ? marks.cursor : ' '}${one && chosen.has(one.id) ? marks.chosen : ' '}${one ? cells(([, , of]) => of(one)) : '...'}`,
                    width,
                  )}
                </Text>
              </Line>
            )
          })}
          <Line>
            <Text dimColor>
              {list.total === null
                ? 'reading ...'
                : `${total === 0 ? 0 : cursor + 1} of ${total}${chosen.size ? `, ${chosen.size} chosen` : ''}${search ? `  /${search}` : ''}`}
            </Text>
          </Line>
        </Box>
      )}
      {opened && (
        <Box flexDirection="column" width={wide ? columns - width : columns}>
          {shown.map((line, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line of the text is its place
            <Line key={scrolled + at}>
              <Text wrap="truncate" color={inDetails ? 'cyan' : undefined}>
                {`${wide ? `${marks.between} ` : ''}${line}` || ' '}
              </Text>
            </Line>
          ))}
        </Box>
      )}
    </Box>
  )
}

function fit(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, Math.max(0, width - 1))}~` : text.padEnd(width)
}

/** Lines no longer than the width, broken between words; what follows is set in as far as the line began, and a little more. */
function wrap(line: string, width: number): string[] {
  const indent = ' '.repeat(Math.min((/^ */.exec(line)?.[0].length ?? 0) + 2, width >> 1))
  const lines: string[] = []
  let rest = line
  while (rest.length > width) {
    const space = rest.lastIndexOf(' ', width)
    const cut = space > indent.length ? space : width
    lines.push(rest.slice(0, cut))
    rest = indent + rest.slice(cut).trimStart()
  }
  return [...lines, rest]
}
