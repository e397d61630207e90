import { Link } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useLayoutEffect, useRef } from 'react'
import { ApiError } from '../api/session.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

/** Field -> sentences about it. */
export type Faults = Record<string, string[] | undefined>

/** What the service found wrong field by field; nothing where it refused the whole. */
export function faultsOf(error: Error | null): Faults {
  return error instanceof ApiError ? error.fields : {}
}

/** Says what was refused: what is wrong with a field stands at the field too, where the form has one for it. */
export function Refused({ error }: { error: Error | null }) {
  if (!error) return null
  return (
    <div className="notice bad" role="alert">
      {error.message}
      <Existing error={error} />
    </div>
  )
}

/** The way to what is there already, where it was refused for that. */
function Existing({ error }: { error: Error }) {
  const { code, existing_id: id } = error instanceof ApiError ? error : { code: null, existing_id: null }
  if (!id) return null
  const isProperty = code === 'duplicate_address'
  return (
    <>
      {' '}
      <Link to={isProperty ? '/properties/$id' : '/reports/$id'} params={{ id }}>
        View that {isProperty ? 'property' : 'report'}
      </Link>
    </>
  )
}

interface Props {
  title: string
  open: boolean
  close: () => void
  /** The words on the button that sends it. */
  label: string
  /** It may be closed while what it sent goes on. */
  takesMinutes?: boolean
  send: { mutate: (form: FormData) => void; error: Error | null; isPending: boolean }
  /** Draws the fields, with what is wrong with each. */
  children: (faults: Faults) => ReactNode
}

/**
 * A dialog that asks for something and sends it; the first field has the focus. It stays until the answer is there: what was sent is not
 * taken back by closing it, and what is answered may be shown this once.
 */
export function FormDialog({ title, open, close, ...form }: Props) {
  const waits = form.send.isPending && !form.takesMinutes
  return (
    <Dialog title={title} open={open} close={() => !waits && close()}>
      <Asking {...form} close={close} waits={waits} />
    </Dialog>
  )
}

function Asking({ close, label, send, waits, children }: Omit<Props, 'title' | 'open' | 'takesMinutes'> & { waits: boolean }) {
  const form = useRef<HTMLFormElement>(null)
  // Before it is seen: whoever types at once types there.
  useLayoutEffect(() => form.current?.querySelector<HTMLElement>('input, select')?.focus(), [])
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!send.isPending) send.mutate(new FormData(event.currentTarget))
  }
  return (
    <form ref={form} className="form" onSubmit={submit}>
      <Refused error={send.error} />
      {children(faultsOf(send.error))}
      <div className="end row">
        <Button isPending={waits} onPress={close}>
          Cancel
        </Button>
        <Button kind="first" type="submit" isPending={send.isPending}>
          {label}
        </Button>
      </div>
    </form>
  )
}
