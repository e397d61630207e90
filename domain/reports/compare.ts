import type { CitedRecordView, FindingView, ReportView } from '#domain/reports/view.ts'

/** The parts of a report that are compared: what it states, and what it cites. */
export interface ComparedReport {
  report: Pick<ReportView, 'window' | 'event_count' | 'observation_count' | 'coverage' | 'headline'> &
    Partial<Pick<ReportView, 'day_of_loss' | 'days'>>
  findings: FindingView[]
  records: CitedRecordView[]
}

/** A value that differs: as text, with numbers and lists as JSON; null for none. */
export interface ChangedField {
  /** Keys of the response, joined by dots: measurements.hail_size_in. */
  field: string
  old: string | null
  new: string | null
}

export const changeKinds = ['came', 'went', 'changed'] as const
export type ChangeKind = (typeof changeKinds)[number]

/** How one thing changed from the first report to the second: `old` is null if it came, `new` if it went. */
export interface Changed<Thing> {
  change: ChangeKind
  old: Thing | null
  new: Thing | null
  /** The fields that differ, if it changed. */
  fields: ChangedField[]
}

export interface Comparison {
  records: Changed<CitedRecordView>[]
  /** By family of weather. */
  findings: Changed<FindingView>[]
  /** Figures and sentences of the report as a whole. */
  statements: ChangedField[]
}

/** Compares two reports. Pure. Lists the second report's changes in the order of its citations, then what only the first report has. */
export function compareReports(one: ComparedReport, other: ComparedReport): Comparison {
  return {
    records: changesOf(one.records, other.records, keyOfRecord),
    findings: changesOf(one.findings, other.findings, ({ family }) => family),
    statements: changedFields(statementsOf(one), statementsOf(other)),
  }
}

/** A radar cell that was never cited has no id of its own. */
const keyOfRecord = ({ id, begins_at, location }: CitedRecordView) =>
  id === 0 ? `${begins_at} ${location.latitude} ${location.longitude}` : String(id)

function changesOf<Thing extends object>(before: Thing[], after: Thing[], keyOf: (thing: Thing) => string): Changed<Thing>[] {
  const old = new Map(before.map((thing) => [keyOf(thing), thing]))
  const afterKeys = new Set(after.map(keyOf))
  const addedOrChanged = after.flatMap((thing): Changed<Thing>[] => {
    const previous = old.get(keyOf(thing))
    if (!previous) return [{ change: 'came', old: null, new: thing, fields: [] }]
    const fields = changedFields(previous, thing)
    return fields.length === 0 ? [] : [{ change: 'changed', old: previous, new: thing, fields }]
  })
  const removed = before.filter((thing) => !afterKeys.has(keyOf(thing)))
  return [...addedOrChanged, ...removed.map((thing): Changed<Thing> => ({ change: 'went', old: thing, new: null, fields: [] }))]
}

function statementsOf({ report: { window, event_count, observation_count, coverage, headline, day_of_loss, days } }: ComparedReport) {
  const loss = day_of_loss && { day_of_loss, days }
  return { window, event_count, observation_count, coverage, headline, ...loss }
}

/** Fields that do not count as changes: a record's place in a file, and the id it was given. */
const IGNORED_FIELDS = new Set(['id', 'provenance.file'])

function changedFields(one: object, other: object): ChangedField[] {
  const [old, current] = [new Map(leavesOf(one)), new Map(leavesOf(other))]
  return [...new Set([...old.keys(), ...current.keys()])]
    .map((field) => ({ field, old: old.get(field) ?? null, new: current.get(field) ?? null }))
    .filter(({ old: before, new: after }) => before !== after)
}

function leavesOf(value: object, path = ''): [field: string, text: string | null][] {
  return Object.entries(value).flatMap(([key, part]: [string, unknown]): [string, string | null][] => {
    const field = `${path}${key}`
    if (IGNORED_FIELDS.has(field) || part === undefined) return []
    if (typeof part === 'object' && part !== null && !Array.isArray(part)) return leavesOf(part, `${field}.`)
    return [[field, part === null || typeof part === 'string' ? part : JSON.stringify(part)]]
  })
}
