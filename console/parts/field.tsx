import { type ReactElement, useId } from 'react'

interface Props {
  label: string
  /** Validation messages from the service. */
  faults?: string[] | undefined
  hint?: string
  /** Renders the control with the attributes that tie it to its label and faults. */
  children: (controlProps: { id: string; 'aria-invalid': boolean; 'aria-describedby': string | undefined }) => ReactElement
}

/** A labelled control, with its faults or a hint below. */
export function Field({ label, faults, hint, children }: Props) {
  const id = useId()
  const message = faults?.length ? faults.join(' ') : hint
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-invalid': Boolean(faults?.length), 'aria-describedby': message ? `${id}-message` : undefined })}
      {message && (
        <span id={`${id}-message`} className={faults?.length ? 'fault' : 'soft small'}>
          {message}
        </span>
      )}
    </div>
  )
}
