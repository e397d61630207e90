import { useQuery } from '@tanstack/react-query'
import type { ResultOf } from 'gql.tada'
import { useRef, useState } from 'react'
import { ask, graphql } from '../api/graphql.ts'
import { Button } from '../parts/button.tsx'
import { Field } from '../parts/field.tsx'
import { Failed } from '../parts/states.tsx'
import { TYPING_PAUSE_MS, useDebounced } from '../parts/use-debounced.ts'

const PLACES = graphql(`query Places($search: String!) { places(search: $search) { id full_name latitude longitude } }`)

type FoundPlace = NonNullable<ResultOf<typeof PLACES>['places']>[number]

const OFFERED_MAX = 6

interface Props {
  hint: string
  faults?: string[] | undefined
  /** What a press on a place does, for its button: "Add". */
  verb: string
  /** Places that are not offered. */
  exclude: readonly { id: number }[]
  pick: (place: FoundPlace) => void
}

/** Finds a town by its name. A press picks it; Enter picks the first of several. */
export function PlaceSearch({ hint, faults, verb, exclude, pick }: Props) {
  const [text, setText] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const search = useDebounced(text.trim(), TYPING_PAUSE_MS)
  const found = useQuery({ queryKey: ['places', search], queryFn: () => ask(PLACES, { search }), enabled: search.length > 1 })
  const offered = (found.data?.places ?? []).filter(({ id }) => exclude.every((place) => place.id !== id)).slice(0, OFFERED_MAX)
  const pickPlace = (place: FoundPlace | undefined) => {
    if (!place) return
    pick(place)
    setText('')
  }
  return (
    <>
      <Field label="Find a place" faults={faults} hint={hint}>
        {(controlProps) => (
          <input
            {...controlProps}
            ref={field}
            name="place"
            type="search"
            value={text}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return
              // Enter must not submit the form around it, and must not pick a place that was found for an older text.
              event.preventDefault()
              if (search === text.trim()) pickPlace(offered[0])
            }}
          />
        )}
      </Field>
      {search.length > 1 && (
        <ul className="offers" aria-label="Places found" aria-live="polite">
          {offered.map((place) => (
            <li key={place.id}>
              <Button
                onPress={({ pointerType }) => {
                  pickPlace(place)
                  // The button goes with its list. A finger would open the keyboard of a phone in the field.
                  if (pointerType === 'keyboard' || pointerType === 'virtual') field.current?.focus()
                }}
              >
                {verb} {place.full_name}
              </Button>
            </li>
          ))}
          {found.isPending && <li className="soft small">Searching …</li>}
          {found.data && offered.length === 0 && <li className="soft small">No other place matches.</li>}
        </ul>
      )}
      {found.isLoadingError && <Failed what="The places" error={found.error} retry={() => found.refetch()} />}
    </>
  )
}
