import { Box, Text } from 'ink'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { browse, copy, written } from './desktop.ts'
import { type Frame, Row as Line, Toned } from './frame.tsx'
import type { Press } from './keys.ts'
import type { Layout, Listing } from './listing.ts'
import { type Row, type Rows, useRows } from './rows.ts'
import type { Look } from './terminal.ts'
import { fit, fitting, shown, type Line as TextLine, wrap } from './text.ts'
import { useActions } from './use-actions.ts'
import { choose, moved, type View } from './view.ts'

/** From this width on, list and details are side by side. */
const WIDE = 120
/** Milliseconds between two refreshes. */
const LIVE_MS = 15_000

/** Milliseconds that the cursor rests before its row is opened beside the list. */
const OPEN_DELAY_MS = 200

/** A list with its actions, and the opened row beside it or instead of it. */
export function List({ noun, frame }: { noun: Listing; frame: Frame }) {
  const state = useList(noun, frame)
  const { columns, rows: height, look } = frame
  const { view, banner, isSplit, width } = state
  frame.onPress((press) => void handlePress(state, press).catch(frame.reportFault))
  return (
    <Box flexDirection="column" height={height}>
      <Box height={height - 1}>
        {(isSplit || view.opened === null) && (
          <Box flexDirection="column" width={width}>
            {banner.map((line) => (
              <Line key={line}>
                <Toned tone="alarm" look={look}>{`${look.marks.warn} ${line}`}</Toned>
              </Line>
            ))}
            <ListedRows state={state} />
          </Box>
        )}
        {view.opened && <OpenedRow state={state} />}
      </Box>
      <Line>
        <Text dimColor>{fitting(keysOf(noun, view), columns)}</Text>
      </Line>
    </Box>
  )
}

type ListState = ReturnType<typeof useList>

/** State of a list: rows, cursor, layout of the screen, and actions. */
function useList(noun: Listing, frame: Frame) {
  const { connection, look, columns, rows: height, search, reportFault, say } = frame
  const list = useRows(connection, noun.path, noun.filters(search), reportFault)
  const banner = useBanner(noun, frame, list)
  const [view, setView] = useState(frame.view)
  const { cursor, opened, inside } = view
  useLayoutEffect(() => frame.keep(view))
  useLayoutEffect(() => follow(list, view, setView))

  const total = list.total() ?? 0
  const wide = columns >= WIDE
  const isSplit = wide && opened !== null
  const width = isSplit ? columns >> 1 : columns
  // Titles, the count line and the key line.
  const visible = Math.max(1, height - banner.length - 3)
  const first = Math.max(0, Math.min(cursor - (visible >> 1), total - visible))
  const room = isSplit ? columns - width - 2 : columns
  const lines = useMemo(() => (opened ? linesOf(opened.layout, room, look) : []), [opened, room, look])
  const scrolled = Math.max(0, Math.min(view.scrolled, lines.length - (height - 1)))
  const [isChoosingAll, setChoosingAll] = useReading(list, { first, visible, total }, (rows) =>
    setView((before) => ({ ...before, chosen: byId(rows) })),
  )

  // Responses arrive in any order; the row requested last is opened.
  const opening = useRef(0)
  const open = async (row: Row) => {
    const turn = ++opening.current
    try {
      const layout = await noun.open(connection, row)
      if (turn !== opening.current) return
      setView((before) => ({ ...before, opened: { row, layout }, scrolled: 0, inside: before.inside || !wide }))
    } catch (fault) {
      if (turn === opening.current) reportFault(fault as Error)
    }
  }
  const stopOpening = () => void opening.current++
  const shownNow = useRef(opened)
  shownNow.current = opened
  useEffect(() => {
    const row = list.at(cursor)
    if (!isSplit || inside || !row || row.id === opened.row.id) return
    const timer = setTimeout(() => open(row), OPEN_DELAY_MS)
    return () => clearTimeout(timer)
  }, [view.id, isSplit])
  const actions = useActions(connection, noun.acts, {
    ...{ say, reportFault },
    done(row) {
      list.put(row)
      if (shownNow.current?.row.id === row.id) open(row)
    },
    refresh: () => list.refresh(),
  })
  return {
    noun,
    frame,
    list,
    banner,
    view,
    setView,
    isChoosingAll,
    setChoosingAll,
    total,
    isSplit,
    width,
    visible,
    first,
    lines,
    scrolled,
    open,
    stopOpening,
    actions,
  }
}

