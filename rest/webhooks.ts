import { DEADLINE_MS } from '#domain/engines/post.ts'
import { catalogue, type EventName } from '#domain/events/catalogue.ts'
import type { PayloadKind } from '#domain/integrations/event-post.ts'
import { payloadKindOf } from '#domain/integrations/payload.ts'
import { SIGNATURE_ALGORITHM, SIGNATURE_HEADER, TOLERANCE_SECONDS } from '#domain/integrations/signature.ts'
import type { JsonSchema } from '#domain/kernel/fields.ts'
import { propertyReasons } from '#domain/properties/property-events.ts'
import type { Examples } from '#rest/examples.ts'
import { refTo, withDescription } from '#rest/json-schemas.ts'

export const WEBHOOK_TAG = { name: 'Webhooks', description: 'Posts from the service to destinations of the channel webhook.' }

/** `webhooks`: one post for each event of the catalogue. */
export function webhooks(examples: Examples['webhooks']): JsonSchema {
  return Object.fromEntries(catalogue.map((event) => [event.name, { post: webhookOperation(event, examples[event.name]) }]))
}

function webhookOperation({ name, label, description }: (typeof catalogue)[number], example: unknown): JsonSchema {
  return {
    operationId: `webhooks.${name}`,
    summary: label,
    description: `${description} Delivered at least once, and not always in order. Repeats carry the same id.`,
    tags: [WEBHOOK_TAG.name],
    security: [],
    parameters: Object.keys(postHeaders).map((header) => ({ $ref: `#/components/parameters/${header}` })),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: payloadSchema(name), ...(example !== undefined && { example }) } },
    },
    responses: {
      '2XX': { description: `Received. Any 2xx response within ${DEADLINE_MS / 1000} seconds counts.` },
      410: { description: 'Not retried. The destination is switched off.' },
      429: { description: 'Not received. The destination gets no post for the time in Retry-After, one hour at most.' },
      503: { description: 'Not received. With Retry-After, the destination gets no post for that time, one hour at most.' },
      '4XX': { description: 'Not received. Retried on the schedule.' },
      '5XX': { description: 'Not received. Retried on the schedule.' },
    },
  }
}

function payloadSchema(event: EventName): JsonSchema {
  const { name } = payloads[payloadKindOf(event)]
  return { allOf: [refTo(name), objectSchema({ event: { ...text, const: event } })] }
}

/** Headers of a post, under `components.parameters`. */
export const postHeaders: Record<string, JsonSchema> = {
  Signature: header(
    SIGNATURE_HEADER,
    `${SIGNATURE_ALGORITHM}, keyed with the whole secret. Refuse a timestamp more than ${TOLERANCE_SECONDS} seconds from now.`,
  ),
  EventHeader: header('X-Service-Event', 'Name of the event.'),
  DeliveryHeader: header('X-Service-Delivery', 'Id of the delivery. A repeat carries the same id.', { type: 'string', format: 'uuid' }),
  WebhookId: header('webhook-id', 'The same id, as Standard Webhooks names it.', { type: 'string', format: 'uuid' }),
  WebhookTimestamp: header('webhook-timestamp', 'When this attempt was signed, in Unix seconds.', { type: 'integer' }),
  WebhookSignature: header('webhook-signature', 'The signature of Standard Webhooks, keyed with the decoded bytes of the secret.'),
}

function header(name: string, description: string, schema: JsonSchema = { type: 'string' }): JsonSchema {
  return { name, in: 'header', required: true, description, schema }
}

const text = { type: 'string' }
const integer = { type: 'integer' }
const objectSchema = (properties: Record<string, JsonSchema>, more: JsonSchema = {}): JsonSchema => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
  ...more,
})

const fact = objectSchema({ label: text, value: text })

