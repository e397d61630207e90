import { exposureFamilies } from '#domain/weather/exposure-families.ts'
import { families } from '#domain/weather/families.ts'
import { severities } from '#domain/weather/severities.ts'
import { evidenceKinds, recordSources } from '#domain/weather/sources.ts'
import { recordTypes } from '#domain/weather/types.ts'

export const tierIds = ['free', 'starter', 'professional', 'business', 'enterprise'] as const
export type TierId = (typeof tierIds)[number]

/** Page sizes of documents. */
export const papers = ['letter', 'a4'] as const
export type Paper = (typeof papers)[number]

/** Why a ledger row was written. */
export const creditKinds = ['spend', 'refund', 'allowance', 'lapse', 'top_up', 'adjustment'] as const
export type CreditKind = (typeof creditKinds)[number]

/** What an operator key may do; `all` includes the management of operator keys. */
export const operatorRoles = ['read', 'archive', 'billing', 'all'] as const
export type OperatorRole = (typeof operatorRoles)[number]

/** Roles in a team, from most to fewest permissions. */
export const teamRoles = ['owner', 'analyst', 'viewer'] as const
export type TeamRole = (typeof teamRoles)[number]

/** Who made a change: a person (by id), a token (by prefix), an operator key (by name), or the service itself. */
export const actorKinds = ['person', 'token', 'operator', 'service'] as const
export type ActorKind = (typeof actorKinds)[number]

/** Status of a report; complete and failed are final. */
export const reportStatuses = ['pending', 'complete', 'failed'] as const
export type ReportStatus = (typeof reportStatuses)[number]

/** Why an address could not be located. */
export const locationFailures = ['address_not_found', 'address_ambiguous', 'outside_coverage'] as const
export type LocationFailure = (typeof locationFailures)[number]

/** Why a report failed. */
export const failureReasons = [...locationFailures, 'sources_unavailable', 'timed_out', 'internal_error'] as const
export type FailureReason = (typeof failureReasons)[number]

/** Status of a report's document after the first attempt to render it. */
export const pdfStatuses = ['ready', 'failed'] as const

/** What a signing key signs. */
export const keyPurposes = ['fingerprint', 'document', 'log'] as const
export type KeyPurpose = (typeof keyPurposes)[number]

/** How well the evidence of a finding agrees. */
export const confidences = ['high', 'medium', 'low'] as const
export type Confidence = (typeof confidences)[number]

/** What a cited record means for the address. */
export const relevances = ['primary', 'secondary', 'context'] as const
export type Relevance = (typeof relevances)[number]

/** How precisely a record states its location. */
export const precisions = ['point', 'path', 'area', 'grid', 'county', 'zone'] as const
export type Precision = (typeof precisions)[number]

/** How a magnitude was obtained. */
export const qualifiers = ['measured', 'estimated', 'surveyed', 'radar_estimated', 'unknown'] as const
export type Qualifier = (typeof qualifiers)[number]

/** How exactly an address was located. */
export const placePrecisions = ['point', 'range', 'zip', 'city'] as const
export type PlacePrecision = (typeof placePrecisions)[number]

export const capSeverities = ['extreme', 'severe', 'moderate', 'minor', 'unknown'] as const
export const capCertainties = ['observed', 'likely', 'possible', 'unlikely', 'unknown'] as const
export const capUrgencies = ['immediate', 'expected', 'future', 'past', 'unknown'] as const

/** Where a warning's shape comes from. storm: the polygon in the message. zone: the shapes of its counties. */
export const geometryBases = ['storm', 'zone'] as const

export const propertyKinds = ['residential', 'commercial', 'multifamily', 'industrial', 'land', 'other'] as const
export type PropertyKind = (typeof propertyKinds)[number]

/** Status of a property or a territory. watching: scanned. paused: counts as held, not scanned. archived: neither. */
export const watchStatuses = ['watching', 'paused', 'archived'] as const
export type WatchStatus = (typeof watchStatuses)[number]

/** What is watched. */
export const watchSubjects = ['property', 'territory'] as const
export type WatchSubject = (typeof watchSubjects)[number]

/** Role of a contact for the property. */
export const contactRoles = [
  'owner',
  'property_manager',
  'tenant',
  'site_contact',
  'insurance_agent',
  'adjuster',
  'contractor',
  'other',
] as const
export type ContactRole = (typeof contactRoles)[number]

/** Where a contact came from: the team, a public record, or an imported list. */
export const contactSources = ['reported', 'public_record', 'imported'] as const
export type ContactSource = (typeof contactSources)[number]

/** polygon: a shape as drawn. radius: a circle around an address or a point. places: circles around named places. */
export const territoryKinds = ['polygon', 'radius', 'places'] as const
export type TerritoryKind = (typeof territoryKinds)[number]

