import type { EventName } from '#domain/events/catalogue.ts'
import type { Escalation } from '#domain/exposures/escalation.ts'
import { addressLine } from '#domain/places/address-line.ts'
import { stampOf } from '#domain/reports/stamp.ts'
import type { ReportView } from '#domain/reports/view.ts'

/** What every post says, whatever its kind: enough for a reader, and for a chat post, without the data. */
export interface Announcement {
  headline: string
  lede: string
  rows: string[]
  facts: Fact[]
  link: string | null
  link_label: string | null
}

export interface Fact {
  label: string
  value: string
}

/** The exposure as the API shows it; the fields that a post is made from. */
interface ExposureData {
  id: number
  kind: string
  date: string
  headline: string
  subject: { name: string; object: string; precision: string | null }
  reports: number
  largest_measured_in: number | null
  largest_detected_in: number | null
  max_gust_mph: number | null
  nearest_miles: number | null
  families: { tornado: number }
  provisional: boolean
  warning: { event: string; ends_at: string | null; expires_at: string | null; office: { name: string } } | null
}

interface PropertyData {
  id: string
  name: string
  status: string
  reference: string | null
  address: { query: string; street: string | null; city: string | null; state: string | null; postal_code: string | null }
  links: { self: string }
}

interface RemovedPropertyData {
  id: string
  removed: true
}

interface ReportData {
  id: string
  headline: string | null
  address: PropertyData['address']
  window: { start: string; end: string; radius_miles: number }
  nothing_found: string | null
  findings: { family_label: string; statement: string; confidence_label: string }[] | null
  coverage: ReportView['coverage']
  links: { self: string; pdf: string | null }
}

interface DigestExtra {
  period: { from: string; to: string }
  totals: { exposures: number; properties: number; territories: number; warnings: number }
}

/** Exposures named in one post: more would not be read in a chat. */
const ROWS_MAX = 20

/**
 * Says what happened in words; contacts, which are personal, are never among them.
 * @param total how many exposures it is about, of which `data` may hold the first alone
 */
export function announcementOf(
  event: EventName,
  data: unknown[],
  extra: Record<string, unknown>,
  base_url: string,
  total = data.length,
): Announcement {
  switch (event) {
    case 'exposure.detected':
    case 'exposure.escalated':
      return exposureAnnouncement(data[0] as ExposureData, extra.escalation as Escalation | null, base_url)
    case 'warning.issued':
      return warningAnnouncement(data as ExposureData[], total, base_url)
    case 'property.created':
    case 'property.updated':
    case 'property.archived':
      return propertyAnnouncement(event, data[0] as PropertyData | RemovedPropertyData, extra)
    case 'report.completed':
    case 'report.pdf_ready':
      return reportNews(event, data[0] as ReportData, extra)
    case 'digest.sent':
      return digestNews(data as ExposureData[], extra as unknown as DigestExtra, base_url)
  }
}

function exposureAnnouncement(exposure: ExposureData, escalation: Escalation | null | undefined, base_url: string): Announcement {
  const facts = exposureFacts(exposure)
  return {
    headline: exposure.headline,
    lede: escalation ? growthOf(escalation) : `${placeText(exposure.subject)}, ${exposure.date}.`,
    rows: facts.map(({ label, value }) => `${label}: ${value}`),
    facts,
    link: activityUrl(base_url, exposure.id),
    link_label: 'Open on the map',
  }
}

/** The place by its name, and that distances are from a centre where it is known by that alone. */
function placeText({ name, precision }: ExposureData['subject']): string {
  if (precision !== 'zip' && precision !== 'city') return name
  return `${name} (known by the centre of its ${precision === 'zip' ? 'ZIP code' : 'town'} alone)`
}

