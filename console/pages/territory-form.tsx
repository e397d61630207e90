import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ask, graphql } from '../api/graphql.ts'
import { Button } from '../parts/button.tsx'
import { ChangedMeanwhile } from '../parts/changed-meanwhile.tsx'
import { Field } from '../parts/field.tsx'
import { faultsOf, RefusalNotice } from '../parts/form-dialog.tsx'
import { changedOf } from '../parts/form-text.ts'
import { useIdempotencyKey } from '../parts/idempotency-key.ts'
import { LapsedNotice, useLapsedRefusal } from '../parts/lapsed-plan.tsx'
import { UnsavedChanges } from '../parts/leave-dialog.tsx'
import { SelectField } from '../parts/select-field.tsx'
import { useNotify } from '../parts/toasts.tsx'
import { statuses } from '../parts/watch-status.tsx'
import { type Draft, draftLocation, isComplete, locationToSend, type Quote, type Swatch, swatchNames } from './territory-draft.ts'
import { LocationFields } from './territory-fields.tsx'

const CREATE = graphql(`
  mutation DrawTerritory($name: String!, $kind: TerritoryKind!, $colour: Swatch, $status: TerritoryStatus, $notes: String, $geometry: GeoJson, $address: String, $latitude: Float, $longitude: Float, $radius: Float, $places: [Int!], $key: String) {
    createTerritory(name: $name, kind: $kind, colour: $colour, status: $status, notes: $notes, geometry: $geometry, address: $address, latitude: $latitude, longitude: $longitude, radius_miles: $radius, place_ids: $places, idempotency_key: $key) { id name }
  }
`)
const CHANGE = graphql(`
  mutation ChangeTerritory($id: UUID!, $name: String, $colour: Swatch, $status: TerritoryStatus, $notes: String, $kind: TerritoryKind, $geometry: GeoJson, $address: String, $latitude: Float, $longitude: Float, $radius: Float, $places: [Int!]) {
    updateTerritory(territory: $id, name: $name, colour: $colour, status: $status, notes: $notes, kind: $kind, geometry: $geometry, address: $address, latitude: $latitude, longitude: $longitude, radius_miles: $radius, place_ids: $places) { id name }
  }
`)

/** The fields of a draft except its location, as variables of the API. */
const fieldsOf = ({ name, colour, status, notes }: Draft) => ({ name, colour, status, notes: notes.trim() === '' ? null : notes })

interface FormProps {
  /** Null for a new one. */
  before: { id: string } | null
  initial: Draft
  /** Whether somebody else has changed the territory since the form was opened. */
  isOutdated: boolean
  draft: Draft
  change: (part: Partial<Draft>) => void
  canEdit: boolean
  quote: Quote | null
  fault: Error | null
}

/** The form of a territory. */
export function TerritoryForm({ before, initial, isOutdated, draft, change, canEdit, quote, fault }: FormProps) {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const notify = useNotify()
  const keyOf = useIdempotencyKey()
  const lapsedRefusal = useLapsedRefusal()
  // What is watched stays watched, and its other fields can be changed.
  const refusal = before ? null : lapsedRefusal
  const isMoved = JSON.stringify(draftLocation(draft)) !== JSON.stringify(draftLocation(initial)) || draft.kind !== initial.kind
  const isResumed = draft.status !== initial.status && draft.status !== 'archived'
  const save = useMutation({
    mutationFn: async () => {
      const fields = fieldsOf(draft)
      if (!before) {
        const drawn = { ...fields, ...locationToSend(draft) }
        return (await ask(CREATE, { ...drawn, key: keyOf({ ...drawn, ...draftLocation(draft) }) })).createTerritory
      }
      return (await ask(CHANGE, { id: before.id, ...changedOf(fieldsOf(initial), fields), ...(isMoved && locationToSend(draft)) }))
        .updateTerritory
    },
    onSuccess: async (saved) => {
      notify(`${saved?.name} is saved.`)
      await Promise.all(['territories', 'territory', 'territory-ceiling'].map((one) => queries.invalidateQueries({ queryKey: [one] })))
    },
  })
  const faults = { ...faultsOf(fault), ...faultsOf(save.error) }
  // What the map shows is not part of the territory.
  const isChanged = JSON.stringify({ ...draft, view: null }) !== JSON.stringify({ ...initial, view: null })
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault()
        // Only while the page is open: a person who has left it stays where they are.
        if (!save.isPending) save.mutate(undefined, { onSuccess: () => navigate({ to: '/territories', ignoreBlocker: true }) })
      }}
    >
      <UnsavedChanges when={isChanged && !save.isPending && !save.isSuccess} />
      {canEdit && isOutdated && !save.isPending && !save.isSuccess && <ChangedMeanwhile />}
      <LapsedNotice refusal={refusal} />
      <RefusalNotice error={save.error} />
      {!save.error && <RefusalNotice error={fault} whileTyping />}
      <fieldset className="form bare" disabled={!canEdit}>
        <Field label="Name" faults={faults.name}>
          {(controlProps) => (
            <input {...controlProps} name="name" required value={draft.name} onChange={(event) => change({ name: event.target.value })} />
          )}
        </Field>
        <LocationFields draft={draft} change={change} faults={faults} />
        <ColourAndStatus {...{ draft, change, faults }} />
        <Field label="Notes" faults={faults.notes}>
          {(controlProps) => (
            <textarea {...controlProps} rows={2} value={draft.notes} onChange={(event) => change({ notes: event.target.value })} />
          )}
        </Field>
        {canEdit && (
          <div className="row">
            <Button
              kind="primary"
              type="submit"
              isPending={save.isPending}
              isDisabled={refusal !== null || !isComplete(draft) || ((isMoved || isResumed) && quote?.allowed === false)}
            >
              {before ? 'Save the changes' : 'Save the territory'}
            </Button>
            {!isComplete(draft) && <span className="soft small">Set its location first.</span>}
          </div>
        )}
      </fieldset>
    </form>
  )
}

/** The colour on maps, and the status. */
function ColourAndStatus({
  draft,
  change,
  faults,
}: Pick<FormProps, 'draft' | 'change'> & { faults: Record<string, string[] | undefined> }) {
  return (
    <div className="pair">
      <SelectField
        label="Colour"
        faults={faults.colour}
        value={draft.colour}
        change={(colour) => change({ colour: colour as Swatch })}
        options={swatchNames.map((swatch) => [swatch, swatch.replace(/^./, (first) => first.toUpperCase())])}
      />
      <SelectField
        label="Status"
        faults={faults.status}
        value={draft.status}
        change={(status) => change({ status: status as Draft['status'] })}
        options={Object.entries(statuses)}
      />
    </div>
  )
}
