import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { day } from '../../parts/format.ts'
import { locatedTo } from '../../parts/located-to.ts'
import { Failed } from '../../parts/states.tsx'
import type { Column } from '../../parts/table.tsx'
import { usePages } from '../../parts/use-pages.ts'
import { VirtualTable } from '../../parts/virtual-table.tsx'
import { WatchStatus } from '../../parts/watch-status.tsx'
import { useCurrentSession } from '../../signed-in.tsx'
import { type Property, type PropertyFilters, readPage } from './property-filters.ts'
import { ListActions } from './tools.tsx'

interface Props {
  filters: PropertyFilters
  total: number
}

const columns: Column<Property>[] = [
  {
    label: 'Name',
    wide: true,
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
        {address.query} {!address.located && address.failure_message && <span className="badge bad">{address.failure_message}</span>}{' '}
        {address.precision && address.precision !== 'point' && <span className="badge">to the {locatedTo[address.precision]}</span>}
      </>
    ),
  },
  { label: 'Reference', show: ({ reference }) => reference ?? '–' },
  { label: 'Tags', show: ({ tags }) => tags.join(', ') || '–' },
  { label: 'Last storm', show: ({ last_activity_on }) => (last_activity_on ? day(last_activity_on) : '–') },
  { label: 'Status', show: ({ status, address }) => <WatchStatus status={status} address={address} /> },
]

/** All properties that the filters find. Pages are read when their rows come into sight. */
export function PropertyRows({ filters, total }: Props) {
  const { team } = useCurrentSession()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const { rowAt, look, fault, retry } = usePages<Property>(['properties', filters], (page) => readPage(filters, page), total)
  const choose = (id: string, on: boolean) => setChosen(new Set(on ? [...chosen, id] : [...chosen].filter((one) => one !== id)))
  const canEdit = team.role !== 'viewer'
  return (
    <>
      <ListActions filters={filters} total={total} chosen={chosen} setChosen={canEdit ? setChosen : null} />
      <VirtualTable<Property>
        caption="Properties, newest first"
        columns={columns}
        count={total}
        rowAt={rowAt}
        keyOf={({ id }) => id}
        nameOf={({ name }) => name}
        onVisibleRange={look}
        selected={chosen}
        {...(canEdit && { select: choose })}
      />
      {fault && <Failed what="Some of the rows" error={fault} retry={retry} />}
    </>
  )
}
