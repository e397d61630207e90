import { useNavigate, useSearch } from '@tanstack/react-router'
import { Field } from '../parts/field.tsx'

/** What of the inbox is shown: kept in the address bar. */
export function InboxFilters() {
  const search = useSearch({ from: '/framed/inbox' })
  const navigate = useNavigate({ from: '/inbox' })
  const filter = (change: Record<string, string | undefined>) =>
    navigate({ search: (before) => clean({ ...before, page: undefined, ...change }), replace: true })
  return (
    <form className="filters" onSubmit={(event) => event.preventDefault()}>
      <Field label="Show">
        {(tied) => (
          <select
            {...tied}
            value={search.state ?? 'open'}
            onChange={(event) => filter({ state: event.target.value === 'open' ? undefined : event.target.value })}
          >
            <option value="open">Open</option>
            <option value="settled">Acknowledged or dismissed</option>
            <option value="all">All</option>
          </select>
        )}
      </Field>
      <Field label="Kind">
        {(tied) => (
          <select {...tied} value={search.kind ?? ''} onChange={(event) => filter({ kind: event.target.value || undefined })}>
            <option value="">Storm days and warnings</option>
            <option value="record">Storm days</option>
            <option value="warning">Warnings</option>
          </select>
        )}
      </Field>
      <Field label="From">
        {(tied) => (
          <input {...tied} type="date" value={search.from ?? ''} onChange={(event) => filter({ from: event.target.value || undefined })} />
        )}
      </Field>
      <Field label="To">
        {(tied) => (
          <input {...tied} type="date" value={search.to ?? ''} onChange={(event) => filter({ to: event.target.value || undefined })} />
        )}
      </Field>
      <Field label="Hail reported, inches">
        {(tied) => (
          <input
            {...tied}
            type="number"
            min="0"
            step="0.25"
            value={search.min_hail ?? ''}
            onChange={(event) => filter({ min_hail: event.target.value || undefined })}
          />
        )}
      </Field>
    </form>
  )
}

const clean = <Of extends object>(of: Of) => Object.fromEntries(Object.entries(of).filter(([, value]) => value !== undefined))
