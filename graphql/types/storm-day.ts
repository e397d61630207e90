import { checkDays } from '#domain/kernel/fields.ts'
import {
  DAYS_MAX,
  findStormDay,
  listStormDays,
  type StormBandView,
  type StormDayPlacesView,
  type StormDaysView,
  type StormDayView,
  type StormPlaceView,
  stormDayForm,
  stormDaysForm,
} from '#domain/maps/storm-days.ts'
import { recordSources } from '#domain/weather/sources.ts'
import { swathBands } from '#domain/weather/swath-bands.ts'
import { needs } from '#graphql/ability.ts'
import { accepts } from '#graphql/arguments.ts'
import { builder, graphOnly } from '#graphql/builder.ts'
import { closedSet, withJsonSchema } from '#graphql/closed-set.ts'
import { callerOf } from '#graphql/context.ts'
import { pagingArguments } from '#graphql/page.ts'
import { WatchSubject } from '#graphql/types/exposure.ts'
import { PlacePrecision } from '#graphql/types/location.ts'

const sourceSet = closedSet('RecordSource', recordSources, 'Source of the estimate.')

/** Reading a nationwide day over 100,000 properties takes as long as reading this many values. */
const DAY_COST = 10_000
/** A list reads many days, so a document can query only one list. */
const DAYS_COST = 40_000

const StormBand = builder.objectRef<StormBandView>('StormBand').implement({
  subGraphs: graphOnly,
  description: 'Number of watched places in one band of hail that radar estimated.',
  fields: (t) => ({
    from_in: t.exposeFloat('from_in', { description: 'Lower bound in inches, inclusive.' }),
    to_in: t.exposeFloat('to_in', { nullable: true, description: 'Upper bound in inches, exclusive; null for the largest band.' }),
    properties: t.exposeInt('properties', { description: 'Number of properties where the radar estimate is in this band.' }),
    territories: t.exposeInt('territories', { description: 'Number of territories whose largest radar estimate is in this band.' }),
  }),
})

const StormPlace = builder.objectRef<StormPlaceView>('StormPlace').implement({
  subGraphs: graphOnly,
  description: 'A watched place inside a swath of hail that radar estimated.',
  fields: (t) => ({
    subject: t.expose('subject', { type: WatchSubject, description: 'Whether it is a property or a territory.' }),
    id: t.expose('id', { type: 'UUID', description: 'Id of the property or the territory.' }),
    name: t.exposeString('name', { description: 'Name of the place.' }),
    latitude: t.exposeFloat('latitude', { description: 'Degrees north; for a territory, of its centre.' }),
    longitude: t.exposeFloat('longitude', { description: 'Degrees east; for a territory, of its centre.' }),
    precision: t.expose('precision', {
      type: PlacePrecision,
      nullable: true,
      description:
        'How precisely a property is located. With zip or city, the estimate is for the centre of that area. Null for a territory.',
    }),
    size_in: t.exposeFloat('size_in', {
      description: 'Largest radar estimate of the day, in inches to 0.01: at a property, or within a territory.',
    }),
    size_mm: t.exposeFloat('size_mm', {
      description: 'The same estimate in millimetres, as delivered by the source. This value decides the band.',
    }),
    from_in: t.exposeFloat('from_in', { description: 'Lower bound of its band in inches, inclusive.' }),
    to_in: t.exposeFloat('to_in', { nullable: true, description: 'Upper bound in inches, exclusive; null for the largest band.' }),
    source: t.exposeString('source', { description: 'Source of the estimate.', ...sourceSet }),
  }),
})

const StormDay = builder.objectRef<StormDayView>('StormDay').implement({
  subGraphs: graphOnly,
  description: 'A day on which watched places were in swaths of hail that radar estimated.',
  fields: (t) => ({
    date: t.expose('date', { type: 'Date', description: 'The calendar day, in the local time of each place.' }),
    largest_in: t.exposeFloat('largest_in', {
      nullable: true,
      description:
        'Largest radar estimate of the day at a watched place, in inches. Null if no place was in a swath, which does not show that no hail fell.',
    }),
    property_count: t.exposeInt('property_count', { description: 'Properties inside a swath.' }),
    territory_count: t.exposeInt('territory_count', { description: 'Territories that a swath overlaps.' }),
    bands: t.expose('bands', {
      type: [StormBand],
      description: 'Counts by band, the smallest band first.',
      extensions: { rows: swathBands.length },
    }),
    kind: t.exposeString('kind', {
      description: 'radar_estimated: estimated by radar, not measured.',
      ...withJsonSchema({ const: 'radar_estimated' }),
    }),
    sources: t.exposeStringList('sources', { description: 'Sources of the estimates.', ...sourceSet }),
    citation_urls: t.exposeStringList('citation_urls', {
      description: 'Folders of the agency that contain the grids of the day.',
    }),
  }),
})

const StormDayPlaces = builder.objectRef<StormDayPlacesView>('StormDayPlaces').implement({
  subGraphs: graphOnly,
  description: 'One storm day with a page of its places.',
  fields: (t) => ({
    day: t.field({ type: StormDay, description: 'The day, for all watched places.', resolve: (view) => view }),
    places: t.expose('places', {
      type: [StormPlace],
      description: 'The matching places, the largest size first.',
      extensions: { rows: 1 },
    }),
    total: t.exposeInt('total', { description: 'Number of matching places on all pages.' }),
  }),
})

const StormDays = builder.objectRef<StormDaysView>('StormDays').implement({
  subGraphs: graphOnly,
  description: 'The newest storm days of a range.',
  fields: (t) => ({
    data: t.expose('data', { type: [StormDay], description: 'The days, newest first.', extensions: { rows: 1 } }),
    next_to: t.expose('next_to', {
      type: 'Date',
      nullable: true,
      description: 'Value to send as `to` for the earlier days, which were not searched; null if all were searched.',
    }),
  }),
})

builder.queryFields((t) => ({
  stormDay: t.field({
    type: StormDayPlaces,
    subGraphs: graphOnly,
    description: 'Watched places in the swaths of hail of a day, by band of the largest radar estimate of the day.',
    extensions: { ...needs('exposures:read'), ...accepts(stormDayForm), cost: DAY_COST },
    args: {
      date: t.arg({ type: 'Date', required: true, description: 'The calendar day, in the local time of each place.' }),
      at_least_in: t.arg.float({ description: 'Only places with at least this size.' }),
      subject: t.arg({ type: WatchSubject, description: 'Only places of this kind.' }),
      ...pagingArguments,
    },
    resolve: (_root, args, context) => findStormDay(context.app, callerOf(context), args),
  }),
  stormDays: t.field({
    type: StormDays,
    subGraphs: graphOnly,
    description: 'The newest days on which a watched place was in a swath of hail that radar estimated.',
    extensions: { ...needs('exposures:read'), ...accepts(stormDaysForm, { crossCheck: checkDays }), cost: DAYS_COST },
    args: {
      from: t.arg({ type: 'Date', description: 'The first day; by default the first stored day.' }),
      to: t.arg({ type: 'Date', description: 'The last day; by default the newest stored day.' }),
      first: t.arg.int({ description: `Number of days, 1 to ${DAYS_MAX}. A response may contain fewer and shows where to continue.` }),
    },
    resolve: (_root, args, context) => listStormDays(context.app, callerOf(context), args),
  }),
}))
