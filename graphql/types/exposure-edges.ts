import type { WatchSubject } from '#domain/closed-sets.ts'
import { listExposuresAtPlaces } from '#domain/exposures/find.ts'
import type { ExposureView } from '#domain/exposures/view.ts'
import { listWarningMessages, type WarningMessageView } from '#domain/exposures/warning-messages.ts'
import { timezoneOf, timezoneOfArea } from '#domain/geo/zones.ts'
import { findRecordsOfExposures, type MapRecordView } from '#domain/maps/record.ts'
import { findProperties } from '#domain/properties/find.ts'
import type { PropertyView } from '#domain/properties/view.ts'
import { findTerritories } from '#domain/territories/find.ts'
import type { TerritoryView } from '#domain/territories/view.ts'
import { needs } from '#graphql/ability.ts'
import { builder, graphOnly } from '#graphql/builder.ts'
import { callerOf } from '#graphql/context.ts'
import { loader } from '#graphql/loader.ts'
import { firstDescription } from '#graphql/page.ts'
import { Exposure, INSTRUCTION_KILOBYTES, POLYGON_KILOBYTES, WarningThreats } from '#graphql/types/exposure.ts'
import { MapRecord } from '#graphql/types/map-record.ts'
import { Property } from '#graphql/types/property.ts'
import { Territory } from '#graphql/types/territory.ts'

/** Edges that only the graph has: REST returns the id, or the link to the list. */
const propertyOf = loader<PropertyView>(async (context, ids) => byId(await findProperties(context.app, callerOf(context), ids)))
const territoryOf = loader<TerritoryView>(async (context, ids) => byId(await findTerritories(context.app, callerOf(context), ids)))

function byId<View extends { id: string }>(found: View[]): Map<string, View> {
  return new Map(found.map((view) => [view.id, view]))
}

const exposuresAt = (subject: WatchSubject) =>
  loader<ExposureView[], { first?: number | null | undefined }>((context, ids, { first }) =>
    listExposuresAtPlaces(context.app, callerOf(context), subject, ids, { per_page: first }),
  )
const exposuresAtProperty = exposuresAt('property')
const exposuresAtTerritory = exposuresAt('territory')

const firstArgument = builder.args((t) => ({ first: t.int({ description: firstDescription }) }))

builder.objectField(Property, 'exposures', (t) =>
  t.field({
    type: [Exposure],
    description: 'Storm days and warnings near it, newest first.',
    subGraphs: graphOnly,
    extensions: needs('properties:read'),
    args: firstArgument,
    resolve: async ({ id }, args, context) => (await exposuresAtProperty(context, id, args)) ?? [],
  }),
)

builder.objectField(Territory, 'exposures', (t) =>
  t.field({
    type: [Exposure],
    description: 'Storm days and warnings inside it, newest first.',
    subGraphs: graphOnly,
    extensions: needs('territories:read'),
    args: firstArgument,
    resolve: async ({ id }, args, context) => (await exposuresAtTerritory(context, id, args)) ?? [],
  }),
)

builder.objectField(Exposure, 'property', (t) =>
  t.field({
    type: Property,
    nullable: true,
    description: 'The property that it is about; null for a territory.',
    subGraphs: graphOnly,
    extensions: needs('properties:read'),
    resolve: async ({ subject }, _args, context) => (subject.object === 'property' && (await propertyOf(context, subject.id, {}))) || null,
  }),
)

builder.objectField(Exposure, 'territory', (t) =>
  t.field({
    type: Territory,
    nullable: true,
    description: 'The territory that it is about; null for a property.',
    subGraphs: graphOnly,
    extensions: needs('territories:read'),
    resolve: async ({ subject }, _args, context) =>
      (subject.object === 'territory' && (await territoryOf(context, subject.id, {}))) || null,
  }),
)

builder.objectField(Exposure, 'timezone', (t) =>
  t.string({
    nullable: true,
    description: 'IANA time zone of the place; for a territory, of its centre. Null if the place is not located.',
    subGraphs: graphOnly,
    resolve: async ({ subject }, _args, context) => {
      if (subject.object === 'territory') {
        const territory = await territoryOf(context, subject.id, {})
        return territory ? timezoneOfArea(territory.bounds) : null
      }
      const property = await propertyOf(context, subject.id, {})
      return property ? timezoneOf(property.address) : null
    },
  }),
)

