import { z } from 'zod'
import { cleanText } from '#domain/archive/files/text.ts'
import { alertPage, productPage } from '#domain/archive/warnings/citation.ts'
import { firstArea, messageKey, productOfAlert } from '#domain/archive/warnings/message-key.ts'
import { areasOf } from '#domain/archive/warnings/ugc.ts'
import { findVtec, warningKey, yearOf } from '#domain/archive/warnings/vtec.ts'
import { readThreats, type WarningMessage } from '#domain/archive/warnings/warning.ts'
import { capCertainties, capSeverities, capUrgencies } from '#domain/closed-sets.ts'

/** The messages of the feed's collection, and what was skipped. */
export interface ReadAlerts {
  messages: WarningMessage[]
  /** For each message, the index of its alert in the collection. */
  features: number[]
  /** Alerts without an event code: advisories, statements, messages of other agencies. */
  without_code: number
  /** Alerts that could not be read, by identifier. */
  rejected: { identifier: string; reason: string }[]
}

const text = z.string().max(100_000).transform(cleanText)
const nullableText = text.nullish().transform((value) => value ?? null)
/** The service exists only in this century, and no database accepts a year of more than four digits. */
const isMoment = (value: string) => {
  const year = new Date(value).getUTCFullYear()
  return year >= 2000 && year < 3000
}
/** The offset must be stated: without one a time would be read in this machine's time zone. */
const moment = z.iso
  .datetime({ offset: true, error: 'is not a valid time' })
  .refine(isMoment, 'is not a valid time')
  .transform((value) => new Date(value))
const nullableMoment = moment.nullish().transform((value) => value ?? null)
const words = z.record(z.string(), z.array(z.unknown())).default({})
const ring = z.array(z.tuple([z.number().min(-180).max(180), z.number().min(-90).max(90)]).rest(z.unknown())).min(4)
const polygon = z.discriminatedUnion('type', [
  z.object({ type: z.literal('Polygon'), coordinates: z.array(ring).min(1) }),
  z.object({ type: z.literal('MultiPolygon'), coordinates: z.array(z.array(ring).min(1)).min(1) }),
])

const alert = z.object({
  /** Parsed separately: an alert with a damaged polygon still states the warning and its times. */
  geometry: z.unknown(),
  properties: z.object({
    id: text,
    areaDesc: nullableText,
    geocode: z.object({ UGC: z.array(z.string()).default([]) }),
    sent: moment,
    onset: nullableMoment,
    expires: nullableMoment,
    ends: nullableMoment,
    status: text,
    messageType: text,
    severity: text,
    certainty: text,
    urgency: text,
    event: text,
    senderName: nullableText,
    headline: nullableText,
    instruction: nullableText,
    parameters: words,
  }),
})

/**
 * Reads the alerts collection of api.weather.gov. An alert with several event codes yields a message for each.
 * @throws Error if the body is not such a collection.
 */
export function readAlerts(body: unknown): ReadAlerts {
  const collection = z.object({ features: z.array(z.unknown()) }).safeParse(body)
  if (!collection.success) throw new Error('it has no list of features')
  const read: ReadAlerts = { messages: [], features: [], without_code: 0, rejected: [] }
  for (const [index, feature] of collection.data.features.entries()) {
    const parsed = alert.safeParse(feature)
    if (!parsed.success) {
      const [issue] = parsed.error.issues
      read.rejected.push({ identifier: identifierOf(feature), reason: `${issue?.path.join('.')} ${issue?.message}` })
      continue
    }
    const messages = messagesOf(parsed.data)
    if (messages.length === 0) read.without_code++
    read.messages.push(...messages)
    read.features.push(...messages.map(() => index))
  }
  return read
}

function messagesOf({ geometry, properties: p }: z.infer<typeof alert>): WarningMessage[] {
  const parameter = (name: string) => {
    const [first] = p.parameters[name] ?? []
    return typeof first === 'string' ? first : undefined
  }
  const product = productOfAlert(parameter('WMOidentifier'), parameter('AWIPSidentifier'), p.sent)
  const correction = product?.correction ?? null
  const first_area = firstArea(p.geocode.UGC)
  const areas = areasOf(p.geocode.UGC)
  const polygon = readPolygon(geometry)
  return findVtec((p.parameters.VTEC ?? []).join(' ')).map((vtec) => ({
    source_key: warningKey(vtec, yearOf(vtec, p.sent)),
    message_key: messageKey(product?.product_id ?? p.id, correction, vtec, first_area),
    action: vtec.action,
    identifier: p.id,
    event: p.event,
    headline: p.headline,
    status: p.status.toLowerCase(),
    message_type: p.messageType.toLowerCase(),
    severity: oneOf(capSeverities, p.severity),
    certainty: oneOf(capCertainties, p.certainty),
    urgency: oneOf(capUrgencies, p.urgency),
    sent_at: p.sent,
    correction,
    begins_at: vtec.begins_at,
    issued_at: vtec.begins_at ?? p.sent,
    onset_at: p.onset,
    expires_at: p.expires,
    ends_at: p.ends ?? vtec.ends_at,
    office: { id: vtec.office, name: p.senderName ?? `NWS ${vtec.office}` },
    vtec: vtec.text,
    phenomenon: vtec.phenomenon,
    significance: vtec.significance,
    tracking_number: vtec.tracking_number,
    threats: readThreats({
      hail_size: parameter('maxHailSize'),
      hail_basis: parameter('hailThreat'),
      gust: parameter('maxWindGust'),
      wind_basis: parameter('windThreat'),
      tornado: parameter('tornadoDetection'),
      flash_flood: parameter('flashFloodDetection'),
      damage: parameter('thunderstormDamageThreat') ?? parameter('tornadoDamageThreat') ?? parameter('flashFloodDamageThreat'),
    }),
    area: p.areaDesc,
    instruction: p.instruction,
    ...polygon,
    ...areas,
    citation_url: product ? productPage(product.product_id) : alertPage(p.id),
  }))
}

function readPolygon(geometry: unknown): Pick<WarningMessage, 'geometry' | 'polygon_fault'> {
  if (geometry === null || geometry === undefined) return { geometry: null, polygon_fault: null }
  const { data } = polygon.safeParse(geometry)
  if (!data) return { geometry: null, polygon_fault: 'cannot be read' }
  const rings = (of: z.infer<typeof ring>[]) => of.map((positions) => positions.map(([longitude, latitude]) => [longitude, latitude]))
  return {
    geometry:
      data.type === 'Polygon'
        ? { type: 'Polygon', coordinates: rings(data.coordinates) }
        : { type: 'MultiPolygon', coordinates: data.coordinates.map(rings) },
    polygon_fault: null,
  }
}

function oneOf<const Words extends readonly string[]>(known: Words, word: string): Words[number] | 'unknown' {
  return known.find((one) => one === word.toLowerCase()) ?? 'unknown'
}

function identifierOf(feature: unknown): string {
  const named = z.object({ properties: z.object({ id: z.string() }) }).safeParse(feature)
  return named.success ? named.data.properties.id : 'an alert without an identifier'
}
