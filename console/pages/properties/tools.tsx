import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../parts/button.tsx'
import { counted } from '../../parts/format.ts'
import { saveFile } from '../../parts/save-file.ts'
import { useNotify } from '../../parts/toasts.tsx'
import { useCurrentSession } from '../../signed-in.tsx'
import { OrderReports } from '../order-reports.tsx'
import { propertiesCsv } from './properties-csv.ts'
import { type PropertyFilters, readAll } from './property-filters.ts'
import { TagDialog } from './tag-dialog.tsx'

interface Props {
  filters: PropertyFilters
  total: number
  chosen: ReadonlySet<string>
  /** Replaces the selection; null if nothing can be selected. */
  setChosen: ((ids: ReadonlySet<string>) => void) | null
}

/** Actions on the whole list and on the selected properties. */
export function ListActions({ filters, total, chosen, setChosen }: Props) {
  const notify = useNotify()
  const { team } = useCurrentSession()
  const [loadedCount, setLoadedCount] = useState(0)
  const [waiting, setWaiting] = useState<string | null>(null)
  const [tagging, setTagging] = useState(false)
  const [ordering, setOrdering] = useState(false)
  const shared = { onError: (fault: Error) => notify(fault.message), onSettled: () => setLoadedCount(0) }
  const save = useMutation({
    mutationFn: () => readAll(filters, total, team.id, setLoadedCount, setWaiting),
    onSuccess: (properties) => {
      saveFile('properties.csv', 'text/csv', propertiesCsv(properties))
      notify(`Exported ${counted(properties.length, 'property', 'properties')}.`)
    },
    ...shared,
  })
  const chooseAll = useMutation({
    mutationFn: () => readAll(filters, total, team.id, setLoadedCount, setWaiting),
    onSuccess: (properties) => setChosen?.(new Set(properties.map(({ id }) => id))),
    ...shared,
  })
  const busy = save.isPending || chooseAll.isPending
  const hasSelection = chosen.size > 0
  return (
    <div className="row tools">
      <span className="soft small" role="status">
        {total.toLocaleString('en-US')} {total === 1 ? 'property' : 'properties'}
        {hasSelection && `, ${chosen.size.toLocaleString('en-US')} selected`}
        {loadedCount > 0 && `, ${loadedCount.toLocaleString('en-US')} loaded …`}
        {waiting && ` ${waiting}`}
      </span>
      <div className="row">
        {setChosen && (
          <>
            <Button isDisabled={!hasSelection} onPress={() => setTagging(true)}>
              Tag
            </Button>
            <Button isDisabled={!hasSelection} onPress={() => setOrdering(true)}>
              Order reports
            </Button>
            <Button isPending={busy} onPress={() => (hasSelection ? setChosen(new Set()) : chooseAll.mutate())}>
              {hasSelection ? 'Clear selection' : 'Select all'}
            </Button>
          </>
        )}
        <Button isPending={busy} onPress={() => save.mutate()}>
          Export as CSV
        </Button>
      </div>
      {ordering && <OrderReports selection={{ ids: [...chosen] }} close={() => setOrdering(false)} />}
      {tagging && (
        <TagDialog
          ids={[...chosen]}
          close={() => setTagging(false)}
          done={() => {
            setTagging(false)
            setChosen?.(new Set())
          }}
        />
      )}
    </div>
  )
}
