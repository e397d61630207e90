import type { Faults } from '#domain/check.ts'
import { checkText } from '#domain/check-text.ts'
import { type Judge, judgeFields, oneOf, requireText, withoutNulls } from '#domain/judge.ts'
import { type PropertyKind, type PropertyStatus, propertyKinds, propertyStatuses } from '#domain/properties/view.ts'

/** A property's body as sent: every field is judged here, so values of any type may arrive. */
export interface PropertyInput {
  address?: unknown
  label?: unknown
  reference?: unknown
  kind?: unknown
  status?: unknown
  watch_radius_miles?: unknown
  tags?: unknown
  notes?: unknown
}

/** What a body says, every field judged. A field that was not sent is not there. */
export interface PropertyChanges {
  address: string
  label: string | null
  reference: string | null
  kind: PropertyKind
  status: PropertyStatus
  watch_radius_miles: number
  tags: string[]
  notes: string | null
}

const ADDRESS = { min: 3, max: 255 }
const LABEL = { min: 1, max: 120 }
const REFERENCE = { max: 100 }
const NOTES = { max: 5000, lines: true }
const TAG = { min: 1, max: 40 }
const TAGS_MAX = 10
/** Miles. */
const REACH = { min: 0.5, max: 10 }

/** What a new property is where its body does not say. */
const presets: Omit<PropertyChanges, 'address'> = {
  label: null,
  reference: null,
  kind: 'other',
  status: 'watching',
  watch_radius_miles: 1,
  tags: [],
  notes: null,
}

/** Judges the body of a new property: null is the same as not sent. To be used where no fault was noted. */
export function checkNewProperty(input: PropertyInput, faults: Faults): PropertyChanges {
  const { address, ...rest } = withoutNulls(input)
  const sent = requireText(address, 'address', faults) ? { address, ...rest } : rest
  return { address: '', ...presets, ...checkChanges(sent, faults) }
}

/** Judges the body of a change: null clears label, reference and notes, and nothing else. */
export function checkChanges(input: PropertyInput, faults: Faults): Partial<PropertyChanges> {
  return judgeFields<PropertyChanges>(input, judges, CLEARABLE, faults)
}

const CLEARABLE = new Set(['label', 'reference', 'notes'])

const judges: Record<keyof PropertyChanges, Judge> = {
  address: (sent, faults) => checkText(sent, 'address', ADDRESS, faults),
  label: (sent, faults) => checkText(sent, 'label', LABEL, faults),
  reference: (sent, faults) => checkText(sent, 'reference', REFERENCE, faults),
  kind: oneOf(propertyKinds, 'kind'),
  status: oneOf(propertyStatuses, 'status'),
  watch_radius_miles: checkReach,
  tags: checkTags,
  notes: (sent, faults) => checkText(sent, 'notes', NOTES, faults),
}

/** Miles, two decimals. */
function checkReach(sent: unknown, faults: Faults): number | null {
  const fits = typeof sent === 'number' && sent >= REACH.min && sent <= REACH.max
  faults.unless(fits, 'watch_radius_miles', `The watch radius must be a number of miles from ${REACH.min} to ${REACH.max}.`)
  return fits ? Number(sent.toFixed(2)) : null
}

/** Trimmed, in their order; of tags that differ by case alone the first stands. */
function checkTags(sent: unknown, faults: Faults): string[] {
  if (!Array.isArray(sent)) {
    faults.add('tags', 'The tags must be a list.')
    return []
  }
  const tags = new Map<string, string>()
  sent.forEach((one, index) => {
    const tag = checkText(one, `tags.${index}`, TAG, faults, 'tag')
    if (tag !== null && !tags.has(tag.toLowerCase())) tags.set(tag.toLowerCase(), tag)
  })
  faults.unless(tags.size <= TAGS_MAX, 'tags', `A property has at most ${TAGS_MAX} tags.`)
  return [...tags.values()]
}
