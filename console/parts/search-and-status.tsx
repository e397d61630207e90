import type { ReactNode } from 'react'
import { Field } from './field.tsx'
import { SelectField } from './select-field.tsx'
import { useTypedText } from './use-typed-text.ts'

interface Search {
  text: string | undefined
  status: string | undefined
}

interface Props extends Search {
  label: string
  /** Value -> label. */
  statuses: Readonly<Record<string, string>>
  change: (search: Search) => void
  /** Further fields of the same form. */
  children?: ReactNode
}

/** Filters a listing by a text, a status, and what its page adds. */
export function SearchAndStatus({ label, text, status, statuses, change, children }: Props) {
  const typedText = useTypedText(text, (typed) => change({ text: typed || undefined, status }))
  return (
    <form className="filters" onSubmit={(event) => event.preventDefault()}>
      <Field label={label}>{(controlProps) => <input {...controlProps} {...typedText} type="search" />}</Field>
      <SelectField
        label="Status"
        value={status ?? ''}
        change={(value) => change({ text, status: value || undefined })}
        options={[['', 'All'], ...Object.entries(statuses)]}
      />
      {children}
    </form>
  )
}
