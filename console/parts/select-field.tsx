import type { ComponentProps } from 'react'
import { Field } from './field.tsx'

interface Props extends Pick<ComponentProps<'select'>, 'name' | 'value' | 'defaultValue' | 'required'> {
  label: string
  faults?: string[] | undefined
  hint?: string
  /** Each value with its words, in the order in which they are offered. */
  options: readonly (readonly [value: string, words: string])[]
  change?: (value: string) => void
}

/** One of a few things, by its label. */
export function SelectField({ label, faults, hint, options, change, ...select }: Props) {
  return (
    <Field label={label} faults={faults} {...(hint !== undefined && { hint })}>
      {(tied) => (
        <select {...tied} {...select} {...(change && { onChange: (event) => change(event.target.value) })}>
          {options.map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