function growthOf({ from_in, to_in, tornado }: Escalation): string {
  const hail =
    to_in === null || to_in <= (from_in ?? 0)
      ? null
      : `reported hail grew ${from_in === null ? '' : `from ${inches(from_in)} `}to ${inches(to_in)}`
  const sentence = [hail, tornado ? 'a tornado was reported' : null].filter(Boolean).join(', and ')
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`
}

function exposureFacts(exposure: ExposureData): Fact[] {
  const { largest_measured_in, largest_detected_in, max_gust_mph, nearest_miles } = exposure
  return facts([
    ['Date', exposure.date],
    ['Place', placeText(exposure.subject)],
    ['Reports', String(exposure.reports)],
    ['Largest hail reported', largest_measured_in === null ? null : inches(largest_measured_in)],
    ['Largest hail estimated by radar', largest_detected_in === null ? null : inches(largest_detected_in)],
    ['Strongest gust', max_gust_mph === null ? null : `${max_gust_mph} mph`],
    ['Tornado reports', exposure.families.tornado === 0 ? null : String(exposure.families.tornado)],
    ['Nearest', nearest_miles === null ? null : `${nearest_miles.toFixed(2)} mi`],
    ['Records', exposure.provisional ? 'preliminary' : 'final'],
  ])
}

function warningAnnouncement(exposures: ExposureData[], total: number, base_url: string): Announcement {
  const [exposure] = exposures as [ExposureData]
  const names = exposures.map(({ subject }) => subject.name)
  const { warning } = exposure
  const until = warning?.ends_at ?? warning?.expires_at ?? null
  const more = total > 1 ? ` and ${total - 1} more ${total === 2 ? 'place' : 'places'}` : ''
  return {
    headline: exposure.headline,
    lede: `${warning?.event ?? 'A warning'} over ${placeText(exposure.subject)}${more}${until ? ` until ${until}` : ''}.`,
    rows: total > 1 ? firstOf(names, total) : [],
    facts: facts([
      ['Place', placeText(exposure.subject)],
      ['Places', total > 1 ? String(total) : null],
      ['Warning', warning?.event ?? null],
      ['Office', warning?.office.name ?? null],
      ['Until', until],
    ]),
    link: activityUrl(base_url, exposure.id),
    link_label: 'Open on the map',
  }
}

const propertyVerbs = {
  'property.created': 'is saved',
  'property.updated': 'changed',
  'property.archived': 'is no longer watched',
} as const

function propertyAnnouncement(
  event: keyof typeof propertyVerbs,
  data: PropertyData | RemovedPropertyData,
  extra: Record<string, unknown>,
): Announcement {
  return 'removed' in data ? removedAnnouncement(data) : currentNews(event, data, extra)
}

/** Nothing of a property that is gone but its id, by which a receiver knows it. */
function removedAnnouncement({ id }: RemovedPropertyData): Announcement {
  return {
    headline: 'A property was removed',
    lede: 'It is no longer watched.',
    rows: [],
    facts: [{ label: 'Id', value: id }],
    link: null,
    link_label: null,
  }
}

function currentNews(event: keyof typeof propertyVerbs, property: PropertyData, extra: Record<string, unknown>): Announcement {
  const changed = (extra.changed as string[] | undefined) ?? []
  return {
    headline: `${property.name} ${extra.reason === 'sent' ? 'was sent to you' : propertyVerbs[event]}`,
    lede: changed.length > 0 ? `Changed: ${changed.join(', ')}.` : addressLine(property.address),
    rows: [],
    facts: facts([
      ['Address', addressLine(property.address)],
      ['Reference', property.reference],
      ['Status', property.status],
    ]),
    link: property.links.self,
    link_label: 'Read the property',
  }
}

function reportNews(event: 'report.completed' | 'report.pdf_ready', report: ReportData, extra: Record<string, unknown>): Announcement {
  const rendered = event === 'report.pdf_ready'
  const download = extra.download as { url: string } | null | undefined
  const { start, end, radius_miles } = report.window
  const [first, ...others] = report.findings ?? []
  return {
    headline: report.headline ?? '',
    lede: first?.statement ?? report.nothing_found ?? '',
    rows: [
      ...(rendered ? ['The document is stored; the link below works for 15 minutes.'] : []),
      ...others.map(({ statement, confidence_label }) => `${statement} (${confidence_label})`),
    ],
    facts: facts([
      ['Report', rendered ? 'PDF ready' : 'complete'],
      ['Address', addressLine(report.address)],
      ['Window', `${start} to ${end}, within ${radius_miles} mi`],
      ['Confidence', first?.confidence_label ?? null],
      ['Coverage', report.coverage.summary],
      ['Records', stampOf(report.coverage).toLowerCase()],
    ]),
    link: rendered ? (download?.url ?? report.links.pdf) : report.links.self,
    link_label: rendered ? 'Download the PDF' : 'Read the report',
  }
}

function digestNews(exposures: ExposureData[], { period, totals }: DigestExtra, base_url: string): Announcement {
  const headlines = exposures.map(({ headline }) => headline)
  return {
    headline: `${totals.exposures} storm ${totals.exposures === 1 ? 'exposure' : 'exposures'} in the last 24 hours`,
    lede: `From ${period.from} to ${period.to}, at ${totals.properties} properties and ${totals.territories} territories; ${totals.warnings} warnings.`,
    rows: firstOf(headlines, totals.exposures),
    facts: facts([
      ['Exposures', String(totals.exposures)],
      ['Properties', String(totals.properties)],
      ['Territories', String(totals.territories)],
      ['Warnings', String(totals.warnings)],
    ]),
    link: `${base_url}/map`,
    link_label: 'Open the map',
  }
}

/** The first of what there is in all, and how many more there are. */
function firstOf(names: string[], total: number): string[] {
  const named = names.slice(0, ROWS_MAX)
  return total > named.length ? [...named, `And ${total - named.length} more.`] : named
}

/** Where people look at an exposure. */
export function activityUrl(base_url: string, exposure_id: number | undefined): string {
  return exposure_id === undefined ? `${base_url}/map` : `${base_url}/map?exposure=${exposure_id}`
}

function facts(pairs: [string, string | null][]): Fact[] {
  return pairs.flatMap(([label, value]) => (value ? [{ label, value }] : []))
}

const inches = (size: number) => `${size.toFixed(2)} in`