/** The opened row, line by line. The service may have left out any of its fields. */
function linesOf(layout: Layout, width: number, look: Look): TextLine[] {
  try {
    return layout(width, look)
  } catch (fault) {
    const lines: TextLine[] = [
      { text: 'It cannot be shown: the response of the service has an unknown form.', tone: 'alarm' },
      { text: (fault as Error).message, tone: 'quiet' },
    ]
    return lines.flatMap((line) => wrap(line, width))
  }
}

/** Reads the visible rows, or all rows while everything is being chosen, and then passes those on. */
function useReading(
  list: Rows,
  { first, visible, total }: { first: number; visible: number; total: number },
  onAllRead: (rows: Row[]) => void,
): [isChoosingAll: boolean, setChoosingAll: (on: boolean) => void] {
  const [isChoosingAll, setChoosingAll] = useState(false)
  useEffect(() => {
    if (!isChoosingAll) return list.look(first, Math.min(total, first + visible * 2))
    list.look(0, total)
    const rows = list.read()
    if (rows.length < total) return
    setChoosingAll(false)
    onAllRead(rows)
  })
  return [isChoosingAll, setChoosingAll]
}

async function handlePress(state: ListState, { key, times }: Press): Promise<void> {
  const { noun, frame, list, view, setView, isChoosingAll, setChoosingAll, total, visible, lines, open, stopOpening, actions } = state
  const { cursor, chosen, opened, inside } = view
  const next = moved(view, { key, times }, { total, visible, lines: lines.length, height: frame.rows - 1 })
  const here = (inside ? opened?.row : list.at(cursor)) ?? null
  const rows = inside || chosen.size === 0 ? [here].filter((row) => row !== null) : [...chosen.values()]
  if (key === 'escape') stopOpening()
  if (isChoosingAll && (key === 'escape' || key === '*')) setChoosingAll(false)
  else if (next) setView(withRowId(list, next))
  else if (key === 'r') list.readAgain()
  else if (key === 'u') actions.undo()
  else if (isChoosingAll) frame.say('Still reading the rows to choose; Esc stops that.')
  else if (key === '*') chooseAll(state)
  else if (!here) return
  else if ((key === 'enter' || key === 'right') && !inside) open(here)
  else if (key === ' ' && !inside) {
    const passed = Array.from({ length: times }, (_, at) => list.at(cursor + at))
    setView(withRowId(list, choose(view, passed, total)))
  } else if (key === 'y') {
    copy(rows.map(({ id }) => id).join('\n'))
    frame.say(`Copied ${rows.length === 1 ? here.id : `${rows.length} ids`}.`)
  } else if (key === 'e') frame.say(written(noun.path.split('/').at(-1) as string, rows))
  else if (key === 'o') {
    const address = noun.pageOf(frame.connection, here)
    frame.say(address ? await browse(address) : 'There is no page for it.')
  } else if (noun.acts[key]) {
    setView({ ...view, chosen: new Map() })
    actions.run(key, rows)
  }
}

/** Chooses all rows of the list, including those not read yet; clears the choice if all are chosen. */
function chooseAll({ list, total, view, setView, setChoosingAll }: ListState): void {
  const rows = list.read()
  if (rows.length < total) setChoosingAll(true)
  else setView({ ...view, chosen: view.chosen.size === rows.length ? new Map() : byId(rows) })
}

/** The titles, the rows that fit, and the count line. */
function ListedRows({ state }: { state: ListState }) {
  const { noun, frame, list, view, isChoosingAll, isSplit, width, visible, first, total } = state
  const { look, search } = frame
  const { cursor, inside } = view
  return (
    <>
      <Line>
        <Text bold>{fit(`  ${cellsOf(noun, width, look, ({ title }) => title)}`, width, look)}</Text>
      </Line>
      {Array.from({ length: Math.min(visible, total - first) }, (_, at) => first + at).map((at) => (
        <Line key={at}>
          <Text inverse={at === cursor} dimColor={isSplit && inside}>
            {lineOf(noun, list.at(at), { width, look, here: at === cursor, chosen: isChosen(view, list.at(at)) })}
          </Text>
        </Line>
      ))}
      <Line>
        <Text dimColor>{shown(countOf(list, view, { isChoosingAll, which: search ? `/${search}` : noun.usual }), look)}</Text>
      </Line>
    </>
  )
}

