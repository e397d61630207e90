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
import { closedSet, stated } from '#graphql/closed-set.ts'
import { callerOf } from '#graphql/context.ts'
import { pagingArguments } from '#graphql/page.ts'
import { WatchSubject } from '#graphql/types/exposure.ts'
import { PlacePrecision } from '#graphql/types/location.ts'

const source = closedSet('RecordSource', recordSources, 'Where the estimate is from.')

/** Values whose reading takes as long as that of a national day over a hundred thousand properties. */
const DAY_COST = 10_000
/** A list reads many days: a document asks for one. */
const DAYS_COST = 40_000

const StormBand = builder.objectRef<StormBandView>('StormBand').implement({
  subGraphs: graphOnly,
  description: 'How many watched places lie in one band of the hail that radar estimated.',
  fields: (t) => ({
    from_in: t.exposeFloat('from_in', { description: 'Inches, included.' }),
    to_in: t.exposeFloat('to_in', { nullable: true, description: 'Inches, not included; null for the largest band.' }),
    properties: t.exposeInt('properties', { description: 'Properties over which radar estimated so much.' }),
    territories: t.exposeInt('territories', { description: 'Territories of which the largest estimate is so much.' }),
  }),
})

const StormPlace = builder.objectRef<StormPlaceView>('StormPlace').implement({
  subGraphs: graphOnly,
  description: 'A watched place inside a swath of hail that radar estimated.',
  fields: (t) => ({
    subject: t.expose('subject', { type: WatchSubject, description: 'Whether it is a property or a territory.' }),
    id: t.expose('id', { type: 'UUID', description: 'Id of the property or the territory.' }),
    name: t.exposeString('name', { description: 'What it is called.' }),
    latitude: t.exposeFloat('latitude', { description: 'Degrees north; of a territory its centre.' }),
    longitude: t.exposeFloat('longitude', { description: 'Degrees east; of a territory its centre.' }),
    precision: t.expose('precision', {
      type: PlacePrecision,
      nullable: true,
      description:
        'How exactly a property is known: with zip or city the estimate is that at the centre of that area. Null of a territory.',
    }),
    size_in: t.exposeFloat('size_in', {
      description: 'Radar estimated, largest of the day, inches to 0.01: at a property, or of what meets a territory.',
    }),
    size_mm: t.exposeFloat('size_mm', { description: 'The same in millimetres, as delivered, which decides the band.' }),
    from_in: t.exposeFloat('from_in', { description: 'The band that it is inside: inches, included.' }),
    to_in: t.exposeFloat('to_in', { nullable: true, description: 'Inches, not included; null for the largest band.' }),
    source: t.exposeString('source', { description: 'Where the estimate is from.', ...source }),
  }),
})

const StormDay = builder.objectRef<StormDayView>('StormDay').implement({
  subGraphs: graphOnly,
  description: 'A day on which watched places lay in swaths of hail that radar estimated.',
  fields: (t) => ({
    date: t.expose('date', { type: 'Date', description: 'The day, by the calendar of each place.' }),
    largest_in: t.exposeFloat('largest_in', {
      nullable: true,
      description:
        'Radar estimated at a watched place, largest of the day, inches. Null where none lay in a swath, which does not show that no hail fell.',
    }),
    property_count: t.exposeInt('property_count', { description: 'Properties inside a swath.' }),
    territory_count: t.exposeInt('territory_count', { description: 'Territories that a swath meets.' }),
    bands: t.expose('bands', {
      type: [StormBand],
      description: 'Counts by band, the smallest first.',
      extensions: { rows: swathBands.length },
    }),
    kind: t.exposeString('kind', { description: 'radar_estimated: nobody measured it.', ...stated({ const: 'radar_estimated' }) }),
    sources: t.exposeStringList('sources', { description: 'Where the estimates are from.', ...source }),
    citation_urls: t.exposeStringList('citation_urls', {
      description: 'Folders of the agency that have the grids of the day.',
      extensions: { rows: 2 },
    }),
  }),
})

const StormDayPlaces = builder.objectRef<StormDayPlacesView>('StormDayPlaces').implement({
  subGraphs: graphOnly,
  description: 'One storm day with a page of its places.',
  fields: (t) => ({
    day: t.field({ type: StormDay, description: 'The day, of all watched places.', resolve: (view) => view }),
    places: t.expose('places', {
      type: [StormPlace],
      description: 'The places asked for, the largest size first.',
      extensions: { rows: 1 },
    }),
    total: t.exposeInt('total', { description: 'Places asked for, on all pages.' }),
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
      description: 'What to send as `to` for the days before, which were not looked at; null where all were.',
    }),
  }),
})

builder.queryFields((t) => ({
  stormDay: t.field({
    type: StormDayPlaces,
    subGraphs: graphOnly,
    description: "Which watched places lay in which band of a day's swaths of hail, as radar estimated it: the largest of the day.",
    extensions: { ...needs('exposures:read'), ...accepts(stormDayForm), cost: DAY_COST },
    args: {
      date: t.arg({ type: 'Date', required: true, description: 'The day, by the calendar of each place.' }),
      at_least_in: t.arg.float({ description: 'Only places with this size or more.' }),
      subject: t.arg({ type: WatchSubject, description: 'Only places of this kind.' }),
      ...pagingArguments,
    },
    resolve: (_root, asked, context) => findStormDay(context.app, callerOf(context), asked),
  }),
  stormDays: t.field({
    type: StormDays,
    subGraphs: graphOnly,
    description: 'The newest days on which a watched place lay in a swath of hail that radar estimated.',
    extensions: { ...needs('exposures:read'), ...accepts(stormDaysForm, { across: checkDays }), cost: DAYS_COST },
    args: {
      from: t.arg({ type: 'Date', description: 'The first day; unset, the first that is held.' }),
      to: t.arg({ type: 'Date', description: 'The last day; unset, the newest that is held.' }),
      first: t.arg.int({ description: `How many days, 1 to ${DAYS_MAX}. An answer may hold fewer, and says where to go on.` }),
    },
    resolve: (_root, asked, context) => listStormDays(context.app, callerOf(context), asked),
  }),
}))
