/**
 * The keys and types of the contract, typed by hand from it. Every live response is compared with them. Nothing
 * here is derived from the code under test.
 */

/** The kind of value expected: a named check, an object of keys, or a list of one kind. */
export type Shape = Kind | { [key: string]: Shape } | { listOf: Shape }

interface Kind {
  kind: string
  holds(value: unknown): boolean
}

const kind = (name: string, holds: (value: unknown) => boolean): Kind => ({ kind: name, holds })
const matching = (name: string, pattern: RegExp) => kind(name, (value) => typeof value === 'string' && pattern.test(value))
const LIST = Symbol('list')

export const text = kind('text', (value) => typeof value === 'string')
export const flag = kind('boolean', (value) => typeof value === 'boolean')
export const number = kind('number', (value) => typeof value === 'number' && Number.isFinite(value))
export const int = kind('integer', Number.isInteger)
export const uuid = matching('uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
export const date = matching('date', /^\d{4}-\d\d-\d\d$/)
/** Row times have milliseconds; times of records and reports are whole seconds. */
export const moment = matching('moment', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/)
export const second = matching('whole second', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
export const url = kind('absolute url', (value) => typeof value === 'string' && URL.canParse(value))
export const hex64 = matching('64 hex digits', /^[0-9a-f]{64}$/)
export const is = (...values: unknown[]) => kind(`one of ${JSON.stringify(values)}`, (value) => values.includes(value))
export const emptyList = kind('an empty list', (value) => Array.isArray(value) && value.length === 0)
export const nothing = kind('null', (value) => value === null)
export const listOf = (shape: Shape): Shape => ({ [LIST]: true, listOf: shape }) as unknown as Shape

interface Nullable {
  nullable: Shape
}
export const nullable = (shape: Shape): Shape => ({ nullable: shape }) as unknown as Shape

/** Returns where the value differs from the shape: a missing key, an extra key, a wrong kind. Empty if it fits. */
export function differences(shape: Shape, value: unknown, at = 'answer'): string[] {
  if ('holds' in shape && typeof shape.holds === 'function') {
    const { kind: name, holds } = shape as Kind
    return holds(value) ? [] : [`${at} is ${JSON.stringify(value)}, not ${name}`]
  }
  if ('nullable' in shape) return value === null ? [] : differences((shape as unknown as Nullable).nullable, value, at)
  if (LIST in shape) {
    if (!Array.isArray(value)) return [`${at} is ${JSON.stringify(value)}, not a list`]
    return value.flatMap((item, index) => differences((shape as { listOf: Shape }).listOf, item, `${at}.${index}`))
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${at} is ${JSON.stringify(value)}, not an object`]
  const keys = shape as Record<string, Shape>
  return [
    ...Object.keys(keys)
      .filter((key) => !(key in value))
      .map((key) => `${at}.${key} is missing`),
    ...Object.keys(value)
      .filter((key) => !(key in keys))
      .map((key) => `${at}.${key} is not in the contract`),
    ...Object.entries(keys).flatMap(([key, inner]) =>
      key in value ? differences(inner, (value as Record<string, unknown>)[key], `${at}.${key}`) : [],
    ),
  ]
}

export const data = (shape: Shape): Shape => ({ data: shape })

export const page = (shape: Shape): Shape => ({
  data: listOf(shape),
  links: { first: url, last: url, prev: nullable(url), next: nullable(url) },
  meta: { current_page: int, from: nullable(int), last_page: int, path: url, per_page: int, to: nullable(int), total: int },
})

const abilityNames = [
  'reports:read',
  'reports:write',
  'reports:export',
  'maps:read',
  'properties:read',
  'properties:write',
  'territories:read',
  'territories:write',
  'exposures:read',
  'exposures:write',
  'account:read',
  'integrations:read',
  'integrations:write',
]
const ability = is(...abilityNames)
const tier = is('free', 'starter', 'professional', 'business', 'enterprise')

export const index: Shape = {
  object: is('index'),
  version: is('v1'),
  documentation: url,
  abilities: listOf({ name: ability, label: text, description: text, granted: flag }),
  endpoints: listOf({ method: is('GET', 'POST', 'PATCH', 'DELETE'), path: text, name: text, ability: nullable(ability), granted: flag }),
  limits: {
    per_page_max: is(100),
    batch: { properties: is(100), reports: is(25) },
    download_link_ttl_minutes: is(15),
    rate_limit_per_minute: int,
    plan: tier,
  },
}

const credits: Record<string, Shape> = { balance: int, monthly_allowance: int, used_this_period: int, renews_at: moment }

export const account: Shape = {
  object: is('account'),
  team: { name: text, plan: tier, plan_label: text, on_trial: flag, lapsed: flag },
  limits: {
    lookback_years: int,
    max_radius_miles: number,
    monthly_reports: int,
    reports_used: int,
    reports_remaining: int,
    pdf_export: flag,
  },
  credits,
  token: { name: text, prefix: text, abilities: listOf(ability), expires_at: nullable(moment), last_used_at: moment },
}

export const team: Shape = {
  object: is('team'),
  name: text,
  timezone: text,
  plan: { tier, label: text, on_trial: flag, lapsed: flag },
  includes: {
    api: flag,
    pdf_export: flag,
    observations: flag,
    imagery: flag,
    compose_layout: flag,
    report_branding: flag,
    property_intelligence: flag,
    live_warnings: flag,
    record_alerts: flag,
  },
  limits: {
    lookback_years: int,
    max_radius_miles: number,
    properties: { held: int, limit: int },
    territories: { held: int, limit: int, max_area_sq_miles: number },
    watch_radius_miles: number,
  },
  credits,
  links: { credits: url, monitoring: url },
}

export const creditsOf: Shape = { object: is('credits'), ...credits, lapsed_this_period: int, links: { transactions: url } }

export const transaction: Shape = {
  id: int,
  object: is('credit_transaction'),
  kind: is('spend', 'refund', 'allowance', 'lapse', 'top_up', 'adjustment'),
  amount: int,
  balance_after: int,
  description: text,
  note: nullable(text),
  report_id: nullable(uuid),
  created_at: moment,
}

const lane = is('record', 'warnings', 'surfaces')

export const monitoringRuns: Shape = {
  object: is('list'),
  data: listOf({
    object: is('monitoring_run'),
    lane,
    lane_label: text,
    status: is('running', 'complete', 'failed'),
    started_at: moment,
    finished_at: nullable(moment),
    watermark: nullable(moment),
    candidates: int,
    written: int,
    notified: int,
    failure_reason: nullable(text),
  }),
  lanes: listOf({
    object: is('monitoring_lane'),
    lane,
    lane_label: text,
    state: is('off', 'running', 'quiet', 'stalled', 'failing'),
    last_complete_at: nullable(moment),
    watermark: nullable(moment),
    expected_every_seconds: int,
  }),
}

const sourceId = is('noaa_storm_events', 'noaa_spc_reports', 'nws_lsr', 'noaa_mesh', 'nexrad_hail', 'sample')
/** Types that are searched in addition to those that can be cited. */
const searchedId = is('noaa_storm_events', 'noaa_spc_reports', 'nws_lsr', 'noaa_mesh', 'nexrad_hail', 'sample', 'asos', 'nws_warnings')
const family = is(
  'thunderstorm',
  'flash_flood',
  'flood',
  'coastal',
  'wind',
  'tropical',
  'winter',
  'cold',
  'heat',
  'fire',
  'visibility',
  'drought',
  'other',
)
const severity = is('minor', 'moderate', 'severe', 'extreme', 'unknown')
const evidenceKind = is('ground', 'instrument', 'radar')
const precision = is('point', 'range', 'zip', 'city')

const finding: Shape = {
  family,
  family_label: text,
  event_count: int,
  peak_severity: severity,
  evidence_kinds: listOf(evidenceKind),
  evidence_labels: listOf(is('Ground report', 'Instrument measurement', 'Radar estimate', 'Official warning')),
  dates: listOf(date),
  most_recent: date,
  peak_hail_in: nullable(number),
  peak_wind_mph: nullable(number),
  peak_tornado_ef: nullable(number),
  peak_tornado_rating: nullable(text),
  nearest_miles: nullable(number),
  any_observed: flag,
  confidence: is('high', 'medium', 'low'),
  confidence_label: text,
  statement: text,
}

const layout: Shape = {
  sections: listOf(is('summary', 'findings', 'map', 'timeline', 'events', 'observations', 'warnings', 'imagery', 'methodology')),
  imagery: listOf(is('aerial', 'street_view', 'radar')),
  elements: listOf(is('key_figures', 'timeline_chart', 'distance_rings', 'narratives', 'evidence_badges', 'prior_events', 'branding')),
  map: nullable({
    base: is('plain', 'streets', 'aerial'),
    layers: listOf(is('hail', 'wind', 'tornado', 'tornado_paths', 'flood', 'other', 'radar_hail', 'warnings', 'rings')),
  }),
}

const miles = nullable(number)
const day: Shape = {
  date,
  hail: { ground_in: nullable(number), radar_in: nullable(number), nearest_miles: miles },
  wind: { ground_mph: nullable(number), instrument_mph: nullable(number), nearest_miles: miles },
  tornado: { rating: nullable(text), nearest_miles: miles },
  warnings: int,
  records: int,
  relation: is('date_of_loss', 'near', 'other'),
}

const dayOfLoss: Shape = {
  date,
  statement: text,
  rings: listOf({
    radius_miles: number,
    records: int,
    near_records: int,
    strongest: listOf({
      relation: is('date_of_loss', 'near'),
      hazard: is('hail', 'wind', 'tornado'),
      channel: is('ground', 'instrument', 'radar'),
      occurred_on: date,
      hail_size_in: nullable(number),
      wind_mph: nullable(number),
      tornado_rating: nullable(text),
      distance_miles: number,
      bearing: nullable(text),
      citation_url: url,
    }),
  }),
  warnings: listOf({
    relation: is('date_of_loss', 'near'),
    event: text,
    office_name: text,
    from: second,
    until: second,
    citation_url: url,
  }),
}

const reportOf = (varying: Record<string, Shape>): Shape => ({
  id: uuid,
  object: is('report'),
  window: { start: date, end: date, radius_miles: number, narrowed_by_plan: flag },
  as_of: nullable(moment),
  date_of_loss: nullable(date),
  day_of_loss: nullable(dayOfLoss),
  days: nullable(listOf(day)),
  property_id: nullable(uuid),
  reference: nullable(text),
  recipient: nullable(text),
  plan_tier: tier,
  layout,
  created_at: moment,
  ...varying,
})

const unlocated: Shape = {
  query: text,
  street: nothing,
  city: nothing,
  state: nothing,
  postal_code: nothing,
  county: nothing,
  latitude: nothing,
  longitude: nothing,
  precision: nothing,
}
const located: Shape = {
  query: text,
  street: nullable(text),
  city: nullable(text),
  state: nullable(text),
  postal_code: nullable(text),
  county: nullable(text),
  latitude: number,
  longitude: number,
  precision,
}
const nothingSearched: Shape = {
  complete: is(false),
  provisional: is(false),
  summary: nothing,
  sources_searched: emptyList,
  unplaced_zone_records: nothing,
}

export const pendingReport = reportOf({
  status: is('pending'),
  address: unlocated,
  event_count: is(0),
  observation_count: is(0),
  coverage: nothingSearched,
  headline: nothing,
  nothing_found: nothing,
  findings: nothing,
  fingerprint: nothing,
  methodology_version: nothing,
  failure_reason: nothing,
  failure_message: nothing,
  generated_at: nothing,
  pdf: { status: nothing, rendered_at: nothing },
  links: { self: url, events: nothing, pdf: nothing },
})

export const failedReport = reportOf({
  status: is('failed'),
  address: unlocated,
  event_count: is(0),
  observation_count: is(0),
  coverage: nothingSearched,
  headline: nothing,
  nothing_found: nothing,
  findings: nothing,
  fingerprint: nothing,
  methodology_version: nothing,
  failure_reason: is('address_not_found', 'address_ambiguous', 'outside_coverage', 'sources_unavailable', 'timed_out', 'internal_error'),
  failure_message: text,
  generated_at: nothing,
  pdf: { status: nothing, rendered_at: nothing },
  links: { self: url, events: nothing, pdf: nothing },
})

export const completeReport = reportOf({
  status: is('complete'),
  address: located,
  event_count: int,
  observation_count: int,
  coverage: { complete: flag, provisional: flag, summary: text, sources_searched: listOf(searchedId), unplaced_zone_records: int },
  headline: text,
  nothing_found: nullable(text),
  findings: listOf(finding),
  fingerprint: hex64,
  methodology_version: text,
  failure_reason: nothing,
  failure_message: nothing,
  generated_at: second,
  pdf: { status: nullable(is('ready', 'failed')), rendered_at: nullable(moment) },
  links: { self: url, events: url, pdf: url },
})

export const weatherEvent: Shape = {
  id: int,
  object: is('weather_event'),
  type: text,
  family,
  severity,
  occurred_on: date,
  begins_at: second,
  ends_at: nullable(second),
  measurements: {
    wind_speed_mph: nullable(number),
    wind_gust_mph: nullable(number),
    hail_size_in: nullable(number),
    tornado_ef_scale: nullable(number),
  },
  tornado_rating: nullable(text),
  location: {
    latitude: nullable(number),
    longitude: nullable(number),
    county: nullable(text),
    state: nullable(text),
    precision: is('point', 'path', 'area', 'grid', 'county', 'zone'),
    zone: nullable(text),
    zone_name: nullable(text),
  },
  relevance: {
    relevance: is('primary', 'secondary', 'context'),
    distance_miles: nullable(number),
    bearing: nullable(is('N', 'NNE', 'NE', 'ENE', 'E', 'ESE', 'SE', 'SSE', 'S', 'SSW', 'SW', 'WSW', 'W', 'WNW', 'NW', 'NNW')),
  },
  provenance: {
    source: sourceId,
    source_label: text,
    evidence_kind: evidenceKind,
    is_observed: flag,
    qualifier: nullable(is('measured', 'estimated', 'surveyed', 'radar_estimated', 'unknown')),
    methodology: text,
    citation_url: url,
    caveats: listOf(text),
    file: nullable({ sha256: hex64, name: text, span: { start: int, length: int } }),
  },
  description: text,
  sample: flag,
}

export const verification: Shape = {
  object: is('verification'),
  report_id: uuid,
  fingerprint: hex64,
  short_fingerprint: matching('four groups of four', /^[0-9A-F]{4}( [0-9A-F]{4}){3}$/),
  verify_url: url,
  generated_at: second,
  place: text,
  window: { start: date, end: date, radius: number },
  as_of: nullable(moment),
  date_of_loss: nullable(date),
  finding: text,
  authoritative: flag,
  records: int,
  observations: int,
  sources_searched: int,
  sources_found: int,
  log: nullable({
    index: int,
    inclusion_proof: listOf(text),
    checkpoint: text,
    salt: text,
    timestamp: nullable(text),
  }),
  links: { report: url },
}

const batchRow = (status: string, message: Shape, report: Shape): Shape => ({
  index: int,
  address: nullable(text),
  status: is(status),
  message,
  report,
})

export const reportBatch = (rows: Shape): Shape => ({
  object: is('report_batch'),
  submitted: int,
  accepted: int,
  rejected: int,
  skipped: int,
  credits_spent: int,
  credits_remaining: int,
  out_of_credits: flag,
  results: listOf(rows),
})
export const acceptedRow = batchRow('accepted', nothing, pendingReport)
export const rejectedRow = batchRow('rejected', text, nothing)
export const skippedRow = batchRow('skipped', text, nothing)
/** Each row by its own status. */
export const anyRow: Shape = kind('a batch row', (value) =>
  [acceptedRow, rejectedRow, skippedRow].some((shape) => differences(shape, value).length === 0),
)

export const places: Shape = {
  object: is('list'),
  data: listOf({ id: int, object: is('place'), name: text, full_name: text, state: text, latitude: number, longitude: number }),
}

export const errorBody: Shape = {
  object: is('error'),
  status: int,
  code: text,
  message: text,
  errors: nullable(
    kind(
      'fields with sentences',
      (value) =>
        typeof value === 'object' &&
        value !== null &&
        Object.values(value).every(
          (list) => Array.isArray(list) && list.length > 0 && list.every((sentence) => typeof sentence === 'string'),
        ),
    ),
  ),
  required_ability: nullable(ability),
  required_plan: nullable(tier),
  limit: nullable(
    is(
      'api_access',
      'layout',
      'pdf_export',
      'properties',
      'territories',
      'territory_area',
      'watch_radius',
      'lookback',
      'credits',
      'lapsed',
    ),
  ),
  existing_id: nullable(uuid),
  retry_after: nullable(int),
  request_id: matching('request id', /^[0-9A-HJKMNP-TV-Z]{26}$/),
}

const contactOf: Record<string, Shape> = {
  id: int,
  object: is('contact'),
  name: text,
  role: is('owner', 'property_manager', 'tenant', 'site_contact', 'insurance_agent', 'adjuster', 'contractor', 'other'),
  company: nullable(text),
  phone: nullable(text),
  email: nullable(text),
  notes: nullable(text),
  primary: flag,
  source: is('reported', 'public_record', 'imported'),
  created_at: moment,
  updated_at: moment,
  links: { property: url },
}
export const contact: Shape = contactOf

const propertyWith = (address: Shape, more: Record<string, Shape> = {}): Shape => ({
  id: uuid,
  object: is('property'),
  name: text,
  label: nullable(text),
  reference: nullable(text),
  kind: is('residential', 'commercial', 'multifamily', 'industrial', 'land', 'other'),
  status: is('watching', 'paused', 'archived'),
  address,
  watch_radius_miles: number,
  tags: listOf(text),
  notes: nullable(text),
  last_activity_on: nullable(date),
  created_at: moment,
  updated_at: moment,
  links: { self: url, exposures: url, reports: url },
  ...more,
})

const locatedAddress: Shape = {
  query: text,
  street: nullable(text),
  city: nullable(text),
  state: nullable(text),
  postal_code: nullable(text),
  county: text,
  county_fips: matching('five digits', /^\d{5}$/),
  latitude: number,
  longitude: number,
  located: is(true),
  precision,
  failure_reason: nothing,
  failure_message: nothing,
}
const unlocatedAddress: Shape = {
  query: text,
  street: nothing,
  city: nothing,
  state: nothing,
  postal_code: nothing,
  county: nothing,
  county_fips: nothing,
  latitude: nothing,
  longitude: nothing,
  located: is(false),
  precision: nothing,
  failure_reason: nullable(is('address_not_found', 'address_ambiguous', 'outside_coverage')),
  failure_message: nullable(text),
}

/** As in listings and batches. */
export const property = propertyWith(locatedAddress)
export const unlocatedProperty = propertyWith(unlocatedAddress)
/** As in single retrieval, create, update and enrich. */
export const propertyWithContacts = propertyWith(locatedAddress, { contacts: listOf(contact) })
export const unlocatedPropertyWithContacts = propertyWith(unlocatedAddress, { contacts: listOf(contact) })

const propertyRow = (status: string, message: Shape, row: Shape): Shape => ({
  index: int,
  address: nullable(text),
  status: is(status),
  message,
  property: row,
})

/** Each row of a batch by its own status. */
export const anyPropertyRow: Shape = kind('a row of a property batch', (value) =>
  [
    propertyRow('created', nothing, property),
    propertyRow('created', nothing, unlocatedProperty),
    propertyRow('duplicate', text, property),
    propertyRow('rejected', text, nothing),
    propertyRow('skipped', text, nothing),
  ].some((shape) => differences(shape, value).length === 0),
)

export const propertyBatch: Shape = {
  object: is('property_batch'),
  submitted: int,
  created: int,
  duplicate: int,
  rejected: int,
  skipped: int,
  plan_limit_reached: flag,
  required_plan: nullable(tier),
  results: listOf(anyPropertyRow),
}

const longitudeLatitude = kind('a position', (value) => Array.isArray(value) && value.length >= 2 && value.every(Number.isFinite))
const polygonGeometry: Shape = { type: is('Polygon'), coordinates: listOf(listOf(longitudeLatitude)) }
const multiPolygonGeometry: Shape = { type: is('MultiPolygon'), coordinates: listOf(listOf(listOf(longitudeLatitude))) }
const geometry: Shape = kind('a GeoJSON Polygon or MultiPolygon', (value) =>
  [polygonGeometry, multiPolygonGeometry].some((shape) => differences(shape, value).length === 0),
)
const centre: Shape = { latitude: number, longitude: number }
const bounds: Shape = { west: number, south: number, east: number, north: number }
const territoryKind = is('polygon', 'radius', 'places')

const territoryWith = (definition: Shape): Shape => ({
  id: uuid,
  object: is('territory'),
  name: text,
  kind: territoryKind,
  description: text,
  definition,
  status: is('watching', 'paused', 'archived'),
  area_sq_miles: number,
  color: matching('hex colour', /^#[0-9A-F]{6}$/),
  geometry,
  centre,
  bounds,
  notes: nullable(text),
  last_activity_on: nullable(date),
  created_at: moment,
  updated_at: moment,
  links: { self: url, exposures: url },
})

/** A territory that was drawn as a shape. */
export const territory = territoryWith(listOf({ positions: int, holes: int }))
export const radiusTerritory = territoryWith(listOf({ address: nullable(text), latitude: number, longitude: number, radius_miles: number }))
export const placesTerritory = territoryWith(
  listOf({ place_id: int, name: text, latitude: number, longitude: number, radius_miles: number }),
)

export const territoryQuote: Shape = {
  object: is('territory_quote'),
  kind: territoryKind,
  geometry,
  centre,
  bounds,
  area_sq_miles: number,
  allowed: flag,
  notice: nullable(text),
}

/** From the team's exposure clock: `since` compares with it. */
const microsecond = matching('moment in microseconds', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)

const exposureWith = (varying: Record<string, Shape>): Shape => ({
  id: int,
  object: is('exposure'),
  date,
  subject: { id: uuid, object: is('property', 'territory'), name: text, precision: nullable(precision) },
  headline: text,
  observed: flag,
  provisional: flag,
  evidence: listOf(evidenceKind),
  first_seen_at: microsecond,
  last_seen_at: microsecond,
  notified_at: nullable(moment),
  acknowledged_at: nullable(moment),
  dismissed_at: nullable(moment),
  report_id: nullable(uuid),
  links: { self: url, subject: url, report: nullable(url) },
  sample: flag,
  ...varying,
})

export const recordExposure = exposureWith({
  kind: is('record'),
  reports: int,
  sources: int,
  families: { hail: int, wind: int, tornado: int, other: int },
  largest_measured_in: nullable(number),
  largest_detected_in: nullable(number),
  max_gust_mph: nullable(number),
  nearest_miles: nullable(number),
  record_ids: listOf(int),
  warning: nothing,
})

const basis = nullable(is('radar_indicated', 'observed'))

export const warningExposure = exposureWith({
  kind: is('warning'),
  reports: is(0),
  sources: is(1),
  families: { hail: is(0), wind: is(0), tornado: is(0), other: is(0) },
  largest_measured_in: nothing,
  largest_detected_in: nothing,
  max_gust_mph: nothing,
  nearest_miles: nullable(number),
  record_ids: emptyList,
  warning: {
    object: is('warning'),
    identifier: text,
    event: text,
    headline: nullable(text),
    status: text,
    message_type: text,
    severity: is('extreme', 'severe', 'moderate', 'minor', 'unknown'),
    certainty: is('observed', 'likely', 'possible', 'unlikely', 'unknown'),
    urgency: is('immediate', 'expected', 'future', 'past', 'unknown'),
    issued_at: text,
    onset_at: nullable(text),
    expires_at: nullable(text),
    ends_at: nullable(text),
    in_force: flag,
    cancelled_at: nullable(text),
    office: { id: text, name: text },
    vtec: text,
    phenomenon: text,
    significance: text,
    tracking_number: int,
    threats: {
      max_hail_in: nullable(number),
      hail_basis: basis,
      max_gust_mph: nullable(number),
      wind_basis: basis,
      tornado: nullable(text),
      flash_flood: nullable(text),
      damage: nullable(is('base', 'considerable', 'destructive', 'catastrophic')),
    },
    area: nullable(text),
    instruction: nullable(text),
    geometry: nullable(geometry),
    geometry_basis: is('storm', 'zone'),
    citation_url: url,
    periods: listOf({ from: text, until: text }),
  },
})

/** Each by its own kind. */
export const exposure: Shape = kind('an exposure', (value) =>
  [recordExposure, warningExposure].some((shape) => differences(shape, value).length === 0),
)

export const playback: Shape = {
  date,
  moments: listOf({ at: second, cells: listOf({ latitude: number, longitude: number, mesh_in: number }) }),
  context: {
    reports: listOf({ at: second, type: text, magnitude_in: nullable(number), latitude: number, longitude: number }),
    warnings: listOf({ label: text, issued: second, expires: second }),
  },
  meta: {
    count: int,
    available: flag,
    thinned: flag,
    from: nullable(second),
    until: nullable(second),
    largest_of: nullable({ from: second, until: second }),
    timezone: text,
    reports_without_point: int,
  },
}

const channel = is('webhook', 'chat_a', 'chat_b')
/** Scheme, host and the last four characters. */
const addressHint = matching('redacted address', /^https?:\/\/[^/]+\/….{4}$/)
const eventName = is(
  'exposure.detected',
  'exposure.escalated',
  'warning.issued',
  'digest.sent',
  'property.created',
  'property.updated',
  'property.archived',
  'report.completed',
  'report.pdf_ready',
  'report.failed',
)

export const integration: Shape = {
  id: uuid,
  object: is('integration'),
  name: text,
  channel,
  channel_label: text,
  address_hint: addressHint,
  events: listOf(eventName),
  active: flag,
  signed: flag,
  failing: flag,
  last_sent_at: nullable(moment),
  last_failed_at: nullable(moment),
  last_failure: nullable(text),
  switched_off: nullable({ at: moment, reason: text, acknowledged_at: nullable(moment) }),
  created_at: moment,
  updated_at: moment,
  links: { self: url, deliveries: url },
}

export const delivery: Shape = {
  id: uuid,
  object: is('delivery'),
  kind: is('event', 'test'),
  channel,
  status: is('queued', 'retrying', 'sent', 'failed', 'skipped'),
  status_label: text,
  subject: text,
  address_hint: addressHint,
  attempts: int,
  response_code: nullable(int),
  failure_reason: nullable(text),
  exposure_ids: listOf(int),
  sent_at: nullable(moment),
  failed_at: nullable(moment),
  created_at: moment,
  integration_id: uuid,
}

export const integrationEvents: Shape = {
  object: is('list'),
  data: listOf({
    object: is('integration_event'),
    name: eventName,
    label: text,
    description: text,
    group: is('Monitoring', 'Properties', 'Reports'),
  }),
}

export const integrationTest: Shape = { object: is('integration_test'), integration_id: uuid, delivered: flag, detail: text }

const whsec = matching('signing secret', /^whsec_[A-Za-z0-9]{44}$/)
const signatureHeader = is('X-Service-Signature')

export const registered: Shape = { data: integration, secret: whsec }
export const registeredByAddress: Shape = { data: integration, secret: nothing }
export const signingSecret: Shape = {
  object: is('signing_secret'),
  integration_id: uuid,
  secret: whsec,
  header: signatureHeader,
  algorithm: matching('HMAC-SHA256 described', /HMAC-SHA256/),
  tolerance_seconds: is(300),
}
export const rotatedSecret: Shape = {
  object: is('signing_secret'),
  integration_id: uuid,
  secret: whsec,
  header: signatureHeader,
  notice: text,
}

/** For a document that is being printed. */
export const preparingDocument: Shape = { object: is('pdf'), status: is('preparing'), retry_after: int }
export const download: Shape = {
  object: is('download'),
  url,
  signed: is(true),
  filename: matching('name of a PDF', /\.pdf$/),
  content_type: is('application/pdf'),
  bytes: int,
  expires_at: moment,
}
