import { Field } from './field.tsx'

interface Search {
  text: string | undefined
  status: string | undefined
}

interface Props extends Search {
  label: string
  /** Value -> words. */
  statuses: Readonly<Record<string, string>>
  change: (search: Search) => void
}

/** Narrows a listing by a text and a status. */
export function SearchAndStatus({ label, text, status, statuses, change }: Props) {
  return (
    <form className="filters" onSubmit={(event) => event.preventDefault()}>
      <Field label={label}>
        {(tied) => (
          <input
            {...tied}
            type="search"
            defaultValue={text ?? ''}
            onChange={(event) => change({ text: event.target.value || undefined, status })}
          />
        )}
      </Field>
      <Field label="Status">
        {(tied) => (
          <select {...tied} value={status ?? ''} onChange={(event) => change({ text, status: event.target.value || undefined })}>
            <option value="">All</option>
            {Object.entries(statuses).map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </select>
        )}
      </Field>
    </form>
  )
}
