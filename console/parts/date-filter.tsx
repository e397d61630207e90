import { Field } from './field.tsx'
import { useTypedText } from './use-typed-text.ts'

interface Props {
  label: string
  /** The date in the URL. */
  date: string | undefined
  faults?: string[] | undefined
  /** The last date that may be chosen. */
  max?: string
  /** Called with a date, or with an empty text. */
  change: (date: string) => void
}

/** No record is older. A year that is being typed is earlier until its last digit: 0002, 0020, 0202. */
const FIRST_DATE = '1950-01-01'

/** A labelled date that is stored in the URL. */
export function DateFilter({ label, date, faults, max, change }: Props) {
  const typed = useTypedText(date, change)
  return (
    <Field label={label} faults={faults}>
      {(controlProps) => <input {...controlProps} {...typed} type="date" min={FIRST_DATE} max={max} />}
    </Field>
  )
}