/** The keys that every kind has, so that one receiver can read all kinds. */
function envelope(kind: PayloadKind): Record<string, JsonSchema> {
  return {
    id: { ...text, format: 'uuid', description: 'Id of the delivery. A repeat carries the same id.' },
    created_at: { ...text, format: 'date-time', description: 'When the event happened.' },
    kind: { ...text, const: kind },
    object: { ...text, const: kind },
    event: refTo('EventName'),
    team_name: { ...text, description: 'Name of the team that the event belongs to.' },
    subject: { ...text, description: 'Short form of the headline.' },
    exposure_ids: {
      type: 'array',
      items: integer,
      description: 'Ids of all exposures that it is about. Fetch the exposures for their current state.',
    },
    activity_url: { ...text, format: 'uri', description: 'Page for people about the event.' },
    settings_url: { ...text, format: 'uri', description: 'Page that explains destinations.' },
    headline: { ...text, description: 'Summary in one line.' },
    lede: { ...text, description: 'First sentence of the text.' },
    rows: { type: 'array', items: text, description: 'Further lines for a reader.' },
    facts: { type: 'array', items: fact, description: 'Labels and values for a reader.' },
    link: { type: ['string', 'null'], format: 'uri', description: 'Link to more information.' },
    link_label: { type: ['string', 'null'], description: 'Text of the link.' },
  }
}

const listOf = (items: JsonSchema, description: string): JsonSchema => ({ type: 'array', items, description })

/** For each kind: its name under `components.schemas`, its description, and the keys that it adds. */
const payloads: Record<PayloadKind, { name: string; description: string; adds: Record<string, JsonSchema> }> = {
  alert: {
    name: 'AlertPayload',
    description: 'Storm days and warnings at watched places.',
    adds: {
      data: listOf(refTo('Exposure'), 'The exposures, the first 50 of exposure_ids.'),
      escalation: {
        anyOf: [
          objectSchema({
            from_in: { type: ['number', 'null'], description: 'Largest measured hail before, in inches.' },
            to_in: { type: ['number', 'null'], description: 'Largest measured hail now, in inches.' },
            tornado: { type: 'boolean', description: 'True if the first tornado, funnel cloud or waterspout was added.' },
          }),
          { type: 'null' },
        ],
        description: 'What escalated; null if nothing did.',
      },
    },
  },
  property: {
    name: 'PropertyPayload',
    description: 'A property as it was when the post was sent.',
    adds: {
      data: listOf({ anyOf: [refTo('PropertyWithContacts'), refTo('RemovedProperty')] }, 'The property.'),
      changed: listOf(text, 'Names of the fields that changed; empty for a new or removed property.'),
      reason: { ...text, enum: [...propertyReasons], description: 'Why the post is sent.' },
    },
  },
  report: {
    name: 'ReportPayload',
    description: 'A report as a single request returns it.',
    adds: {
      data: listOf(refTo('Report'), 'The report.'),
      download: { anyOf: [refTo('Download'), { type: 'null' }], description: 'A link to the document; null until it is rendered.' },
    },
  },
  digest: {
    name: 'DigestPayload',
    description:
      "Exposures announced, or announced again because they grew, from 7 AM to 7 AM in the team's time zone. Makes up for up to a week without a digest.",
    adds: {
      data: listOf(refTo('Exposure'), 'The newest 50 exposures.'),
      period: objectSchema(
        { from: { ...text, format: 'date-time' }, to: { ...text, format: 'date-time' } },
        { description: 'The hours covered.' },
      ),
      totals: objectSchema(
        { exposures: integer, properties: integer, territories: integer, warnings: integer },
        { description: 'Counts of all.' },
      ),
    },
  },
  test: {
    name: 'TestPayload',
    description: 'A test post, sent on request to check that posts arrive.',
    adds: { data: { type: 'array', maxItems: 0, items: {} } },
  },
}

/** `components.schemas` of the posts. */
export const payloadSchemas: Record<string, JsonSchema> = {
  ...Object.fromEntries(
    (Object.entries(payloads) as [PayloadKind, (typeof payloads)[PayloadKind]][])
      // A test is not an event of the catalogue.
      .filter(([kind]) => kind !== 'test')
      .map(([kind, { name, description, adds }]) => [name, withDescription(objectSchema({ ...envelope(kind), ...adds }), description)]),
  ),
  RemovedProperty: objectSchema(
    { id: { ...text, format: 'uuid' }, object: { ...text, const: 'property' }, removed: { type: 'boolean', const: true } },
    { description: 'What remains of a deleted property.' },
  ),
}
