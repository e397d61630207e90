import { useQuery, useQueryClient } from '@tanstack/react-query'
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

const queryOf = (search: string) => ({ queryKey: ['places', search], queryFn: () => ask(PLACES, { search }) })
/** A shorter text would find most of the places. */
const isSearchable = (text: string) => text.length > 1

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
  const queries = useQueryClient()
  const [text, setText] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const search = useDebounced(text.trim(), TYPING_PAUSE_MS)
  const found = useQuery({ ...queryOf(search), enabled: isSearchable(search) })
  const offersOf = (places: readonly FoundPlace[] | null | undefined) =>
    (places ?? []).filter(({ id }) => exclude.every((place) => place.id !== id)).slice(0, OFFERED_MAX)
  const offered = offersOf(found.data?.places)
  const pickPlace = (place: FoundPlace | undefined) => {
    if (!place) return
    pick(place)
    setText('')
  }
  /** Picks the first place for the text, also before it is searched for; none if the text was changed meanwhile. */
  const pickFirst = async (wanted: string) => {
    const { places } = await queries.ensureQueryData(queryOf(wanted))
    if (field.current?.value.trim() === wanted) pickPlace(offersOf(places)[0])
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
              // Enter must not submit the form around it.
              event.preventDefault()
              // The search itself says what failed.
              if (isSearchable(text.trim())) pickFirst(text.trim()).catch(() => {})
            }}
          />
        )}
      </Field>
      {isSearchable(search) && (
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