function OpenedRow({ state }: { state: ListState }) {
  const { frame, view, isSplit, width, lines, scrolled } = state
  const { columns, rows: height, look } = frame
  return (
    <Box flexDirection="column" width={isSplit ? columns - width : columns}>
      {lines.slice(scrolled, scrolled + height - 1).map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line of the text is its place
        <Line key={at}>
          {isSplit && <Text dimColor={!view.inside}>{`${look.marks.between} `}</Text>}
          <Toned tone={line.tone} look={look}>
            {shown(line.text, look) || ' '}
          </Toned>
        </Line>
      ))}
    </Box>
  )
}

/** Lines above the list, refreshed with it. */
function useBanner(noun: Listing, { connection, reportFault, look }: Frame, list: Rows): string[] {
  const [lines, setLines] = useState<string[]>([])
  useEffect(() => {
    const read = () => noun.banner(connection).then(setLines, reportFault)
    read()
    const live = setInterval(() => {
      list.refresh()
      read()
    }, LIVE_MS)
    return () => clearInterval(live)
  }, [noun, list])
  return lines.map((line) => shown(line, look))
}

/** Keeps the cursor at its row when new rows come before it. */
function follow(list: Rows, view: View, setView: (view: View) => void): void {
  const here = list.at(view.cursor)
  if (!here || here.id === view.id) return
  const moved = view.id === null ? -1 : list.indexOf(view.id)
  setView(moved === -1 ? { ...view, id: here.id } : { ...view, cursor: moved })
}

const withRowId = (list: Rows, view: View): View => ({ ...view, id: list.at(view.cursor)?.id ?? null })

const isChosen = ({ chosen }: View, row: Row | null) => row !== null && chosen.has(row.id)

const byId = (rows: readonly Row[]): View['chosen'] => new Map(rows.map((row) => [row.id, row]))

function cellsOf(noun: Listing, width: number, look: Look, of: (column: Listing['columns'][number]) => unknown): string {
  const rest = width - 2 - noun.columns.reduce((sum, column) => sum + column.width + 1, -1)
  return noun.columns.map((column) => fit(shown(of(column), look), column.width || Math.max(8, rest), look)).join(' ')
}

/** A field that the service left out gives an empty cell and does not stop other rows from being shown. */
function cellOf({ of }: Listing['columns'][number], row: Row): unknown {
  try {
    return of(row)
  } catch {
    return '-'
  }
}

function lineOf(
  noun: Listing,
  row: Row | null,
  { width, look, here, chosen }: { width: number; look: Look; here: boolean; chosen: boolean },
): string {
  const { marks } = look
  const cells = row ? cellsOf(noun, width, look, (column) => cellOf(column, row)) : marks.more
  return fit(`${here ? marks.cursor : ' '}${chosen ? marks.chosen : ' '}${cells}`, width, look)
}

function countOf(list: Rows, { cursor, chosen }: View, { isChoosingAll, which }: { isChoosingAll: boolean; which: string }): string {
  const total = list.total()
  if (total === null) return list.fault() ? `${list.fault()?.message.split('\n')[0]} r reads again.` : 'reading ...'
  const place = total === 0 ? 'nothing here' : `${counted(cursor + 1)} of ${counted(total)}`
  const choice = isChoosingAll ? `reading ${counted(list.read().length)} to choose` : chosen.size > 0 && `${counted(chosen.size)} chosen`
  return [place, choice, which].filter(Boolean).join(', ')
}

const counted = (count: number): string => count.toLocaleString('en')

/** The keys that apply now, the most useful first. */
function keysOf({ acts }: Listing, { inside, opened, chosen }: View): string[] {
  const actions = Object.entries(acts).map(([key, { name }]) => `${key} ${name}`)
  const undo = Object.values(acts).some(({ back }) => back) ? ['u undo'] : []
  const file = ['y copy', 'e write', 'o browser']
  const move = inside ? ['j k scroll', 'Esc back'] : opened ? ['Tab into it', 'Esc close'] : ['Enter open', 'space choose', '/ find']
  const all = inside || chosen.size > 0 ? [...actions, ...undo, ...move, ...file] : [...move, ...actions, ...undo, ...file]
  return ['? help', 'q quit', ...all]
}
