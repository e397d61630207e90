import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ResultOf, VariablesOf } from 'gql.tada'
import { useState } from 'react'
import { ask, graphql } from '../api/graphql.ts'
import { type OnWait, retryLater } from '../api/retry-later.ts'
import { Button } from '../parts/button.tsx'
import { csvOf } from '../parts/csv.ts'
import { DateFilter } from '../parts/date-filter.tsx'
import { Field } from '../parts/field.tsx'
import { counted, moment, startOfDay } from '../parts/format.ts'
import { Listing } from '../parts/listing.tsx'
import { saveFile } from '../parts/save-file.ts'
import { SelectField } from '../parts/select-field.tsx'
import { Empty, Failed, NotForRole } from '../parts/states.tsx'
import { type Column, pageMetaOf } from '../parts/table.tsx'
import { useNotify } from '../parts/toasts.tsx'
import { useTypedText } from '../parts/use-typed-text.ts'
import { useCurrentSession } from '../signed-in.tsx'

const AUDIT_LOG = graphql(`
  query AuditLog($actor_kind: ActorKind, $operation: String, $since: DateTime, $page: Int, $per_page: Int) {
    auditLog(actor_kind: $actor_kind, operation: $operation, since: $since, page: $page, per_page: $per_page) {
      total
      data {
        sequence at actor_kind actor operation target_kind target_id before after changed request_id network previous_hash hash
      }
    }
  }
`)
const PEOPLE = graphql(`query NamesOfPeople { people { id email name } }`)

type Entry = NonNullable<ResultOf<typeof AUDIT_LOG>['auditLog']>['data'][number]
type ActorKind = Entry['actor_kind']
type AuditFilters = Pick<VariablesOf<typeof AUDIT_LOG>, 'actor_kind' | 'operation' | 'since'>

const actorKinds: Record<ActorKind, string> = { person: 'People', token: 'Tokens', operator: 'The operator', service: 'The service' }
const isActorKind = (text: string | undefined): text is ActorKind => text !== undefined && Object.hasOwn(actorKinds, text)

const PER_PAGE = 25
/** The most that one request returns. */
const PER_REQUEST = 100
/** For more, an operator can export the whole log. */
const EXPORTED_MAX = 5000

/** Who did what in the team: to read, filter and export. */
export function AuditLogPage() {
  const { team } = useCurrentSession()
  if (team.role !== 'owner')
    return (
      <NotForRole page="Audit log" whom="owners">
        Only an owner of the team can read its audit log.
      </NotForRole>
    )
  return <Log />
}

function Log() {
  const search = useSearch({ from: '/framed/audit-log' })
  const navigate = useNavigate({ from: '/audit-log' })
  const filters: AuditFilters = {
    actor_kind: isActorKind(search.actor_kind) ? search.actor_kind : null,
    operation: search.operation ?? null,
    since: search.since ? startOfDay(search.since) : null,
  }
  const page = search.page ?? 1
  const found = useQuery({
    queryKey: ['audit-log', filters, page],
    queryFn: () => ask(AUDIT_LOG, { ...filters, page, per_page: PER_PAGE }),
    placeholderData: keepPreviousData,
  })
  const names = useQuery({ queryKey: ['names'], queryFn: () => ask(PEOPLE, {}) })
  const nameOf = ({ actor_kind, actor }: Entry) => {
    const person = actor_kind === 'person' ? names.data?.people?.find(({ id }) => id === actor) : undefined
    return person ? (person.name ?? person.email) : actor
  }
  const log = found.data?.auditLog
  return (
    <>
      <header className="page-head">
        <div>
          <h1>Audit log</h1>
          <p className="soft">Every change in the team and who made it. Each row contains the hash of the row before it.</p>
        </div>
        <Export filters={filters} nameOf={nameOf} />
      </header>
      <Filters />
      {/* Without names, people are shown by their ids. */}
      {names.isLoadingError && <Failed what="The names of people" error={names.error} retry={() => names.refetch()} />}
      <Listing<Entry>
        what="the audit log"
        found={found}
        page={log && { data: log.data, meta: pageMetaOf(page, { per_page: PER_PAGE, rows: log.data.length, total: log.total }) }}
        empty={
          <Empty title={search.actor_kind || search.operation || search.since ? 'No changes match' : 'No changes yet'}>
            <p>The log records every change, but not what people read.</p>
          </Empty>
        }
        go={(to) => navigate({ search: (before) => ({ ...before, page: to }) })}
        caption="Changes, newest first"
        keyOf={({ sequence }) => sequence}
        columns={columnsOf(nameOf)}
      />
    </>
  )
}

const columnsOf = (nameOf: (entry: Entry) => string): Column<Entry>[] => [
  { label: 'No.', number: true, show: ({ sequence }) => sequence },
  { label: 'When', short: true, show: ({ at }) => moment(at) },
  {
    label: 'Who',
    show: (entry) => (
      <>
        {nameOf(entry)} {entry.actor_kind !== 'person' && <span className="badge">{entry.actor_kind}</span>}
      </>
    ),
  },
  { label: 'Operation', short: true, show: ({ operation }) => <code>{operation}</code> },
  {
    label: 'Target',
    show: ({ target_kind, target_id }) => (
      <>
        {target_kind.replaceAll('_', ' ')}{' '}
        {target_id && (
          <code className="small" title={target_id}>
            {shortIdOf(target_id)}
          </code>
        )}
      </>
    ),
  },
  { label: 'Change', show: (entry) => <span className="small">{changeOf(entry)}</span> },
  { label: 'Network', short: true, show: ({ network }) => <code className="small">{network ?? '–'}</code> },
]

