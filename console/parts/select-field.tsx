import type { ComponentProps } from 'react'
import { Field } from './field.tsx'

interface Props extends Pick<ComponentProps<'select'>, 'name' | 'value' | 'defaultValue' | 'required'> {
  label: string
  faults?: string[] | undefined
  hint?: string
  /** Values with their labels, in display order. */
  options: readonly (readonly [value: string, words: string])[]
  change?: (value: string) => void
}

/** A labelled select. */
export function SelectField({ label, faults, hint, options, change, ...select }: Props) {
  return (
    <Field label={label} faults={faults} {...(hint !== undefined && { hint })}>
      {(controlProps) => (
        <select {...controlProps} {...select} {...(change && { onChange: (event) => change(event.target.value) })}>
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
