import { type ReactElement, useId } from 'react'

interface Props {
  label: string
  /** Sentences of the service about it. */
  faults?: string[] | undefined
  hint?: string
  /** Draws the control with what ties it to its label and its faults. */
  children: (tied: { id: string; 'aria-invalid': boolean; 'aria-describedby': string | undefined }) => ReactElement
}

/** A labelled control, with what is wrong with it beneath. */
export function Field({ label, faults, hint, children }: Props) {
  const id = useId()
  const said = faults?.length ? faults.join(' ') : hint
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-invalid': Boolean(faults?.length), 'aria-describedby': said ? `${id}-said` : undefined })}
      {said && (
        <span id={`${id}-said`} className={faults?.length ? 'fault' : 'soft small'}>
          {said}
        </span>
      )}
    </div>
  )
}
