import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { useNotify } from './toasts.tsx'

interface Props {
  /** What it is: "territory". */
  kind: string
  name: string
  /** The page of the list, which is shown once it is removed. */
  list: '/destinations' | '/territories'
  remove: () => Promise<unknown>
  /** Reads again what showed it. The list is shown after a returned promise. */
  refresh: () => unknown
  /** What goes with it, and what stays. */
  children: ReactNode
}

/** Asks for confirmation, removes the one thing that the page shows, and leads to the list. */
export function RemoveRecord({ kind, name, list, remove: removeRecord, refresh, children }: Props) {
  const [isOpen, setOpen] = useState(false)
  const navigate = useNavigate()
  const notify = useNotify()
  const remove = useMutation({
    mutationFn: removeRecord,
    onMutate: () => window.location.pathname,
    // Not in the call: the page may read first that its thing is gone, and this component with it.
    onSuccess: async (_removed, _, page) => {
      notify(`${name} is removed.`)
      await refresh()
      // A person who has gone elsewhere meanwhile stays there.
      if (window.location.pathname === page) navigate({ to: list, ignoreBlocker: true })
    },
    onError: (fault) => notify(fault.message),
    onSettled: () => setOpen(false),
  })
  return (
    <>
      <Button kind="destructive" onPress={() => setOpen(true)}>
        Remove {kind}
      </Button>
      <ConfirmDialog
        title={`Remove ${name}?`}
        open={isOpen}
        cancelLabel="Keep it"
        close={() => setOpen(false)}
        label="Remove"
        pending={remove.isPending}
        act={() => remove.mutate()}
      >
        {children}
      </ConfirmDialog>
    </>
  )
}