/** A storm day at a property has one or two records, and one statement reads those of a whole page. */
const RECORD_ROWS = 2
/** A territory can have hundreds on the day of an outbreak; a map shows no more than this. */
const RECORDS_MAX = 200

const recordOf = loader<MapRecordView>(
  async ({ app }, ids) => new Map((await findRecordsOfExposures(app, ids.map(Number))).map((record) => [String(record.id), record])),
)

builder.objectField(Exposure, 'records', (t) =>
  t.field({
    type: [MapRecord],
    description: 'The first 200 records of the storm day, without those that their source has withdrawn; none for a warning.',
    subGraphs: graphOnly,
    extensions: { ...needs('maps:read'), rows: RECORD_ROWS },
    resolve: async ({ record_ids }, _args, context) => {
      const found = await Promise.all(record_ids.slice(0, RECORDS_MAX).map((id) => recordOf(context, String(id), {})))
      return found.filter((record) => record !== undefined)
    },
  }),
)

/** A flood warning that lasts for weeks has about fifty. */
const MESSAGE_ROWS = 10

const messagesOf = loader<WarningMessageView[]>((context, ids) => listWarningMessages(context.app, callerOf(context), ids.map(Number)))

const WarningMessage = builder.objectRef<WarningMessageView>('WarningMessage').implement({
  description: 'One message of a warning: its text, and when the warning was in force because of it.',
  fields: (t) => ({
    identifier: t.exposeString('identifier', { description: 'Identifier of the message.' }),
    action: t.exposeString('action', {
      description: 'What it did to the warning, from its VTEC code: NEW, CON, EXT, COR, CAN, EXP and others.',
    }),
    event: t.exposeString('event', { description: "The event that the warning is about, in the agency's words." }),
    headline: t.exposeString('headline', { nullable: true, description: 'Its headline.' }),
    vtec: t.exposeString('vtec', { description: 'Its VTEC event code.' }),
    sent_at: t.expose('sent_at', { type: 'DateTime', description: 'When it was sent.' }),
    expires_at: t.expose('expires_at', { type: 'DateTime', nullable: true, description: 'When it expires.' }),
    ends_at: t.expose('ends_at', { type: 'DateTime', nullable: true, description: 'When the event is expected to end.' }),
    from: t.expose('from', {
      type: 'DateTime',
      nullable: true,
      description: 'When the warning came into force through it; null if it never did.',
    }),
    until: t.expose('until', {
      type: 'DateTime',
      nullable: true,
      description: 'When that ended: a later message replaced it, or the warning ended.',
    }),
    threats: t.expose('threats', { type: WarningThreats, description: 'Threats that it names.' }),
    area: t.exposeString('area', { nullable: true, description: 'The area in words.' }),
    instruction: t.exposeString('instruction', {
      nullable: true,
      description: 'What the agency asks people to do.',
      extensions: { kilobytes: INSTRUCTION_KILOBYTES },
    }),
    geometry: t.expose('geometry', {
      type: 'GeoJson',
      nullable: true,
      description: 'Its polygon; null if it has none, or one that cannot be right.',
      extensions: { kilobytes: POLYGON_KILOBYTES },
    }),
    geometry_basis: t.exposeString('geometry_basis', {
      description: 'storm: the message has a polygon. zone: its counties define the area.',
    }),
    polygon_fault: t.exposeString('polygon_fault', {
      nullable: true,
      description: 'Why its polygon is not shown and not used for matching.',
    }),
    citation_url: t.exposeString('citation_url', { description: 'The text of the message.' }),
  }),
})

builder.objectField(Exposure, 'warning_messages', (t) =>
  t.field({
    type: [WarningMessage],
    description: 'The messages of the warning in the order of sending; none for a storm day.',
    subGraphs: graphOnly,
    extensions: { rows: MESSAGE_ROWS },
    resolve: async ({ id, kind }, _args, context) => (kind === 'warning' && (await messagesOf(context, String(id), {}))) || [],
  }),
)
