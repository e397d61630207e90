import { Link } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useLayoutEffect, useRef } from 'react'
import { ApiError } from '../api/session.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { LapsedNotice } from './lapsed-plan.tsx'

/** Field -> validation messages. */
export type Faults = Record<string, string[] | undefined>

/** The faults that the service found, by field; empty if it refused the request as a whole. */
export function faultsOf(error: Error | null): Faults {
  return error instanceof ApiError ? error.fields : {}
}

/** The faults of a list and of its items, which the service names by their index; undefined if there are none. */
export function faultsWithin(faults: Faults, name: string): string[] | undefined {
  const found = Object.entries(faults).flatMap(([path, messages = []]) => (path === name || path.startsWith(`${name}.`) ? messages : []))
  return found.length > 0 ? found : undefined
}

/** Scrolls to a notice: on a small screen the button of a long form is far below it. */
const scrollIntoView = (part: HTMLElement | null) => part?.scrollIntoView({ block: 'nearest' })

interface RefusalProps {
  error: Error | null
  /** The request was sent while the person was typing, and not by a button: the field that they are in must not scroll away. */
  whileTyping?: boolean
}

/** Shows why a request was refused. The fault of a field is also shown at the field, if the form has it. */
export function RefusalNotice({ error, whileTyping = false }: RefusalProps) {
  if (!error) return null
  return (
    <div className="notice bad" role="alert" ref={whileTyping ? undefined : scrollIntoView}>
      {error.message}
      <ExistingLink error={error} />
    </div>
  )
}

/** A link to the existing record, if the request was refused as a duplicate. */
function ExistingLink({ error }: { error: Error }) {
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
  /** Label of the submit button. */
  label: string
  /** Why the service would refuse the form whatever it contains. It then cannot be sent. */
  refusal?: string | null
  /** The dialog can be closed while the request continues. */
  takesMinutes?: boolean
  mutation: { mutate: (form: FormData) => void; error: Error | null; isPending: boolean }
  /** Renders the fields with their faults. */
  children: (faults: Faults) => ReactNode
}

/**
 * A dialog with a form; the first field has the focus. It stays open until the response arrives: closing it would not cancel the
 * request, and the response may contain something that is shown only once.
 */
export function FormDialog({ title, open, close, ...form }: Props) {
  const isWaiting = form.mutation.isPending && !form.takesMinutes
  return (
    <Dialog title={title} open={open} isForm close={() => !isWaiting && close()}>
      <DialogForm {...form} close={close} isWaiting={isWaiting} />
    </Dialog>
  )
}

function DialogForm({
  close,
  label,
  mutation,
  refusal = null,
  isWaiting,
  children,
}: Omit<Props, 'title' | 'open' | 'takesMinutes'> & { isWaiting: boolean }) {
  const form = useRef<HTMLFormElement>(null)
  // Before the dialog is painted, so that what is typed at once goes into the field.
  useLayoutEffect(() => form.current?.querySelector<HTMLElement>('input, select')?.focus(), [])
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!mutation.isPending) mutation.mutate(new FormData(event.currentTarget))
  }
  return (
    <form ref={form} className="form" onSubmit={submit}>
      <LapsedNotice refusal={refusal} />
      <RefusalNotice error={mutation.error} />
      {children(faultsOf(mutation.error))}
      <div className="end row">
        <Button isPending={isWaiting} onPress={close}>
          Cancel
        </Button>
        <Button kind="primary" type="submit" isPending={mutation.isPending} isDisabled={refusal !== null}>
          {label}
        </Button>
      </div>
    </form>
  )
}
