import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ResultOf } from 'gql.tada'
import { useState } from 'react'
import { askAsOperator, graphql } from '../../api/graphql.ts'
import { useHasRole } from '../../operator-frame.tsx'
import { Button } from '../../parts/button.tsx'
import { Field } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { day, moment } from '../../parts/format.ts'
import { Empty, Failed, Loading } from '../../parts/states.tsx'
import { Table } from '../../parts/table.tsx'
import { useNotify } from '../../parts/toasts.tsx'

const ARCHIVE = graphql(`
  query Archive {
    archiveStatus {
      sources { source label records withdrawn from to }
      recent_imports { id source file_name status rows inserted updated unchanged withdrawn rejected failure started_at finished_at }
    }
  }
`)
const SYNC = graphql(`mutation Sync($source: String!, $year: Int) { archiveSync(source: $source, year: $year) { up_to_date } }`)

type Found = NonNullable<ResultOf<typeof ARCHIVE>['archiveStatus']>
type Source = Found['sources'][number]
type Import = Found['recent_imports'][number]

/** How often the list is read again while a year is fetched or an import runs. */
const POLL_INTERVAL_MS = 2000

/** The contents of the archive, and its imports. */
export function ArchivePage() {
  const hasRole = useHasRole()
  const queries = useQueryClient()
  const [syncing, setSyncing] = useState(false)
  const found = useQuery({
    queryKey: ['operator', 'archive'],
    queryFn: () => askAsOperator(ARCHIVE, {}),
    // The import of a year begins some time after the request for it.
    refetchInterval: ({ state }) =>
      queries.isMutating() > 0 || state.data?.archiveStatus?.recent_imports.some(({ status }) => status === 'running')
        ? POLL_INTERVAL_MS
        : false,
  })
  if (found.isPending) return <Loading what="the archive" />
  if (found.isLoadingError) return <Failed heading="h1" error={found.error} retry={() => found.refetch()} />
  const { sources = [], recent_imports: imports = [] } = found.data.archiveStatus ?? {}
  return (
    <>
      <header className="page-head">
        <div>
          <h1>Archive</h1>
          <p className="soft">
            Import files in a terminal: <code>weather archive import SOURCE FILE</code>
          </p>
        </div>
        {hasRole('archive') && (
          <Button kind="primary" onPress={() => setSyncing(true)}>
            Fetch a year
          </Button>
        )}
      </header>
      <h2>Imports</h2>
      <Imports imports={imports} sources={sources} />
      <h2 className="apart-above">Contents</h2>
      <SourceTable sources={sources} />
      {syncing && <SyncDialog close={() => setSyncing(false)} />}
    </>
  )
}

function Imports({ imports, sources }: { imports: Import[]; sources: Source[] }) {
  if (imports.length === 0) return <p className="soft">Nothing has been imported yet.</p>
  return (
    <Table<Import>
      caption="Imports, newest first"
      rows={imports}
      keyOf={({ id }) => id}
      columns={[
        { label: 'File', show: ({ file_name }) => <code className="small">{file_name}</code> },
        { label: 'Source', show: ({ source }) => sources.find((one) => one.source === source)?.label ?? source },
        { label: 'State', show: (one) => <ImportStatus run={one} /> },
        { label: 'Rows', number: true, show: ({ rows }) => formatCount(rows) },
        { label: 'New', number: true, show: ({ inserted }) => formatCount(inserted) },
        { label: 'Changed', number: true, show: ({ updated }) => formatCount(updated) },
        { label: 'Withdrawn', number: true, show: ({ withdrawn }) => formatCount(withdrawn) },
        { label: 'Rejected', number: true, show: ({ rejected }) => formatCount(rejected) },
        { label: 'Started', short: true, show: ({ started_at }) => moment(started_at) },
      ]}
    />
  )
}

function SourceTable({ sources }: { sources: Source[] }) {
  if (sources.length === 0)
    return (
      <Empty heading="h3" title="The archive is empty">
        <p>Until the first file is imported, every report states that it is empty.</p>
      </Empty>
    )
  return (
    <Table<Source>
      caption="Contents by source"
      rows={sources}
      keyOf={({ source }) => source}
      columns={[
        { label: 'Source', show: ({ label }) => label },
        { label: 'Records', number: true, show: ({ records }) => formatCount(records) },
        { label: 'Withdrawn', number: true, show: ({ withdrawn }) => formatCount(withdrawn) },
        { label: 'From', short: true, show: ({ from }) => (from ? day(from) : '–') },
        { label: 'To', short: true, show: ({ to }) => (to ? day(to) : '–') },
      ]}
    />
  )
}

const formatCount = (value: number) => value.toLocaleString('en-US')

function ImportStatus({ run: { status, failure } }: { run: Import }) {
  const kind = status === 'complete' ? 'good' : status === 'failed' ? 'bad' : 'warn'
  return (
    <>
      <span className={`badge ${kind}`}>{status === 'running' ? 'Running' : status === 'complete' ? 'Complete' : 'Failed'}</span>{' '}
      <span className="soft small">{failure}</span>
    </>
  )
}

function SyncDialog({ close }: { close: () => void }) {
  const queries = useQueryClient()
  const notify = useNotify()
  const refresh = () => queries.invalidateQueries({ queryKey: ['operator', 'archive'] })
  const sync = useMutation({
    mutationFn: (form: FormData) => askAsOperator(SYNC, { source: 'storm-events', year: Number(form.get('year')) }),
    onSuccess: ({ archiveSync }) => notify(archiveSync?.up_to_date ? 'The archive is already up to date.' : 'The year is imported.'),
    onMutate: refresh,
    onSettled: refresh,
  })
  // The dialog may have been closed in the meantime and another one opened.
  const send = { ...sync, mutate: (form: FormData) => sync.mutate(form, { onSuccess: close }) }
  return (
    <FormDialog title="Fetch a year of Storm Events" open close={close} label="Fetch" takesMinutes mutation={send}>
      {(faults) => (
        <>
          <p>Imports the newest file of the year from the agency's own folder. This takes minutes. The list shows the progress.</p>
          <Field label="Year" faults={faults.year}>
            {(controlProps) => <input {...controlProps} name="year" type="number" min={1950} required />}
          </Field>
        </>
      )}
    </FormDialog>
  )
}
