import { milesText } from '#domain/evidence/distance-text.ts'
import { formatNumber } from '#domain/evidence/rounding.ts'
import type { Escalation } from '#domain/exposures/escalation.ts'
import type { ExposureEventPayload } from '#domain/exposures/exposure-events.ts'
import type { ExposureView } from '#domain/exposures/view.ts'
import { activityUrl, factsOf } from '#domain/integrations/announcements/facts.ts'
import type { AnnouncedAbout, Announcement, Fact } from '#domain/integrations/event-post.ts'
import { capitalize } from '#domain/kernel/text.ts'
import { isPrecise } from '#domain/places/place.ts'

/** Announces a storm day at a place or, if it was announced before, how it grew. */
export function announceExposure({ data, escalation }: ExposureEventPayload, { base_url }: AnnouncedAbout): Announcement {
  const exposure = leadExposure(data)
  const facts = exposureFacts(exposure)
  return {
    headline: exposure.headline,
    lede: escalation ? growthOf(escalation) : `${placeText(exposure.subject)}, ${exposure.date}.`,
    rows: facts.map(({ label, value }) => `${label}: ${value}`),
    facts,
    link: activityUrl(base_url, exposure.id),
    link_label: 'See the exposure',
  }
}

/** Returns what an alert carries: the exposures, and how the storm day grew. */
export function carryExposures({ data, escalation }: ExposureEventPayload) {
  return { data, escalation: escalation ?? null }
}

/** Returns the first exposure of an event; every event has one. */
export function leadExposure([exposure]: ExposureView[]): ExposureView {
  if (!exposure) throw new TypeError('an exposure event contains no exposure')
  return exposure
}

/** Returns the name of a place, and states if distances are from a centre because only that is known. */
export function placeText({ name, precision }: ExposureView['subject']): string {
  if (isPrecise({ precision })) return name
  return `${name} (only the centre of its ${precision === 'zip' ? 'ZIP code' : 'town'} is known)`
}

function growthOf({ from_in, to_in, tornado }: Escalation): string {
  const hail =
    to_in === null || to_in <= (from_in ?? 0)
      ? null
      : `reported hail grew ${from_in === null ? '' : `from ${inches(from_in)} `}to ${inches(to_in)}`
  const sentence = [hail, tornado ? 'a tornado or funnel cloud was reported' : null].filter(Boolean).join(', and ')
  return `${capitalize(sentence)}.`
}

function exposureFacts(exposure: ExposureView): Fact[] {
  const { largest_measured_in, largest_detected_in, max_gust_mph } = exposure
  return factsOf([
    ['Date', exposure.date],
    ['Place', placeText(exposure.subject)],
    ['Reports', String(exposure.reports)],
    ['Largest hail reported', largest_measured_in === null ? null : inches(largest_measured_in)],
    ['Largest hail estimated by radar', largest_detected_in === null ? null : inches(largest_detected_in)],
    ['Strongest gust', max_gust_mph === null ? null : `${formatNumber(max_gust_mph)} mph`],
    ['Tornado or funnel cloud reports', exposure.families.tornado === 0 ? null : String(exposure.families.tornado)],
    ['Nearest', nearestText(exposure)],
    ['Records', standingOf(exposure)],
  ])
}

/** All records of a territory are inside it: no distance is known. */
function nearestText({ subject, nearest_miles }: ExposureView): string | null {
  if (nearest_miles === null) return null
  return subject.object === 'territory' ? 'inside' : milesText(nearest_miles, isPrecise(subject))
}

/** Radar estimates are neither final nor preliminary: nobody reviews them. */
function standingOf({ sample, observed, provisional }: ExposureView): string {
  if (sample) return 'sample'
  if (!observed) return 'radar estimates only'
  return provisional ? 'preliminary' : 'final'
}

const inches = (size: number) => `${size.toFixed(2)} in`
