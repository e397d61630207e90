import { Box, Text } from 'ink'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { browse, copy, saveRows } from './desktop.ts'
import { LineBox as Line, type ScreenProps, Toned } from './frame.tsx'
import type { Press } from './keys.ts'
import type { Layout, Listing } from './listing.ts'
import type { Row } from './listing-pages.ts'
import { type Rows, useRows } from './rows.ts'
import type { TerminalStyle } from './terminal.ts'
import { displayable, fit, fitWords, type Line as TextLine, wrap } from './text.ts'
import { useActions } from './use-actions.ts'
import { choose, type View, viewAfter, viewFollowing } from './view.ts'

/** From this width on, list and details are side by side. */
const WIDE = 120
/** Milliseconds between two refreshes. */
const REFRESH_MS = 15_000

/** Milliseconds that the cursor rests before its row is opened beside the list. */
const OPEN_DELAY_MS = 200

/** A list with its actions, and the opened row beside it or instead of it. */
export function List({ noun: listing, frame }: { noun: Listing; frame: ScreenProps }) {
  const state = useList(listing, frame)
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
        <Text dimColor>{fitWords(keysOf(listing, view), columns)}</Text>
      </Line>
    </Box>
  )
}

type ListState = ReturnType<typeof useList>

/** State of a list: rows, cursor, layout of the screen, and actions. */
function useList(listing: Listing, frame: ScreenProps) {
  const { connection, look, columns, rows: height, search, reportFault, say } = frame
  const list = useRows(connection, listing.path, listing.filters(search), reportFault)
  const banner = useBanner(listing, frame, list)
  const [view, setView] = useState(frame.view)
  const { cursor, opened, inside } = view
  useLayoutEffect(() => frame.saveView(view))
  useLayoutEffect(() => {
    const followed = viewFollowing(view, list)
    if (followed !== view) setView(followed)
  })

  const total = list.total() ?? 0
  const wide = columns >= WIDE
  const isSplit = wide && opened !== null
  const width = isSplit ? columns >> 1 : columns
  // Titles, the count line and the key line.
  const visible = Math.max(1, height - banner.length - 3)
  const first = Math.max(0, Math.min(cursor - (visible >> 1), total - visible))
  const openedWidth = isSplit ? columns - width - 2 : columns
  const lines = useMemo(() => (opened ? linesOf(opened.layout, openedWidth, look) : []), [opened, openedWidth, look])
  const scrolled = Math.max(0, Math.min(view.scrolled, lines.length - (height - 1)))
  const [isChoosingAll, setChoosingAll] = useReading(list, { first, visible, total }, (rows) =>
    setView((before) => ({ ...before, chosen: byId(rows) })),
  )

  // Responses arrive in any order; the row requested last is opened.
  const opening = useRef(0)
  const open = async (row: Row) => {
    const turn = ++opening.current
    try {
      const layout = await listing.open(connection, row)
      if (turn !== opening.current) return
      setView((before) => ({
        ...before,
        opened: { row, layout },
        scrolled: before.opened?.row.id === row.id ? before.scrolled : 0,
        inside: before.inside || !wide,
      }))
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
  const actions = useActions(connection, listing.acts, {
    ...{ say, reportFault },
    done(row) {
      list.replace(row)
      if (shownNow.current?.row.id === row.id) open(row)
    },
    refresh: () => list.refresh(),
    last: frame.lastAction,
  })
  return {
    noun: listing,
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
function linesOf(layout: Layout, width: number, look: TerminalStyle): TextLine[] {
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
    if (!isChoosingAll) return list.setVisible(first, Math.min(total, first + visible * 2))
    list.setVisible(0, total)
    const rows = list.loaded()
    if (rows.length < total) return
    setChoosingAll(false)
    onAllRead(rows)
  })
  return [isChoosingAll, setChoosingAll]
}

async function handlePress(state: ListState, { key, times }: Press): Promise<void> {
  const { noun, frame, list, view, setView, isChoosingAll, setChoosingAll, total, visible, lines, open, stopOpening, actions } = state
  const { cursor, chosen, opened, inside } = view
  const next = viewAfter(view, { key, times }, { total, visible, lines: lines.length, height: frame.rows - 1 })
  const here = (inside ? opened?.row : list.at(cursor)) ?? null
  const rows = inside || chosen.size === 0 ? [here].filter((row) => row !== null) : [...chosen.values()]
  if (key === 'escape') stopOpening()
  if (isChoosingAll && (key === 'escape' || key === '*')) setChoosingAll(false)
  else if (next) setView(withRowId(list, next))
  else if (key === 'r') {
    list.readAgain()
    if (opened) open(opened.row)
  } else if (key === 'u') actions.undo()
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
  } else if (key === 'e') frame.say(saveRows(noun.path.split('/').at(-1) as string, rows))
  else if (key === 'o') {
    const address = noun.detailsUrl(frame.connection, here)
    frame.say(address ? await browse(address) : 'There is no page for it.')
  } else if (noun.acts[key]) {
    setView({ ...view, chosen: new Map() })
    actions.run(key, rows)
  }
}

/** Chooses all rows of the list, including those not read yet; clears the choice if all are chosen. */
function chooseAll({ list, total, view, setView, setChoosingAll }: ListState): void {
  const rows = list.loaded()
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
        <Text dimColor>{displayable(countOf(list, view, { isChoosingAll, which: search ? `/${search}` : noun.defaultLabel }), look)}</Text>
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
            {displayable(line.text, look) || ' '}
          </Toned>
        </Line>
      ))}
    </Box>
  )
}