/** Colours of territories by name. */
export const swatchNames = ['petrol', 'slate', 'moss', 'rust', 'plum', 'sand'] as const
export type Swatch = (typeof swatchNames)[number]

/** record: a storm day of the archive. warning: an official warning over the place. */
export const exposureKinds = ['record', 'warning'] as const
export type ExposureKind = (typeof exposureKinds)[number]

/** Status of an exposure: open in the inbox, or removed from it in one of two ways. */
export const exposureStates = ['open', 'acknowledged', 'dismissed'] as const
export type ExposureState = (typeof exposureStates)[number]

/** Result for one exposure of a bulk change; unchanged: it already had that state. decided_since: it was not in the expected state, because of another decision. */
export const exposureOutcomes = ['moved', 'unchanged', 'decided_since', 'not_found'] as const
export type ExposureOutcome = (typeof exposureOutcomes)[number]

/** Result for one property of a bulk tag change; full: it would have too many tags. */
export const taggingOutcomes = ['changed', 'unchanged', 'full', 'not_found'] as const
export type TaggingOutcome = (typeof taggingOutcomes)[number]

/** The lanes of monitoring, each named for what it reads. */
export const laneNames = ['record', 'warnings', 'surfaces'] as const
export type LaneName = (typeof laneNames)[number]

/** Status of a lane's run. */
export const runStatuses = ['running', 'complete', 'failed'] as const
export type RunStatus = (typeof runStatuses)[number]

/** webhook: signed JSON. chat_a and chat_b: incoming webhooks of chat products, authenticated by their URL alone. */
export const channels = ['webhook', 'chat_a', 'chat_b'] as const
export type Channel = (typeof channels)[number]

/** Status of a delivery; sent, failed and skipped are final. */
export const deliveryStatuses = ['queued', 'retrying', 'sent', 'failed', 'skipped'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

/** Evidence that an alert rule accepts. observed: reported by a person or an instrument. any: radar estimates too. */
export const alertEvidences = ['observed', 'any'] as const
export type AlertEvidence = (typeof alertEvidences)[number]

/** When an alert rule sends mail: at once, or each morning as a digest of what has arrived since. */
export const alertPaces = ['at_once', 'digest'] as const
export type AlertPace = (typeof alertPaces)[number]

/** Status of an alert mail. sending: the mail server has all of it except its end. sent, failed and skipped are final. */
export const alertMailStatuses = ['queued', 'sending', 'retrying', 'sent', 'failed', 'skipped'] as const
export type AlertMailStatus = (typeof alertMailStatuses)[number]

/** Status of an alert recipient. */
export const alertRecipientStates = ['member', 'confirmed', 'unconfirmed', 'left'] as const
export type AlertRecipientState = (typeof alertRecipientStates)[number]

/** Why a delivery is sent. */
export const deliveryKinds = ['event', 'test'] as const
export type DeliveryKind = (typeof deliveryKinds)[number]

/**
 * The closed sets that database columns use, by the name in the column's comment in schema.prisma: `/// [PropertyKind]`. The types of
 * the generated rows and writes come from this table. GraphQL enums and request checks use the same lists, and a test compares the
 * database's check constraints with them.
 */
export const closedSets = {
  AlertEvidence: alertEvidences,
  AlertMailStatus: alertMailStatuses,
  AlertPace: alertPaces,
  ActorKind: actorKinds,
  CapCertainty: capCertainties,
  CapSeverity: capSeverities,
  CapUrgency: capUrgencies,
  Channel: channels,
  Confidence: confidences,
  ContactRole: contactRoles,
  ContactSource: contactSources,
  CreditKind: creditKinds,
  DeliveryKind: deliveryKinds,
  DeliveryStatus: deliveryStatuses,
  EvidenceKind: evidenceKinds,
  ExposureFamily: exposureFamilies,
  ExposureKind: exposureKinds,
  FailureReason: failureReasons,
  Family: families,
  GeometryBasis: geometryBases,
  KeyPurpose: keyPurposes,
  LaneName: laneNames,
  LocationFailure: locationFailures,
  OperatorRole: operatorRoles,
  TeamRole: teamRoles,
  Paper: papers,
  PdfStatus: pdfStatuses,
  PlacePrecision: placePrecisions,
  Precision: precisions,
  PropertyKind: propertyKinds,
  Qualifier: qualifiers,
  RecordSource: recordSources,
  RecordType: recordTypes,
  Relevance: relevances,
  ReportStatus: reportStatuses,
  RunStatus: runStatuses,
  Severity: severities,
  Swatch: swatchNames,
  TerritoryKind: territoryKinds,
  TierId: tierIds,
  WatchStatus: watchStatuses,
  WatchSubject: watchSubjects,
} as const satisfies Record<string, readonly string[]>

/** One value of a closed set. */
export type ClosedSet<Name extends keyof typeof closedSets> = (typeof closedSets)[Name][number]
