import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { VariablesOf } from 'gql.tada'
import { useState } from 'react'
import { ask, graphql } from '../../api/graphql.ts'
import { ChangedMeanwhile } from '../../parts/changed-meanwhile.tsx'
import { Choices } from '../../parts/choices.tsx'
import { Field } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { changedOf, textOf } from '../../parts/form-text.ts'
import { useNotify } from '../../parts/toasts.tsx'

const CHANGE = graphql(`
  mutation ChangeDestination($id: UUID!, $name: String, $url: String, $events: [String!]) {
    updateIntegration(integration: $id, name: $name, url: $url, events: $events) { id name }
  }
`)

type Changes = VariablesOf<typeof CHANGE>

interface Editable {
  id: string
  name: string
  address_hint: string
  events: readonly string[]
}

interface Props {
  destination: Editable
  /** All events that a destination can receive. */
  events: readonly { name: string; label: string; description: string }[]
  /** Only owners change the address. */
  canChangeAddress: boolean
  close: () => void
}

/**
 * Edits a destination.
 * @param current is updated when the page is read again; the form keeps the values with which it was opened
 */
export function EditDestination({ destination: current, events, canChangeAddress, close }: Props) {
  const [destination] = useState(current)
  const queries = useQueryClient()
  const notify = useNotify()
  const change = useMutation({
    mutationFn: (form: FormData) => ask(CHANGE, changesOf(destination, form)),
    onSuccess: ({ updateIntegration }) => {
      notify(`${updateIntegration?.name ?? 'The destination'} is saved.`)
      queries.invalidateQueries({ queryKey: ['destinations'] })
      close()
    },
  })
  return (
    <FormDialog title={`Edit ${destination.name}`} open close={close} label="Save" mutation={change}>
      {(faults) => (
        <>
          {isOutdated(destination, current) && !change.isPending && <ChangedMeanwhile />}
          <Field label="Name" faults={faults.name}>
            {(controlProps) => <input {...controlProps} name="name" defaultValue={destination.name} required />}
          </Field>
          {canChangeAddress && (
            <Field label="New address" faults={faults.url} hint={`Without one, posts go to ${destination.address_hint} as before.`}>
              {(controlProps) => <input {...controlProps} name="url" type="url" placeholder="https://" />}
            </Field>
          )}
          <Choices
            name="events"
            legend="Events"
            faults={faults.events}
            choices={events}
            defaultChecked={(name) => destination.events.includes(name)}
          />
        </>
      )}
    </FormDialog>
  )
}

/** Returns the fields that were changed. The address is never read, so it is sent only if it is typed. */
function changesOf({ id, name, events }: Editable, form: FormData): Changes {
  const url = textOf(form, 'url')
  const chosen = form.getAll('events').map(String)
  const now = { name: String(form.get('name')), events: chosen.sort() }
  return { id, ...changedOf<Omit<Changes, 'id'>>({ name, events: [...events].sort() }, now), ...(url !== null && { url }) }
}

/** Whether somebody else has changed the destination since the form was opened. */
const isOutdated = (initial: Editable, current: Editable) => JSON.stringify(fieldsOf(initial)) !== JSON.stringify(fieldsOf(current))

const fieldsOf = ({ name, address_hint, events }: Editable) => [name, address_hint, [...events].sort()]
