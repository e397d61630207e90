import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ask, graphql } from '../../api/graphql.ts'
import { type OnWait, retryLater } from '../../api/retry-later.ts'
import { Field } from '../../parts/field.tsx'
import { FormDialog, faultsWithin } from '../../parts/form-dialog.tsx'
import { tagsOf } from '../../parts/form-text.ts'
import { useNotify } from '../../parts/toasts.tsx'
import { useCurrentSession } from '../../signed-in.tsx'

const TAG = graphql(`
  mutation TagProperties($ids: [UUID!]!, $add: [String!], $remove: [String!]) {
    tagProperties(ids: $ids, add: $add, remove: $remove) { outcome }
  }
`)

/** Properties that the service accepts in one call. */
const BATCH_SIZE = 500
const HINT = 'Separated by commas. Put a tag that contains a comma in quotation marks.'

interface Props {
  ids: readonly string[]
  close: () => void
  done: () => void
}

/** Adds tags to many properties, and removes tags from them. */
export function TagDialog({ ids, close, done }: Props) {
  const queries = useQueryClient()
  const notify = useNotify()
  const { team } = useCurrentSession()
  const [waiting, setWaiting] = useState<string | null>(null)
  const tag = useMutation({
    mutationFn: (form: FormData) => tagAll(ids, team.id, { add: tagsOf(form, 'add'), remove: tagsOf(form, 'remove') }, setWaiting),
    onSuccess: ({ changed, full }) => {
      notify(
        `${countedProperties(changed)} changed.${full > 0 ? ` ${countedProperties(full)} would have more than 10 tags and ${full === 1 ? 'stays as it is' : 'stay as they are'}.` : ''}`,
      )
      done()
    },
    onSettled: () => {
      queries.invalidateQueries({ queryKey: ['properties'] })
      queries.invalidateQueries({ queryKey: ['property'] })
    },
  })
  return (
    <FormDialog title={`Tag ${countedProperties(ids.length)}`} open close={close} label="Save" mutation={tag}>
      {(faults) => (
        <>
          <Field label="Tags to add" faults={faultsWithin(faults, 'add')} hint={HINT}>
            {(controlProps) => <input {...controlProps} name="add" />}
          </Field>
          <Field label="Tags to remove" faults={faultsWithin(faults, 'remove')} hint={HINT}>
            {(controlProps) => <input {...controlProps} name="remove" />}
          </Field>
          <p className="soft small" role="status">
            {waiting}
          </p>
        </>
      )}
    </FormDialog>
  )
}

const countedProperties = (count: number) => `${count.toLocaleString('en-US')} ${count === 1 ? 'property' : 'properties'}`

/** @param team_id the team of the properties */
async function tagAll(ids: readonly string[], team_id: string, { add, remove }: { add: string[]; remove: string[] }, onWait: OnWait) {
  const outcomes: string[] = []
  for (let from = 0; from < ids.length; from += BATCH_SIZE) {
    const batch = { ids: ids.slice(from, from + BATCH_SIZE), add, remove }
    const { tagProperties } = await retryLater(() => ask(TAG, batch, team_id), onWait)
    outcomes.push(...(tagProperties ?? []).map(({ outcome }) => outcome))
  }
  const count = (wanted: string) => outcomes.filter((outcome) => outcome === wanted).length
  return { changed: count('changed'), full: count('full') }
}
