import { useNavigate, useSearch } from '@tanstack/react-router'
import { Field } from '../../parts/field.tsx'
import { SelectField } from '../../parts/select-field.tsx'

/** The filters of the inbox, which are stored in the URL. */
export function InboxFilters() {
  const search = useSearch({ from: '/framed/inbox' })
  const navigate = useNavigate({ from: '/inbox' })
  const setFilters = (change: Record<string, string | undefined>) =>
    navigate({ search: (before) => withoutUndefined({ ...before, ...change }), replace: true })
  return (
    <form className="filters" onSubmit={(event) => event.preventDefault()}>
      <SelectField
        label="Show"
        value={search.state ?? 'open'}
        change={(state) => setFilters({ state: state === 'open' ? undefined : state })}
        options={[
          ['open', 'Open'],
          ['settled', 'Acknowledged or dismissed'],
          ['all', 'All'],
        ]}
      />
      <SelectField
        label="Kind"
        value={search.kind ?? ''}
        change={(kind) => setFilters({ kind: kind || undefined })}
        options={[
          ['', 'All'],
          ['record', 'Storm days'],
          ['warning', 'Warnings'],
        ]}
      />
      <Field label="From">
        {(controlProps) => (
          <input
            {...controlProps}
            type="date"
            value={search.from ?? ''}
            onChange={(event) => setFilters({ from: event.target.value || undefined })}
          />
        )}
      </Field>
      <Field label="To" faults={faultOfDays(search)}>
        {(controlProps) => (
          <input
            {...controlProps}
            type="date"
            value={search.to ?? ''}
            onChange={(event) => setFilters({ to: event.target.value || undefined })}
          />
        )}
      </Field>
      <Field label="Minimum reported hail, inches">
        {(controlProps) => (
          <input
            {...controlProps}
            type="number"
            min="0"
            step="0.25"
            value={search.min_hail ?? ''}
            onChange={(event) => setFilters({ min_hail: event.target.value || undefined })}
          />
        )}
      </Field>
    </form>
  )
}

/** What is wrong with the days: no exposure can match them, and the service refuses them. */
export const faultOfDays = ({ from, to }: { from?: string | null | undefined; to?: string | null | undefined }) =>
  from && to && to < from ? ['“To” must be on or after “From”.'] : undefined

const withoutUndefined = <Of extends object>(of: Of) => Object.fromEntries(Object.entries(of).filter(([, value]) => value !== undefined))
