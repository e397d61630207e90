import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ask, graphql } from '../api/graphql.ts'
import { Button } from '../parts/button.tsx'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import { Field } from '../parts/field.tsx'
import { FormDialog } from '../parts/form-dialog.tsx'
import { Empty, Failed, Loading, NotForRole } from '../parts/states.tsx'
import { Table } from '../parts/table.tsx'
import { useNotify } from '../parts/toasts.tsx'
import { useCurrentSession } from '../signed-in.tsx'

const ORIGINS = graphql(`query AllowedOrigins { allowedOrigins }`)
const SET = graphql(`mutation SetAllowedOrigins($origins: [String!]!) { setAllowedOrigins(origins: $origins) }`)

/** The team's own sites, whose pages may read with its tokens. */
export function AllowedOriginsPage() {
  const { team } = useCurrentSession()
  const [adding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<string | null>(null)
  const found = useQuery({ queryKey: ['allowed-origins', team.id], queryFn: () => ask(ORIGINS, {}), enabled: team.role === 'owner' })
  const origins = found.data?.allowedOrigins ?? []
  const remove = useChangeOrigins({
    success: 'The site is no longer allowed.',
    onSettled: () => setRemoving(null),
  })
  if (team.role !== 'owner')
    return (
      <NotForRole page="Allowed sites" whom="owners">
        Only an owner of the team can manage its allowed sites.
      </NotForRole>
    )
  if (found.isPending) return <Loading what="the allowed sites" />
  if (found.isLoadingError) return <Failed heading="h1" error={found.error} retry={() => found.refetch()} />
  return (
    <>
      <header className="page-head">
        <h1>Allowed sites</h1>
        <Button kind="primary" onPress={() => setAdding(true)}>
          Allow a site
        </Button>
      </header>
      <p className="soft">
        Pages on these sites can read reports, exposures, tiles and exports in a visitor's browser, with a token of the team. They cannot
        write. Every visitor of such a page can read its token: give the token only the abilities that the page needs.
      </p>
      {origins.length > 0 ? (
        <Table<string>
          caption="Sites whose pages may read with the team's tokens"
          rows={origins}
          keyOf={(origin) => origin}
          columns={[
            { label: 'Origin', show: (origin) => <code>{origin}</code> },
            {
              label: 'Actions',
              show: (origin) => (
                <Button kind="destructive" aria-label={`Remove ${origin}`} onPress={() => setRemoving(origin)}>
                  Remove
                </Button>
              ),
            },
          ]}
        />
      ) : (
        <Empty title="No allowed sites yet">
          <p>Browsers stop pages on other sites from reading this service. Allow the site on which you show its maps.</p>
          <Button onPress={() => setAdding(true)}>Allow the first site</Button>
        </Empty>
      )}
      <AllowDialog open={adding} close={() => setAdding(false)} />
      <ConfirmDialog
        title={`Remove ${removing ?? ''}?`}
        open={removing !== null}
        cancelLabel="Keep it"
        close={() => setRemoving(null)}
        label="Remove"
        pending={remove.isPending}
        act={() => removing && remove.mutate((current) => current.filter((one) => one !== removing))}
      >
        <p>Its pages can no longer read anything new. A browser may show tiles that it has already loaded for another hour.</p>
      </ConfirmDialog>
    </>
  )
}

function AllowDialog({ open, close }: { open: boolean; close: () => void }) {
  const set = useChangeOrigins({ success: 'The site is allowed.', onSuccess: () => leave() })
  const leave = () => {
    set.reset()
    close()
  }
  const send = { ...set, mutate: (form: FormData) => set.mutate((current) => [...current, String(form.get('origin')).trim()]) }
  return (
    <FormDialog title="Allow a site" open={open} close={leave} label="Allow" mutation={send}>
      {(faults) => (
        <Field
          label="Origin"
          // Saved origins are valid: a fault is about the new one, or about their number.
          faults={Object.values(faults).flatMap((messages) => messages ?? [])}
          hint="https://maps.example.com, or http://localhost:3000 to try it out"
        >
          {(controlProps) => <input {...controlProps} name="origin" required inputMode="url" autoComplete="off" spellCheck={false} />}
        </Field>
      )}
    </FormDialog>
  )
}

interface SaveCallbacks {
  /** The notice after the origins are saved. */
  success: string
  onSuccess?: () => void
  onSettled?: () => void
}

/**
 * Changes the current origins, which another owner may have changed in the meantime, and shows a notice. The change stays in the team in
 * which it began, even if the person has switched teams since.
 */
function useChangeOrigins({ success, onSuccess, onSettled }: SaveCallbacks) {
  const queries = useQueryClient()
  const notify = useNotify()
  const { team } = useCurrentSession()
  return useMutation({
    mutationFn: async (change: (current: readonly string[]) => string[]) => {
      const { allowedOrigins } = await ask(ORIGINS, {}, team.id)
      return ask(SET, { origins: change(allowedOrigins ?? []) }, team.id)
    },
    onSuccess: ({ setAllowedOrigins }) => {
      queries.setQueryData(['allowed-origins', team.id], { allowedOrigins: setAllowedOrigins })
      notify(success)
      onSuccess?.()
    },
    onError: (fault) => onSettled && notify(fault.message),
    onSettled: () => onSettled?.(),
  })
}
