import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ask, graphql } from '../../api/graphql.ts'
import { Button } from '../../parts/button.tsx'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { useNotify } from '../../parts/toasts.tsx'

const REMOVE = graphql(`mutation RemoveDestination($id: UUID!) { deleteIntegration(integration: $id) }`)

/** Asks for confirmation, removes a destination, and leads to the list. */
export function RemoveDestination({ id, name }: { id: string; name: string }) {
  const [isOpen, setOpen] = useState(false)
  const navigate = useNavigate()
  const queries = useQueryClient()
  const notify = useNotify()
  const remove = useMutation({
    mutationFn: () => ask(REMOVE, { id }),
    onSuccess: () => {
      notify(`${name} is removed.`)
      void queries.invalidateQueries({ queryKey: ['destinations'], exact: true })
    },
    onError: (fault) => notify(fault.message),
    onSettled: () => setOpen(false),
  })
  return (
    <>
      <Button kind="destructive" onPress={() => setOpen(true)}>
        Remove destination
      </Button>
      <ConfirmDialog
        title={`Remove ${name}?`}
        open={isOpen}
        cancelLabel="Keep it"
        close={() => setOpen(false)}
        label="Remove"
        pending={remove.isPending}
        act={() => remove.mutate(undefined, { onSuccess: () => navigate({ to: '/destinations' }) })}
      >
        <p>
          Nothing is posted to it any more, and waiting posts are not sent. Its deliveries stay in the list of deliveries. To pause it,
          deactivate it instead.
        </p>
      </ConfirmDialog>
    </>
  )
}
