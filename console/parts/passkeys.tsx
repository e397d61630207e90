import { browserSupportsWebAuthn } from '@simplewebauthn/browser'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Passkey, readPasskeys, registerPasskey, removePasskey } from '../api/passkeys.ts'
import { Button } from './button.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { Field } from './field.tsx'
import { FormDialog } from './form-dialog.tsx'
import { moment } from './format.ts'
import { Failed, Loading } from './states.tsx'
import { Table } from './table.tsx'
import { useNotify } from './toasts.tsx'

/** The person's passkeys. */
export function Passkeys() {
  const queries = useQueryClient()
  const notify = useNotify()
  const [adding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<Passkey | null>(null)
  const found = useQuery({ queryKey: ['passkeys'], queryFn: readPasskeys })
  const refresh = () => queries.invalidateQueries({ queryKey: ['passkeys'] })
  const add = useMutation({
    mutationFn: (form: FormData) => registerPasskey(String(form.get('name'))),
    onSuccess: ({ name }) => {
      notify(`You can now sign in with ${name}.`)
      setAdding(false)
    },
    onSettled: refresh,
  })
  const remove = useMutation({
    mutationFn: (id: string) => removePasskey(id),
    onSuccess: () => notify('The passkey is removed.'),
    onError: (fault) => notify(fault.message),
    onSettled: () => {
      setRemoving(null)
      return refresh()
    },
  })
  const closeForm = () => {
    add.reset()
    setAdding(false)
  }
  if (found.isPending) return <Loading what="your passkeys" />
  if (found.isLoadingError) return <Failed error={found.error} retry={() => found.refetch()} />
  const { passkeys } = found.data
  return (
    <>
      <h2 className="apart-above">Passkeys</h2>
      <p className="soft">A passkey signs you in with your fingerprint, face or PIN, without a link by e-mail.</p>
      {passkeys.length > 0 && <PasskeyTable passkeys={passkeys} remove={setRemoving} />}
      {browserSupportsWebAuthn() ? (
        <p className="apart-above">
          <Button onPress={() => setAdding(true)}>Add a passkey</Button>
        </p>
      ) : (
        <p className="soft">This browser does not support passkeys.</p>
      )}
      <FormDialog title="Add a passkey" open={adding} close={closeForm} label="Add passkey" mutation={add}>
        {(faults) => (
          <Field label="Name" faults={faults.name} hint="Where it is stored: a laptop, a phone, a security key">
            {(controlProps) => <input {...controlProps} name="name" required maxLength={80} />}
          </Field>
        )}
      </FormDialog>
      <ConfirmDialog
        title={`Remove ${removing?.name ?? ''}?`}
        open={removing !== null}
        cancelLabel="Keep it"
        close={() => setRemoving(null)}
        label="Remove"
        pending={remove.isPending}
        act={() => removing && remove.mutate(removing.id)}
      >
        <p>It can no longer be used to sign in. Sessions that it opened continue until you end them.</p>
      </ConfirmDialog>
    </>
  )
}

function PasskeyTable({ passkeys, remove }: { passkeys: readonly Passkey[]; remove: (passkey: Passkey) => void }) {
  return (
    <Table<Passkey>
      caption="Passkeys"
      rows={passkeys}
      keyOf={({ id }) => id}
      columns={[
        { label: 'Name', freeText: true, show: ({ name }) => name },
        { label: 'Stored', show: ({ backed_up }) => (backed_up ? 'On your devices' : 'On one device') },
        { label: 'Added', show: ({ created_at }) => moment(created_at) },
        { label: 'Last used', show: ({ used_at }) => moment(used_at) },
        {
          label: 'Actions',
          show: (one) => (
            <Button aria-label={`Remove the passkey ${one.name}`} onPress={() => remove(one)}>
              Remove
            </Button>
          ),
        },
      ]}
    />
  )
}
