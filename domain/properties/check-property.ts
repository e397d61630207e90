import { propertyKinds, watchStatuses } from '#domain/closed-sets.ts'
import { list, mapped, number, oneOf, text } from '#domain/kernel/fields.ts'
import { clearable, preset, readChanges, readNew, type Sent, type ValuesOf } from '#domain/kernel/form.ts'
import type { Faults } from '#domain/kernel/validation.ts'
import { checkPair, checkWhere, pointOf, type SentWhere, type Where, whereForm, whereOf } from '#domain/places/where.ts'

/** The most tags of a property. */
export const TAGS_MAX = 10

/** A field of tags: of tags that differ only by case, the first is kept. */
export const tagList = (name: string) =>
  mapped(list(name, text('A tag', { min: 1, max: 40 }), { max: TAGS_MAX, count: `Choose at most ${TAGS_MAX} tags.` }), foldTags)

/** The request body of a property, and a row of a batch. */
export const propertyForm = {
  ...whereForm({ verbatim: false }),
  label: clearable(text('The label', { min: 1, max: 120 })),
  reference: clearable(text('The reference', { max: 100 })),
  kind: preset(oneOf('The kind', propertyKinds), 'other'),
  status: preset(oneOf('The status', watchStatuses), 'watching'),
  watch_radius_miles: preset(number('The watch radius', { min: 0.5, max: 10, unit: 'miles', decimals: 2 }), 1),
  tags: preset(tagList('The tags'), []),
  notes: clearable(text('The notes', { max: 5000, lines: true })),
}

export type PropertyInput = Sent<typeof propertyForm>

/** The fields of a body, all of them checked. */
export type PropertyChanges = Omit<ValuesOf<typeof propertyForm>, keyof SentWhere> & Where

/** Checks the body of a new property. Use the result only if no fault was added. */
export function checkNewProperty(input: PropertyInput, faults: Faults): PropertyChanges {
  const { address, latitude, longitude, ...fields } = readNew(propertyForm, input, faults)
  const sent = { address, latitude, longitude }
  checkWhere(sent, faults)
  return { ...fields, ...whereOf(sent) }
}

/** Checks the body of a change: null clears label, reference and notes, and no other field. */
export function checkChanges(input: PropertyInput, faults: Faults): Partial<PropertyChanges> {
  const { address, latitude, longitude, ...fields } = readChanges(propertyForm, input, faults)
  const sent = { address, latitude, longitude }
  checkPair(sent, faults)
  faults.unless(address !== '', 'address', 'The address cannot be cleared.')
  const point = pointOf(sent)
  return { ...fields, ...(address && { address }), ...(point && { point }) }
}

/** Returns the tags in their order; of tags that differ only by case, the first is kept. */
export function foldTags(tags: string[]): string[] {
  const folded = new Map<string, string>()
  for (const tag of tags) if (!folded.has(tag.toLowerCase())) folded.set(tag.toLowerCase(), tag)
  return [...folded.values()]
}