function Filters() {
  const search = useSearch({ from: '/framed/audit-log' })
  const navigate = useNavigate({ from: '/audit-log' })
  const changeFilters = (change: Partial<typeof search>) =>
    navigate({
      search: ({ page: _, ...before }) => {
        const { actor_kind, operation, since } = { ...before, ...change }
        return { ...(actor_kind && { actor_kind }), ...(operation && { operation }), ...(since && { since }) }
      },
      replace: true,
    })
  const operation = useTypedText(search.operation, (typed) => changeFilters({ operation: typed.trim() }))
  return (
    <form className="filters" onSubmit={(event) => event.preventDefault()}>
      <SelectField
        label="Who"
        value={search.actor_kind ?? ''}
        change={(actor_kind) => changeFilters({ actor_kind })}
        options={[['', 'Anyone'], ...Object.entries(actorKinds)]}
      />
      <Field label="Operation">
        {(controlProps) => <input {...controlProps} {...operation} type="search" placeholder="createReport" />}
      </Field>
      <DateFilter label="Since" date={search.since} change={(since) => changeFilters({ since })} />
    </form>
  )
}

/** The first of the five parts of an id. The exported file has the whole id. */
const shortIdOf = (id: string) => (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-/.test(id) ? `${id.slice(0, 8)}…` : id)

/** status: open, acknowledged. */
function changeOf({ before, after, changed }: Entry): string {
  const [oldValues, newValues] = [valuesOf(before), valuesOf(after)]
  const keys = [...new Set([...oldValues.keys(), ...newValues.keys()])].filter(
    (key) => textOf(oldValues.get(key)) !== textOf(newValues.get(key)),
  )
  const changes = keys.map((key) => {
    const [from, to] = [summaryOf(oldValues.get(key)), summaryOf(newValues.get(key))]
    return from === '' ? `${key}: ${to}` : `${key}: ${from} → ${to || 'none'}`
  })
  const otherKeys = (changed ?? []).filter((key) => !keys.includes(key))
  return [...changes, ...(otherKeys.length > 0 ? [`changed: ${otherKeys.join(', ')}`] : [])].join('; ') || '–'
}

const valuesOf = (values: unknown) => new Map<string, unknown>(values instanceof Object ? Object.entries(values) : [])
const textOf = (value: unknown) => (value == null ? '' : typeof value === 'string' ? value : JSON.stringify(value))

/** A longer list is shown as a count. The exported file has the whole list. */
const LISTED_MAX = 5
const summaryOf = (value: unknown) => (Array.isArray(value) && value.length > LISTED_MAX ? counted(value.length, 'value') : textOf(value))

const csvColumns = [
  ...['sequence', 'at', 'actor_kind', 'actor', 'name', 'operation', 'target_kind', 'target_id', 'before', 'after', 'changed'],
  ...['request_id', 'network', 'previous_hash', 'hash'],
]

function Export({ filters, nameOf }: { filters: AuditFilters; nameOf: (entry: Entry) => string }) {
  const notify = useNotify()
  const { team } = useCurrentSession()
  const [waiting, setWaiting] = useState<string | null>(null)
  const save = useMutation({
    mutationFn: async (as: 'csv' | 'json') => {
      const { entries, total } = await readEntries(filters, team.id, setWaiting)
      if (as === 'json') saveFile('audit-log.json', 'application/json', `${JSON.stringify(entries, null, 2)}\n`)
      else
        saveFile(
          'audit-log.csv',
          'text/csv',
          csvOf(
            csvColumns,
            entries.map((entry) => cellsOf(entry, nameOf(entry))),
          ),
        )
      return { saved: entries.length, total }
    },
    onSuccess: ({ saved, total }) =>
      notify(
        saved < total
          ? `Exported the newest ${saved.toLocaleString('en-US')} of ${counted(total, 'row')}. Filter the log to export the others.`
          : `Exported ${counted(saved, 'row')}.`,
      ),
    onError: (fault) => notify(fault.message),
  })
  return (
    <div className="row">
      <span className="soft small" role="status">
        {waiting}
      </span>
      <Button isPending={save.isPending} onPress={() => save.mutate('csv')}>
        Export as CSV
      </Button>
      <Button isPending={save.isPending} onPress={() => save.mutate('json')}>
        Export as JSON
      </Button>
    </div>
  )
}

/** @param team_id the team whose log is read, even if the person switches teams in the meantime */
async function readEntries(filters: AuditFilters, team_id: string, onWait: OnWait): Promise<{ entries: Entry[]; total: number }> {
  const entries: Entry[] = []
  let total = 0
  for (let page = 1; page <= EXPORTED_MAX / PER_REQUEST; page++) {
    const { auditLog } = await retryLater(() => ask(AUDIT_LOG, { ...filters, page, per_page: PER_REQUEST }, team_id), onWait, true)
    entries.push(...(auditLog?.data ?? []))
    total = auditLog?.total ?? 0
    if (entries.length >= total) break
  }
  // New rows push older ones onto the next page while it is read: each row is kept once.
  return { entries: [...new Map(entries.map((entry) => [entry.sequence, entry])).values()], total }
}

function cellsOf(entry: Entry, name: string): (string | number | null)[] {
  const { sequence, at, actor_kind, actor, operation, target_kind, target_id, before, after, changed, request_id } = entry
  const { network, previous_hash, hash } = entry
  return [
    ...[sequence, at, actor_kind, actor, name, operation, target_kind, target_id, textOf(before), textOf(after), textOf(changed)],
    ...[request_id, network, previous_hash, hash],
  ]
}
