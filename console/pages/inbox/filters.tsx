import { useNavigate, useSearch } from '@tanstack/react-router'
import { DateFilter } from '../../parts/date-filter.tsx'
import { Field } from '../../parts/field.tsx'
import { SelectField } from '../../parts/select-field.tsx'
import { useTypedText } from '../../parts/use-typed-text.ts'

/** The filters of the inbox, which are stored in the URL. */
export function InboxFilters() {
  const search = useSearch({ from: '/framed/inbox' })
  const navigate = useNavigate({ from: '/inbox' })
  const setFilters = (change: Record<string, string | undefined>) =>
    navigate({ search: (before) => withoutUndefined({ ...before, ...change }), replace: true })
  const minHail = useTypedText(search.min_hail, (typed) => setFilters({ min_hail: typed || undefined }))
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
      <DateFilter label="From" date={search.from} change={(from) => setFilters({ from: from || undefined })} />
      <DateFilter label="To" date={search.to} faults={faultOfDays(search)} change={(to) => setFilters({ to: to || undefined })} />
      <Field label="Minimum reported hail, inches">
        {(controlProps) => <input {...controlProps} {...minHail} type="number" min="0" step="0.25" />}
      </Field>
    </form>
  )
}

/** What is wrong with the days: no exposure can match them, and the service refuses them. */
export const faultOfDays = ({ from, to }: { from?: string | null | undefined; to?: string | null | undefined }) =>
  from && to && to < from ? ['“To” must be on or after “From”.'] : undefined

const withoutUndefined = <Of extends object>(of: Of) => Object.fromEntries(Object.entries(of).filter(([, value]) => value !== undefined))
