import type { CitedRecordView, ReportView } from '#domain/reports/view.ts'
import type { Claim, Figure, Place } from './grammar.ts'

/** A report's texts and everything that it cites, as the service returns them. */
export interface StatedReport {
  report: ReportView & { headline: string; findings: NonNullable<ReportView['findings']> }
  records: CitedRecordView[]
}

export type Finding = StatedReport['report']['findings'][number]

/** Returns a fault unless the claim is true. */
export const unless = (holds: boolean, fault: string) => (holds ? [] : [fault])

/** From least to most severe. */
export const severities = ['unknown', 'minor', 'moderate', 'severe', 'extreme']

export const isPlaced = ({ relevance }: CitedRecordView) => relevance.distance_miles !== null
export const isSound = ({ provenance }: CitedRecordView) => provenance.caveats.length === 0
export const isSeen = ({ provenance }: CitedRecordView) => provenance.evidence_kind !== 'radar'

/** The one number by which records of a kind are compared. */
export function magnitudeOf({ measurements }: CitedRecordView): number | null {
  return measurements.hail_size_in ?? measurements.tornado_ef_scale ?? measurements.wind_gust_mph ?? measurements.wind_speed_mph
}

/** Returns why no record supports the claim; none if one does, with its own value, distance and day. */
export function unsupported(what: string, claim: Claim, records: readonly CitedRecordView[], report: ReportView): string[] {
  const bears = (record: CitedRecordView) =>
    record.occurred_on === claim.date && isAt(record, claim.place, report) && states(record, claim.figure)
  return records.some(bears) ? [] : [`${what}: no one record is ${JSON.stringify(claim)}`]
}

/** A precise place states hundredths of a mile, a centre tenths. */
export const isPrecise = ({ address }: ReportView) => address.precision === 'point' || address.precision === 'range'

/** The starting point of distances that the text must name. */
export function centreOf({ address }: ReportView): string {
  return address.precision === 'zip' ? `the centre of ZIP ${address.postal_code}` : `the centre of ${address.city}`
}

function isAt({ relevance, location }: CitedRecordView, place: Place, report: ReportView): boolean {
  if (place.at === 'unsaid') return true
  if (place.at === 'area') return relevance.distance_miles === null && namesArea(location, place.name)
  if (relevance.distance_miles === null) return false
  if (place.part !== null && place.part !== location.precision) return false
  if (place.at === 'over') return relevance.distance_miles === 0 && (location.precision === 'area' || location.precision === 'grid')
  return isStatedDistance(place.miles, relevance.distance_miles, report) && (relevance.bearing ?? null) === place.bearing
}

/** Hundredths as in the record; tenths within the rounding error. */
export function isStatedDistance(stated: string, miles: number, report: ReportView): boolean {
  const decimals = stated.split('.')[1]?.length ?? 0
  if (isPrecise(report)) return decimals === 2 && stated === miles.toFixed(2)
  return decimals === 1 && Math.abs(Number(stated) - miles) <= 0.055 + 1e-9
}

/** "Canadian County", "Orleans Parish", "Union County (AR)", "Northern Erie (NYZ010)", or a zone's name or number alone. */
export function namesArea({ county, state, precision, zone, zone_name }: CitedRecordView['location'], stated: string): boolean {
  if (precision === 'zone') return [zone, zone_name, `${zone_name} (${zone})`].includes(stated)
  const [, name, of] = /^(.*?)(?: \(([A-Z]{2})\))?$/.exec(stated) as unknown as [string, string, string | undefined]
  if (of !== undefined && of !== state) return false
  return name === county || name === `${county} County` || name === `${county} Parish`
}

function states(record: CitedRecordView, figure: Figure | null): boolean {
  if (figure === null) return true
  if (figure.stated === null) return magnitudeOf(record) === null && record.tornado_rating === null
  return isStated(record, figure.stated) && figure.details.every((detail) => matchesDetail(record, figure.stated as string, detail))
}

function isStated({ measurements, tornado_rating }: CitedRecordView, stated: string): boolean {
  const { hail_size_in, wind_gust_mph, wind_speed_mph } = measurements
  if (stated.endsWith(' in')) return hail_size_in !== null && `${hail_size_in.toFixed(2)} in` === stated
  if (stated.endsWith(' mph')) return [wind_gust_mph, wind_speed_mph].some((mph) => mph !== null && `${mph} mph` === stated)
  return tornado_rating === stated
}

/** The agencies' names of hail sizes. */
const sizes: Record<string, string> = {
  pea: '0.25',
  marble: '0.50',
  penny: '0.75',
  nickel: '0.88',
  quarter: '1.00',
  'half dollar': '1.25',
  'ping pong': '1.50',
  'golf ball': '1.75',
  'hen egg': '2.00',
  'tennis ball': '2.50',
  baseball: '2.75',
  'tea cup': '3.00',
  grapefruit: '4.00',
  softball: '4.50',
}

function matchesDetail({ measurements, provenance, type }: CitedRecordView, stated: string, detail: string): boolean {
  const { qualifier } = provenance
  if (detail in sizes) return stated === `${sizes[detail]} in`
  switch (detail) {
    case 'gust':
      return measurements.wind_gust_mph !== null && qualifier !== 'unknown'
    case 'sustained':
      return measurements.wind_gust_mph === null && measurements.wind_speed_mph !== null
    case 'measured':
      return qualifier === 'measured'
    case 'estimated by the source':
    case 'estimated':
      return qualifier === 'estimated' || (type === 'tornado' && qualifier === null)
    case 'estimated by radar':
      return qualifier === 'radar_estimated'
    case 'NWS survey':
    case 'survey':
      return qualifier === 'surveyed'
    case 'measured or estimated: not stated':
      return qualifier === 'unknown' || qualifier === null
    case 'strength unknown':
      return stated === 'EFU'
    default:
      return false
  }
}

/** The days with records before the date of loss, or before the newest day if none was named; newest first. */
export function earlierDays({ report, records }: StatedReport): string[] {
  const days = [...new Set(records.map(({ occurred_on }) => occurred_on))].sort().reverse()
  const { date_of_loss } = report
  return date_of_loss ? days.filter((day) => day < date_of_loss) : days.slice(1)
}
