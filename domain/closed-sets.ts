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

/** What an operator key may do; `all` is everything, the keys themselves too. */
export const operatorRoles = ['read', 'archive', 'billing', 'all'] as const
export type OperatorRole = (typeof operatorRoles)[number]

/** What somebody may do in a team, from most to least. */
export const teamRoles = ['owner', 'analyst', 'viewer'] as const
export type TeamRole = (typeof teamRoles)[number]

/** Who writes: a person by their id, a token by its prefix, a key of the operator's by its name, or the service itself. */
export const actorKinds = ['person', 'token', 'operator', 'service'] as const
export type ActorKind = (typeof actorKinds)[number]

/** How a report stands; complete and failed are final. */
export const reportStatuses = ['pending', 'complete', 'failed'] as const
export type ReportStatus = (typeof reportStatuses)[number]

/** Why an address is at no one place. */
export const locationFailures = ['address_not_found', 'address_ambiguous', 'outside_coverage'] as const
export type LocationFailure = (typeof locationFailures)[number]

/** Why a report failed. */
export const failureReasons = [...locationFailures, 'sources_unavailable', 'timed_out', 'internal_error'] as const
export type FailureReason = (typeof failureReasons)[number]

/** How the document of a report stands, once it was tried. */
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

/** What a record says about where. */
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

/** storm: the polygon of the message. zone: the shapes of its counties. */
export const geometryBases = ['storm', 'zone'] as const

export const propertyKinds = ['residential', 'commercial', 'multifamily', 'industrial', 'land', 'other'] as const
export type PropertyKind = (typeof propertyKinds)[number]

/** Of a property or a territory: watching is scanned; paused is held and not scanned; archived is neither. */
export const watchStatuses = ['watching', 'paused', 'archived'] as const
export type WatchStatus = (typeof watchStatuses)[number]

/** What is watched. */
export const watchSubjects = ['property', 'territory'] as const
export type WatchSubject = (typeof watchSubjects)[number]

/** What a contact is to the property. */
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

/** Who named a contact: the team, a public record, or a list brought in. */
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

/** How an exposure stands: in the inbox, or taken off it in one of two ways. */
export const exposureStates = ['open', 'acknowledged', 'dismissed'] as const
export type ExposureState = (typeof exposureStates)[number]

/** What became of one exposure of many: unchanged where it was so already. */
export const exposureOutcomes = ['moved', 'unchanged', 'not_found'] as const
export type ExposureOutcome = (typeof exposureOutcomes)[number]

/** What became of the tags of one property of many: full where it would have too many. */
export const taggingOutcomes = ['changed', 'unchanged', 'full', 'not_found'] as const
export type TaggingOutcome = (typeof taggingOutcomes)[number]

/** A lane of monitoring: what it reads. */
export const laneNames = ['record', 'warnings', 'surfaces'] as const
export type LaneName = (typeof laneNames)[number]

/** How a run of a lane stands. */
export const runStatuses = ['running', 'complete', 'failed'] as const
export type RunStatus = (typeof runStatuses)[number]

/** webhook is signed JSON; chat_a and chat_b are incoming webhooks of chat products, known by their address alone. */
export const channels = ['webhook', 'chat_a', 'chat_b'] as const
export type Channel = (typeof channels)[number]

/** How a post stands; sent, failed and skipped are final. */
export const deliveryStatuses = ['queued', 'retrying', 'sent', 'failed', 'skipped'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

/** What an alert rule takes: observed is what somebody or an instrument reported; any is that and what radar estimated. */
export const alertEvidences = ['observed', 'any'] as const
export type AlertEvidence = (typeof alertEvidences)[number]

/** When an alert rule mails: at once, or each morning what has come since. */
export const alertPaces = ['at_once', 'digest'] as const
export type AlertPace = (typeof alertPaces)[number]

/** How an alert mail stands; sending: all of it but its end has reached the mail server. Sent, failed and skipped are final. */
export const alertMailStatuses = ['queued', 'sending', 'retrying', 'sent', 'failed', 'skipped'] as const
export type AlertMailStatus = (typeof alertMailStatuses)[number]

/** How a recipient of alerts stands. */
export const alertRecipientStates = ['member', 'confirmed', 'unconfirmed', 'left'] as const
export type AlertRecipientState = (typeof alertRecipientStates)[number]

/** What a post was sent for. */
export const deliveryKinds = ['event', 'test'] as const
export type DeliveryKind = (typeof deliveryKinds)[number]

/**
 * THE TABLE of closed sets that columns hold, by the name that schema.prisma gives the column: `/// [PropertyKind]`. From it the
 * generated rows and writes have their types; GraphQL's enums and the checks of requests are made of the same lists, and a test
 * holds the database's check constraints to them.
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
