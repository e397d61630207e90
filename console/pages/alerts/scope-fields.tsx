import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ask, graphql } from '../../api/graphql.ts'
import { Field } from '../../parts/field.tsx'
import type { Faults } from '../../parts/form-dialog.tsx'
import { SelectField } from '../../parts/select-field.tsx'
import { Failed } from '../../parts/states.tsx'
import { TYPING_PAUSE_MS, useDebounced } from '../../parts/use-debounced.ts'
import type { Rule } from './rules.ts'

const TERRITORIES = graphql(`
  query AlertTerritories { territories(per_page: 100) { data { id name } meta { total } } }
`)
const PROPERTIES = graphql(`
  query AlertProperties($search: String) { properties(search: $search, per_page: 25) { data { id name } meta { total } } }
`)

const scopes = { all: 'All places', tag: 'Properties with a tag', territory: 'One territory', property: 'One property' } as const
type Scope = keyof typeof scopes

/** The places that a rule applies to: a tag, a territory, a property, or all. */
export function ScopeFields({ rule, faults }: { rule: Rule | null; faults: Faults }) {
  const [scope, setScope] = useState<Scope>(scopeOf(rule))
  return (
    <>
      <SelectField
        label="Where"
        name="scope"
        value={scope}
        change={(value) => setScope((Object.keys(scopes) as Scope[]).find((one) => one === value) ?? 'all')}
        options={Object.entries(scopes)}
      />
      {scope === 'tag' && (
        <Field label="Tag" faults={faults.tag}>
          {(controlProps) => <input {...controlProps} name="tag" required defaultValue={rule?.tag ?? ''} />}
        </Field>
      )}
      {scope === 'territory' && <TerritoryField current={rule?.territory_id ?? null} faults={faults.territory} />}
      {scope === 'property' && <PropertyFields current={rule?.property_id ?? null} faults={faults.property} />}
    </>
  )
}

function scopeOf(rule: Rule | null): Scope {
  if (rule?.tag) return 'tag'
  if (rule?.territory_id) return 'territory'
  return rule?.property_id ? 'property' : 'all'
}

interface PlaceProps {
  /** The place that the rule applies to before the edit. */
  current: string | null
  faults: string[] | undefined
}

/**
 * The options, with the current place first: it is there before the others are read, and stays selected.
 * @param name its name, if it is known
 */
function placeOptions(current: string | null, found: readonly { id: string; name: string }[], name?: string): [string, string][] {
  const others = found.filter(({ id }) => id !== current).map(({ id, name }): [string, string] => [id, name])
  if (current === null) return others
  return [[current, found.find(({ id }) => id === current)?.name ?? name ?? 'Current choice'], ...others]
}

function TerritoryField({ current, faults }: PlaceProps) {
  const found = useQuery({ queryKey: ['territories', 'alerts'], queryFn: () => ask(TERRITORIES, {}) })
  const { data = [], meta } = found.data?.territories ?? {}
  const more = (meta?.total ?? 0) > data.length
  const hint = found.isPending
    ? 'Loading the territories …'
    : more &&
      `Shows the newest ${data.length} of ${meta?.total.toLocaleString('en-US')}. For others, use the terminal program with the id of the territory.`
  return (
    <>
      <SelectField
        label="Territory"
        name="territory"
        required
        faults={faults}
        {...(hint && { hint })}
        defaultValue={current ?? undefined}
        options={placeOptions(current, data)}
      />
      {found.isLoadingError && <Failed what="The territories" error={found.error} retry={() => found.refetch()} />}
    </>
  )
}

/** A search field and a choice of what it found, because a team may have fifty thousand properties. */
function PropertyFields({ current, faults }: PlaceProps) {
  const [text, setText] = useState('')
  // Stays among the options when another search does not find it.
  const [chosen, setChosen] = useState<{ id: string; name: string } | null>(null)
  const search = useDebounced(text.trim(), TYPING_PAUSE_MS)
  const found = useQuery({
    queryKey: ['properties', 'alerts', search],
    queryFn: () => ask(PROPERTIES, { search: search || null }),
    placeholderData: keepPreviousData,
  })
  const { data = [], meta } = found.data?.properties ?? {}
  const hint = found.isPending
    ? 'Loading the properties …'
    : found.data && (data.length === 0 ? 'No property matches.' : `Shows ${data.length} of ${meta?.total.toLocaleString('en-US')}.`)
  return (
    <>
      <div className="pair">
        <Field label="Find a property" {...(hint && { hint })}>
          {(controlProps) => (
            <input {...controlProps} type="search" value={text} onChange={(event) => setText(event.target.value)} autoComplete="off" />
          )}
        </Field>
        <SelectField
          label="Property"
          name="property"
          required
          faults={faults}
          defaultValue={current ?? undefined}
          change={(id) => setChosen(data.find((one) => one.id === id) ?? null)}
          options={placeOptions(chosen?.id ?? current, data, chosen?.name)}
        />
      </div>
      {found.isLoadingError && <Failed what="The properties" error={found.error} retry={() => found.refetch()} />}
    </>
  )
}
