import { hazards } from '#domain/reports/day-of-loss/hazards.ts'
import { dayRelations } from '#domain/reports/day-of-loss/near-days.ts'
import type { DayOfLossView, DayView, DayWarningView, RingView, StrongestView } from '#domain/reports/day-of-loss/view.ts'
import { builder } from '#graphql/builder.ts'
import { enumOf } from '#graphql/enum.ts'
import { EvidenceKind } from '#graphql/types/weather.ts'

/** 1, 3 and 10 miles. */
const RING_ROWS = 3
/** Hail, wind and tornado by the channels that record them, mostly for the date itself. */
const STRONGEST_ROWS = 5
/** A place rarely has more in five days. */
const WARNING_ROWS = 5

export const DayRelation = enumOf('DayRelation', dayRelations, 'How a day relates to the date of loss; near is within two days of it.')
const Hazard = enumOf('Hazard', hazards, 'A hazard that a date of loss is checked for.')

const HailDay = builder.objectRef<DayView['hail']>('HailDay').implement({
  description: 'Hail on one day.',
  fields: (t) => ({
    ground_in: t.exposeFloat('ground_in', { nullable: true, description: 'Largest hail reported or measured, in inches.' }),
    radar_in: t.exposeFloat('radar_in', { nullable: true, description: 'Largest hail that radar estimated aloft, in inches.' }),
    nearest_miles: t.exposeFloat('nearest_miles', {
      nullable: true,
      description: 'Distance to the nearest hail that was reported or measured, in miles.',
    }),
  }),
})

const WindDay = builder.objectRef<DayView['wind']>('WindDay').implement({
  description: 'Wind on one day, in miles an hour.',
  fields: (t) => ({
    ground_mph: t.exposeFloat('ground_mph', { nullable: true, description: 'Strongest wind that people reported.' }),
    instrument_mph: t.exposeFloat('instrument_mph', { nullable: true, description: 'Strongest wind that an instrument measured.' }),
    nearest_miles: t.exposeFloat('nearest_miles', { nullable: true, description: 'Distance to the nearest record of wind, in miles.' }),
  }),
})

const TornadoDay = builder.objectRef<DayView['tornado']>('TornadoDay').implement({
  description: 'Tornadoes on one day. A funnel cloud does not count.',
  fields: (t) => ({
    rating: t.exposeString('rating', {
      nullable: true,
      description: 'Rating of the strongest tornado, on the scale that its record states.',
    }),
    nearest_miles: t.exposeFloat('nearest_miles', { nullable: true, description: 'Distance to the nearest tornado, in miles.' }),
  }),
})

export const ReportDay = builder.objectRef<DayView>('ReportDay').implement({
  description: 'What is on record for one local day within the radius of the report. No figure comes from a record with caveats.',
  fields: (t) => ({
    date: t.expose('date', { type: 'Date', description: 'The day.' }),
    hail: t.expose('hail', { type: HailDay, description: 'Hail on the day.' }),
    wind: t.expose('wind', { type: WindDay, description: 'Wind on the day.' }),
    tornado: t.expose('tornado', { type: TornadoDay, description: 'Tornadoes on the day.' }),
    warnings: t.exposeInt('warnings', { description: 'Official warnings in force over the place at any time of the day.' }),
    records: t.exposeInt('records', { description: 'Records of the day, including records located only by county or zone.' }),
    relation: t.expose('relation', { type: DayRelation, description: 'How it relates to the date of loss.' }),
  }),
})

const StrongestRecord = builder.objectRef<StrongestView>('StrongestRecord').implement({
  description: 'The strongest record of one hazard from one channel.',
  fields: (t) => ({
    relation: t.expose('relation', { type: DayRelation, description: 'Whether it is from the date itself or from a day near it.' }),
    hazard: t.expose('hazard', { type: Hazard, description: 'Hazard of the record.' }),
    channel: t.expose('channel', { type: EvidenceKind, description: 'Kind of evidence.' }),
    occurred_on: t.expose('occurred_on', { type: 'Date', description: 'Local date of the record.' }),
    hail_size_in: t.exposeFloat('hail_size_in', { nullable: true, description: 'Inches.' }),
    wind_mph: t.exposeFloat('wind_mph', { nullable: true, description: 'Miles an hour.' }),
    tornado_rating: t.exposeString('tornado_rating', { nullable: true, description: 'Rating, on the scale that its record states.' }),
    distance_miles: t.exposeFloat('distance_miles', { description: 'Distance of the record, in miles.' }),
    bearing: t.exposeString('bearing', { nullable: true, description: 'Compass point from the place.' }),
    citation_url: t.exposeString('citation_url', { description: 'Where the source publishes it.' }),
  }),
})

const DayOfLossRing = builder.objectRef<RingView>('DayOfLossRing').implement({
  description: 'What is on record within 1, 3 or 10 miles, as far as the radius of the report reaches.',
  fields: (t) => ({
    radius_miles: t.exposeFloat('radius_miles', { description: 'Miles.' }),
    records: t.exposeInt('records', { description: 'Records of the date with a point inside the ring.' }),
    near_records: t.exposeInt('near_records', { description: 'The same for the two days before and the two days after it.' }),
    strongest: t.expose('strongest', {
      type: [StrongestRecord],
      description: 'The strongest record of each hazard from each channel.',
      extensions: { rows: STRONGEST_ROWS },
    }),
  }),
})

const DayOfLossWarning = builder.objectRef<DayWarningView>('DayOfLossWarning').implement({
  description: 'A period under an official warning.',
  fields: (t) => ({
    relation: t.expose('relation', { type: DayRelation, description: 'Whether it overlaps the date itself or a day near it.' }),
    event: t.exposeString('event', { description: 'Name of the warning, such as Severe Thunderstorm Warning.' }),
    office_name: t.exposeString('office_name', { description: 'The office that issued it.' }),
    from: t.expose('from', { type: 'DateTime', description: 'When the place came under it.' }),
    until: t.expose('until', { type: 'DateTime', description: 'When that ended.' }),
    citation_url: t.exposeString('citation_url', { description: 'Where the warning is published.' }),
  }),
})

export const DayOfLoss = builder.objectRef<DayOfLossView>('DayOfLoss').implement({
  description: 'What is on record for the date of loss and for the two days before and after it.',
  fields: (t) => ({
    date: t.expose('date', { type: 'Date', description: 'The date of loss.' }),
    statement: t.exposeString('statement', { description: 'The answer in sentences, the date itself first.' }),
    rings: t.expose('rings', { type: [DayOfLossRing], description: 'By distance, the smallest first.', extensions: { rows: RING_ROWS } }),
    warnings: t.expose('warnings', {
      type: [DayOfLossWarning],
      description: 'Official warnings over the place, the earliest first.',
      extensions: { rows: WARNING_ROWS },
    }),
  }),
})
