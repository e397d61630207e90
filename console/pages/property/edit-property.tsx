import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { VariablesOf } from 'gql.tada'
import { useState } from 'react'
import { ask, graphql } from '../../api/graphql.ts'
import { ChangedMeanwhile } from '../../parts/changed-meanwhile.tsx'
import { Field } from '../../parts/field.tsx'
import { FormDialog, faultsWithin } from '../../parts/form-dialog.tsx'
import { changedOf, changedTagsOf, choiceOf, textOf } from '../../parts/form-text.ts'
import { SelectField } from '../../parts/select-field.tsx'
import { useNotify } from '../../parts/toasts.tsx'
import { statuses } from '../../parts/watch-status.tsx'

const CHANGE = graphql(`
  mutation ChangeProperty(
    $id: UUID!, $address: String, $label: String, $reference: String, $kind: PropertyKind, $status: PropertyStatus
    $watch_radius_miles: Float, $tags: [String!], $notes: String
  ) {
    updateProperty(
      property: $id, address: $address, label: $label, reference: $reference, kind: $kind, status: $status
      watch_radius_miles: $watch_radius_miles, tags: $tags, notes: $notes
    ) { id name }
  }
`)

type Changes = VariablesOf<typeof CHANGE>
type Kind = NonNullable<Changes['kind']>

/** Labels of the kinds of property. */
export const kinds: Record<Kind, string> = {
  residential: 'Residential',
  commercial: 'Commercial',
  multifamily: 'Multifamily',
  industrial: 'Industrial',
  land: 'Land',
  other: 'Other',
}

interface Editable {
  id: string
  name: string
  label: string | null
  reference: string | null
  kind: Kind
  status: keyof typeof statuses
  tags: readonly string[]
  notes: string | null
  watch_radius_miles: number
  address: { query: string }
}

/**
 * Edits a property.
 * @param current is updated when somebody else changes the property; the form keeps the values with which it was opened
 */
export function EditProperty({ property: current, close }: { property: Editable; close: () => void }) {
  const [property] = useState(current)
  const queries = useQueryClient()
  const notify = useNotify()
  const change = useMutation({
    mutationFn: (form: FormData) => ask(CHANGE, changesOf(property, form)),
    onSuccess: ({ updateProperty }) => {
      notify(`${updateProperty?.name ?? 'The property'} is saved.`)
      queries.invalidateQueries({ queryKey: ['property', property.id] })
      queries.invalidateQueries({ queryKey: ['properties'] })
      close()
    },
  })
  return (
    <FormDialog title={`Edit ${property.name}`} open close={close} label="Save" mutation={change}>
      {(faults) => (
        <>
          {isOutdated(property, current) && !change.isPending && <ChangedMeanwhile />}
          <Field label="Name" faults={faults.label}>
            {(controlProps) => <input {...controlProps} name="label" defaultValue={property.label ?? ''} />}
          </Field>
          <Field label="Address" faults={faults.address} hint="A new address is located again">
            {(controlProps) => <input {...controlProps} name="address" defaultValue={property.address.query} required />}
          </Field>
          <Field label="Reference" faults={faults.reference}>
            {(controlProps) => <input {...controlProps} name="reference" defaultValue={property.reference ?? ''} />}
          </Field>
          <div className="pair">
            <SelectField label="Kind" faults={faults.kind} name="kind" defaultValue={property.kind} options={Object.entries(kinds)} />
            <SelectField
              label="Status"
              faults={faults.status}
              name="status"
              defaultValue={property.status}
              options={Object.entries(statuses)}
            />
          </div>
          <Field label="Watch radius in miles" faults={faults.watch_radius_miles}>
            {(controlProps) => (
              <input
                {...controlProps}
                name="watch_radius_miles"
                type="number"
                step="any"
                min={0}
                defaultValue={property.watch_radius_miles}
                required
              />
            )}
          </Field>
          <Field label="Tags" faults={faultsWithin(faults, 'tags')} hint="Separated by commas">
            {(controlProps) => <input {...controlProps} name="tags" defaultValue={property.tags.join(', ')} />}
          </Field>
          <Field label="Notes" faults={faults.notes}>
            {(controlProps) => <textarea {...controlProps} name="notes" rows={3} defaultValue={property.notes ?? ''} />}
          </Field>
        </>
      )}
    </FormDialog>
  )
}

/** Returns the fields that were changed. An unchanged address is not sent, so that coordinates that were set stay. */
function changesOf({ id, address, ...initial }: Editable, form: FormData): Changes {
  const now = {
    address: String(form.get('address')),
    label: textOf(form, 'label'),
    reference: textOf(form, 'reference'),
    kind: choiceOf(form, 'kind', kinds),
    status: choiceOf(form, 'status', statuses),
    watch_radius_miles: Number(form.get('watch_radius_miles')),
    tags: changedTagsOf(form, 'tags', initial.tags),
    notes: textOf(form, 'notes'),
  }
  return { id, ...changedOf<Omit<Changes, 'id'>>({ ...initial, tags: [...initial.tags], address: address.query }, now) }
}

/** Whether somebody else has changed the property since the form was opened. */
const isOutdated = ({ address, ...initial }: Editable, current: Editable) =>
  JSON.stringify([address.query, fieldsOf(initial)]) !== JSON.stringify([current.address.query, fieldsOf(current)])

const fieldsOf = ({ label, reference, kind, status, tags, notes, watch_radius_miles }: Omit<Editable, 'address'>) => [
  ...[label, reference, kind, status, tags, notes, watch_radius_miles],
]
