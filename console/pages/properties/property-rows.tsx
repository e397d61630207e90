import { useQueries, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { day } from '../../parts/format.ts'
import { locatedTo } from '../../parts/located-to.ts'
import type { Column } from '../../parts/table.tsx'
import { useLater } from '../../parts/use-later.ts'
import { VirtualTable } from '../../parts/virtual-table.tsx'
import { useHere } from '../../signed-in.tsx'
import { statuses } from '../property/edit-property.tsx'
import { type Narrowing, PAGE_ROWS, type Page, type Property, readPage } from './narrowing.ts'
import { Tools } from './tools.tsx'

interface Props {
  narrowing: Narrowing
  total: number
}

/** What is scrolled past is not read: rows are, once the list has been still for so long. */
const STILL_MS = 80
/** Rows that are read before they come into sight. */
const AHEAD = 100

const columns: Column<Property>[] = [
  {
    label: 'Name',
    show: ({ id, name }) => (
      <Link to="/properties/$id" params={{ id }}>
        {name}
      </Link>
    ),
  },
  {
    label: 'Address',
    wide: true,
    show: ({ address }) => (
      <>
        {address.query} {!address.located && <span className="badge bad">{address.failure_message ?? 'Not located'}</span>}{' '}
        {address.precision && address.precision !== 'point' && <span className="badge">to the {locatedTo[address.precision]}</span>}
      </>
    ),
  },
  { label: 'Reference', show: ({ reference }) => reference ?? '–' },
  { label: 'Tags', show: ({ tags }) => tags.join(', ') || '–' },
  { label: 'Last storm', show: ({ last_activity_on }) => (last_activity_on ? day(last_activity_on) : '–') },
  { label: 'Status', show: ({ status }) => <span className={status === 'watching' ? 'badge good' : 'badge'}>{statuses[status]}</span> },
]

/** The properties of a narrowing, however many: pages are read as their rows come into sight. */
export function PropertyRows({ narrowing, total }: Props) {
  const { team } = useHere()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const { rowAt, look } = useRows(narrowing, total)
  const choose = (id: string, on: boolean) => setChosen(new Set(on ? [...chosen, id] : [...chosen].filter((one) => one !== id)))
  const works = team.role !== 'viewer'
  return (
    <>
      <Tools narrowing={narrowing} total={total} chosen={chosen} setChosen={works ? setChosen : null} />
      <VirtualTable<Property>
        caption="Properties, the newest first"
        columns={columns}
        count={total}
        rowAt={rowAt}
        keyOf={({ id }) => id}
        nameOf={({ name }) => name}
        look={look}
        chosen={chosen}
        {...(works && { choose })}
      />
    </>
  )
}

/** Reads the pages in sight and those beside them, and has every row that was read. */
function useRows(narrowing: Narrowing, total: number) {
  const queries = useQueryClient()
  const [sight, setSight] = useState('1 1')
  const look = useCallback(
    (first: number, last: number) => setSight(`${pageOf(Math.max(first - AHEAD, 0))} ${pageOf(Math.min(last + AHEAD, total - 1))}`),
    [total],
  )
  const [from = 1, until = 1] = useLater(sight, STILL_MS).split(' ').map(Number)
  const pages = Array.from({ length: until - from + 1 }, (_, at) => from + at)
  const keyOfPage = (page: number) => ['properties', narrowing, page] as const
  useQueries({ queries: pages.map((page) => ({ queryKey: keyOfPage(page), queryFn: () => readPage(narrowing, page) })) })
  const rowAt = (index: number) => queries.getQueryData<Page>(keyOfPage(pageOf(index)))?.rows[index % PAGE_ROWS]
  return { rowAt, look }
}

const pageOf = (index: number) => Math.floor(index / PAGE_ROWS) + 1
