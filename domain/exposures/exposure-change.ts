import type { NearbyRecord } from '#domain/archive/record.ts'
import type { ExposureKind } from '#domain/closed-sets.ts'
import { type ExposureContent, withoutRecords } from '#domain/exposures/compose.ts'
import { escalationOf, hasNewCitation, hasNewEvidence, type PostedState, postedAfter } from '#domain/exposures/escalation.ts'
import type { ExposureEvent } from '#domain/exposures/exposure-events.ts'
import { type ExposureWarning, isInForce, periodsOf } from '#domain/exposures/exposure-rows.ts'
import { canonicalJson } from '#domain/kernel/canonical-json.ts'
import type { WatchedPlace } from '#domain/watches/watched-places.ts'

/** What the archive now has for one place and day, or for one place and warning. */
export interface Draft {
  place: WatchedPlace
  kind: ExposureKind
  /** YYYY-MM-DD */
  date: string
  warning_key: string | null
  warning: ExposureWarning | null
  /** Null if nothing touches the place. */
  content: ExposureContent | null
  /** The records that the content is built from; empty for a warning. */
  cited: NearbyRecord[]
  /** Number of records there if the place, time or size of each is in doubt; 0 if there are others. */
  suspect_count: number
  /**
   * Without content, an existing exposure stays as history instead of being emptied: the watch or its plan changed, not the archive, or
   * the areas of a warning are not all known. A cancelled warning also ends for it.
   */
  keep_as_history: boolean
}

/** How exposures are replaced. */
export interface ReplaceOptions {
  /** Record changes without announcing them. */
  quiet: boolean
  /** Count what is recorded as announced: a storm day does not grow because its watch was widened. */
  counts_as_posted: boolean
  live_warnings: boolean
  /** Time zone of the team's quiet hours; null if the plan sends no alerts. */
  alerts_in: { timezone: string } | null
}

/** Columns of an exposure's content. */
export const contentKeys = [
  'headline',
  'reports',
  'sources',
  'hail',
  'wind',
  'tornado',
  'other',
  'largest_measured_in',
  'largest_detected_in',
  'max_gust_mph',
  'nearest_miles',
  'observed',
  'provisional',
  'evidence',
  'record_ids',
  'sample',
  'withdrawn',
] as const satisfies (keyof ExposureContent)[]

/** An exposure as it is stored. */
export interface ExistingExposure extends ExposureContent, PostedState {
  id: number
  subject_id: string
  date: string
  warning_key: string | null
  warning: ExposureWarning | null
  notified: boolean
  historic: boolean
}

/** One exposure to create, to change or, if it belongs to the made-up sample, to remove. */
export interface Change extends PostedState {
  draft: Draft
  /** Null for a new exposure. */
  id: number | null
  content: ExposureContent
  historic: boolean
  removed: boolean
  /** Its stored date no longer counts for the last activity of its place: it is removed, or moves to another date. */
  leaves_date: boolean
  /** False if only fields that no interface shows change. */
  visible: boolean
  event: ExposureEvent | null
  /** The storm day is new, or has more or other evidence on record, and is not recorded quietly: alert rules check it. */
  has_new_evidence: boolean
}

/** Returns what to write for a draft; null if the stored exposure already matches it. */
export function changeOf(draft: Draft, before: ExistingExposure | undefined, options: ReplaceOptions, now: Date): Change | null {
  const notPosted: PostedState = { posted_band_in: null, posted_tornado: false }
  const posted: PostedState = before ?? notPosted
  const change = {
    draft,
    id: before?.id ?? null,
    historic: false,
    removed: false,
    leaves_date: before !== undefined && before.date !== draft.date,
    visible: true,
    event: null,
    has_new_evidence: false,
    ...pickPosted(posted),
  }
  if (!draft.content) return before ? changeWithoutRecords(change, before) : null
  const content = draft.content
  const isUnchanged =
    before &&
    !before.historic &&
    canonicalJson(comparableFields(draft.date, content, draft.warning)) ===
      canonicalJson(comparableFields(before.date, before, before.warning))
  const event = options.quiet ? null : eventOf(draft, content, before, options, now)
  if (isUnchanged && !event) return null
  const has_new_evidence =
    !options.quiet &&
    draft.kind === 'record' &&
    (!before ||
      hasNewEvidence(before, content) ||
      (content.max_gust_mph ?? 0) > (before.max_gust_mph ?? 0) ||
      (before.notified && hasNewCitation(before, content)))
  const isPosted = event !== null || (options.counts_as_posted && before?.notified)
  return { ...change, content, event, has_new_evidence, ...pickPosted(isPosted ? postedAfter(posted, content) : posted) }
}

/**
 * The records are gone, or only suspect ones are left. The exposure is emptied; it stays as it is if the watch moved away, and
 * is removed if it is of the made-up sample.
 */
function changeWithoutRecords(change: Omit<Change, 'content'>, before: ExistingExposure): Change | null {
  if (before.withdrawn) return null
  const warning = endAtCancellation(before.warning, change.draft.warning)
  const historicChange = {
    ...change,
    draft: { ...change.draft, date: before.date, warning },
    content: before,
    historic: true,
    leaves_date: false,
    visible: warning !== before.warning,
  }
  if (before.historic) return historicChange.visible ? historicChange : null
  if (change.draft.keep_as_history) return historicChange
  if (before.sample) return { ...change, content: before, removed: true, leaves_date: true }
  return {
    ...change,
    content: withoutRecords(change.draft.place, before.date, change.draft.suspect_count, change.draft.warning?.event),
  }
}

/** Returns the stored warning of a place that the messages no longer reach, ended at the cancellation if there was one. */
function endAtCancellation(stored: ExposureWarning | null, warning: ExposureWarning | null): ExposureWarning | null {
  const end = warning?.cancelled_at
  if (!stored || !end || stored.cancelled_at || !periodsOf(stored).some(({ until }) => until > end)) return stored
  const periods = periodsOf(stored)
    .filter(({ from }) => from < end)
    .map(({ from, until }) => ({ from, until: until < end ? until : end }))
  return { ...stored, cancelled_at: end, periods }
}

function eventOf(
  { kind, warning }: Draft,
  content: ExposureContent,
  before: ExistingExposure | undefined,
  { live_warnings }: ReplaceOptions,
  now: Date,
): ExposureEvent | null {
  if (kind === 'warning') {
    const issued = !before?.notified && live_warnings && warning !== null && isInForce(warning, now)
    return issued ? { name: 'warning.issued', escalation: null } : null
  }
  if (!before) return { name: 'exposure.detected', escalation: null }
  if (!before.notified) return hasNewEvidence(before, content) ? { name: 'exposure.detected', escalation: null } : null
  const escalation = escalationOf(before, before, content)
  return escalation && { name: 'exposure.escalated', escalation }
}

const pickPosted = ({ posted_band_in, posted_tornado }: PostedState): PostedState => ({ posted_band_in, posted_tornado })

const comparableFields = (date: string, content: ExposureContent, warning: ExposureWarning | null) => [
  date,
  contentKeys.map((key) => content[key]),
  warning,
]
