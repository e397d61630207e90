import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Empty, Failed, Loading, type StateHeading } from './states.tsx'
import { type PageMeta, Pager, Table, type TableProps } from './table.tsx'
import { useStaleResults } from './use-debounced.ts'

interface Props<Row> extends Omit<TableProps<Row>, 'rows'> {
  /** Name of the rows for the loading state: "the reports". */
  what: string
  found: { isPending: boolean; isPlaceholderData: boolean; error: Error | null; refetch: () => unknown }
  page: { data: readonly Row[]; meta: PageMeta } | null | undefined
  /** Shown if there are no rows. */
  empty: ReactNode
  /** Heading of its other states. */
  heading?: StateHeading
  go: (page: number) => void
}

/** A page of rows in its state: loading, failed, empty or loaded. */
export function Listing<Row>({ what, found, page, empty, heading = 'h2', go, ...table }: Props<Row>) {
  const outdated = useStaleResults(found)
  if (found.isPending || (outdated && page?.data.length === 0)) return <Loading what={what} />
  if (found.error && !page) return <Failed heading={heading} error={found.error} retry={() => found.refetch()} />
  if (!page || page.meta.total === 0) return empty
  if (page.data.length === 0)
    return (
      <Empty heading={heading} title="This page has no rows">
        <Button onPress={() => go(page.meta.last_page)}>Go to the last page</Button>
      </Empty>
    )
  return (
    <>
      {outdated ? <Loading what={what} /> : <Table<Row> {...table} rows={page.data} />}
      <Pager meta={page.meta} go={go} />
    </>
  )
}
