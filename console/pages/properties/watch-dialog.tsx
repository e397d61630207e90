import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ask, graphql } from '../../api/graphql.ts'
import { Field } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { textOf } from '../../parts/form-text.ts'
import { useLapsedRefusal } from '../../parts/lapsed-plan.tsx'
import { useNotify } from '../../parts/toasts.tsx'

const CREATE = graphql(`
  mutation WatchProperty($address: String, $label: String, $reference: String) {
    createProperty(address: $address, label: $label, reference: $reference) { id name address { located failure_message } }
  }
`)

/** Starts watching one property. */
export function WatchDialog({ close }: { close: () => void }) {
  const queries = useQueryClient()
  const notify = useNotify()
  const create = useMutation({
    mutationFn: (form: FormData) =>
      ask(CREATE, { address: String(form.get('address')), label: textOf(form, 'label'), reference: textOf(form, 'reference') }),
    onSuccess: ({ createProperty }) => {
      const { name = 'The property', address } = createProperty ?? {}
      const why = address?.failure_message ? 'its address could not be located' : 'its address is not located yet'
      notify(address?.located === false ? `${name} is added, but ${why}: nothing is watched there until it is.` : `${name} is watched.`)
      queries.invalidateQueries({ queryKey: ['properties'] })
      close()
    },
  })
  return (
    <FormDialog title="Watch a property" open close={close} label="Watch it" mutation={create} refusal={useLapsedRefusal()}>
      {(faults) => (
        <>
          <Field label="Address" faults={faults.address}>
            {(controlProps) => <input {...controlProps} name="address" required />}
          </Field>
          <Field label="Name" faults={faults.label}>
            {(controlProps) => <input {...controlProps} name="label" />}
          </Field>
          <Field label="Reference" faults={faults.reference}>
            {(controlProps) => <input {...controlProps} name="reference" />}
          </Field>
        </>
      )}
    </FormDialog>
  )
}