/** Lines above the list, refreshed with it. */
function useBanner(listing: Listing, { connection, reportFault, look }: ScreenProps, list: Rows): string[] {
  const [lines, setLines] = useState<string[]>([])
  useEffect(() => {
    const read = () => listing.banner(connection).then(setLines, reportFault)
    read()
    const timer = setInterval(() => {
      list.refresh()
      read()
    }, REFRESH_MS)
    return () => clearInterval(timer)
  }, [listing, list])
  return lines.map((line) => displayable(line, look))
}

const withRowId = (list: Rows, view: View): View => ({ ...view, id: list.at(view.cursor)?.id ?? null })

const isChosen = ({ chosen }: View, row: Row | null) => row !== null && chosen.has(row.id)

const byId = (rows: readonly Row[]): View['chosen'] => new Map(rows.map((row) => [row.id, row]))

function cellsOf(listing: Listing, width: number, look: TerminalStyle, of: (column: Listing['columns'][number]) => unknown): string {
  const rest = width - 2 - listing.columns.reduce((sum, column) => sum + column.width + 1, -1)
  return listing.columns.map((column) => fit(displayable(of(column), look), column.width || Math.max(8, rest), look)).join(' ')
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
  listing: Listing,
  row: Row | null,
  { width, look, here, chosen }: { width: number; look: TerminalStyle; here: boolean; chosen: boolean },
): string {
  const { marks } = look
  const cells = row ? cellsOf(listing, width, look, (column) => cellOf(column, row)) : marks.more
  return fit(`${here ? marks.cursor : ' '}${chosen ? marks.chosen : ' '}${cells}`, width, look)
}

function countOf(list: Rows, { cursor, chosen }: View, { isChoosingAll, which }: { isChoosingAll: boolean; which: string }): string {
  const total = list.total()
  if (total === null) return list.fault() ? `${list.fault()?.message.split('\n')[0]} r reads again.` : 'reading ...'
  const place = total === 0 ? 'nothing here' : `${formatCount(cursor + 1)} of ${formatCount(total)}`
  const choice = isChoosingAll
    ? `reading ${formatCount(list.loaded().length)} to choose`
    : chosen.size > 0 && `${formatCount(chosen.size)} chosen`
  return [place, choice, which].filter(Boolean).join(', ')
}

const formatCount = (count: number): string => count.toLocaleString('en')

/** The keys that apply now, the most useful first. */
function keysOf({ acts }: Listing, { inside, opened, chosen }: View): string[] {
  const actions = Object.entries(acts).map(([key, { name }]) => `${key} ${name}`)
  const undo = Object.values(acts).some(({ undo }) => undo) ? ['u undo'] : []
  const file = ['y copy', 'e write', 'o browser']
  const move = inside ? ['j k scroll', 'Esc back'] : opened ? ['Tab into it', 'Esc close'] : ['Enter open', 'space choose', '/ find']
  const all = inside || chosen.size > 0 ? [...actions, ...undo, ...move, ...file] : [...move, ...actions, ...undo, ...file]
  return ['? help', 'q quit', ...all]
}
