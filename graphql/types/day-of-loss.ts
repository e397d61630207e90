import { hazards } from '#domain/reports/day-of-loss/hazards.ts'
import { dayRelations } from '#domain/reports/day-of-loss/near-days.ts'
import type { DayOfLossView, DayView, DayWarningView, RingView, StrongestView } from '#domain/reports/day-of-loss/view.ts'
import { builder } from '#graphql/builder.ts'
import { enumOf } from '#graphql/enum.ts'
import { EvidenceKind } from '#graphql/types/weather.ts'

/** 1, 3 and 10 miles. */
const RING_ROWS = 3
/** Hail, wind and tornado by the channels that state them, mostly of the date alone. */
const STRONGEST_ROWS = 5
/** More than a place is under in five days, nearly always. */
const WARNING_ROWS = 5

export const DayRelation = enumOf('DayRelation', dayRelations, 'How a day stands to the date of loss; near is within two days of it.')
const Hazard = enumOf('Hazard', hazards, 'What a date of loss is asked about.')

const HailDay = builder.objectRef<DayView['hail']>('HailDay').implement({
  description: 'Hail of one day.',
  fields: (t) => ({
    ground_in: t.exposeFloat('ground_in', { nullable: true, description: 'Largest that was reported or measured, in inches.' }),
    radar_in: t.exposeFloat('radar_in', { nullable: true, description: 'Largest that radar estimated aloft, in inches.' }),
    nearest_miles: t.exposeFloat('nearest_miles', {
      nullable: true,
      description: 'Distance of the nearest that was reported or measured.',
    }),
  }),
})

const WindDay = builder.objectRef<DayView['wind']>('WindDay').implement({
  description: 'Wind of one day, in miles an hour.',
  fields: (t) => ({
    ground_mph: t.exposeFloat('ground_mph', { nullable: true, description: 'Strongest that people reported.' }),
    instrument_mph: t.exposeFloat('instrument_mph', { nullable: true, description: 'Strongest that an instrument measured.' }),
    nearest_miles: t.exposeFloat('nearest_miles', { nullable: true, description: 'Distance of the nearest record of wind.' }),
  }),
})

const TornadoDay = builder.objectRef<DayView['tornado']>('TornadoDay').implement({
  description: 'Tornadoes of one day; a funnel cloud is none.',
  fields: (t) => ({
    rating: t.exposeString('rating', { nullable: true, description: 'Of the strongest, on the scale that its row states.' }),
    nearest_miles: t.exposeFloat('nearest_miles', { nullable: true, description: 'Distance of the nearest.' }),
  }),
})

export const ReportDay = builder.objectRef<DayView>('ReportDay').implement({
  description: 'What is recorded of one local day within the radius of the report. No figure is of a doubted record.',
  fields: (t) => ({
    date: t.expose('date', { type: 'Date', description: 'The day.' }),
    hail: t.expose('hail', { type: HailDay, description: 'Hail of the day.' }),
    wind: t.expose('wind', { type: WindDay, description: 'Wind of the day.' }),
    tornado: t.expose('tornado', { type: TornadoDay, description: 'Tornadoes of the day.' }),
    warnings: t.exposeInt('warnings', { description: 'Official warnings in force over the place at some time of the day.' }),
    records: t.exposeInt('records', { description: 'Records of the day, those that name a county or a zone too.' }),
    relation: t.expose('relation', { type: DayRelation, description: 'How it stands to the date of loss.' }),
  }),
})

const StrongestRecord = builder.objectRef<StrongestView>('StrongestRecord').implement({
  description: 'The strongest record of one hazard by one channel.',
  fields: (t) => ({
    relation: t.expose('relation', { type: DayRelation, description: 'Of the date itself, or of a day near it.' }),
    hazard: t.expose('hazard', { type: Hazard, description: 'What it is of.' }),
    channel: t.expose('channel', { type: EvidenceKind, description: 'By whose word.' }),
    occurred_on: t.expose('occurred_on', { type: 'Date', description: 'Its own local date.' }),
    hail_size_in: t.exposeFloat('hail_size_in', { nullable: true, description: 'Inches.' }),
    wind_mph: t.exposeFloat('wind_mph', { nullable: true, description: 'Miles an hour.' }),
    tornado_rating: t.exposeString('tornado_rating', { nullable: true, description: 'On the scale that its row states.' }),
    distance_miles: t.exposeFloat('distance_miles', { description: 'Its own distance.' }),
    bearing: t.exposeString('bearing', { nullable: true, description: 'Compass point from the place.' }),
    citation_url: t.exposeString('citation_url', { description: 'Where its source states it.' }),
  }),
})

const DayOfLossRing = builder.objectRef<RingView>('DayOfLossRing').implement({
  description: 'What lies within so many miles: 1, 3 and 10, as far as the report looks.',
  fields: (t) => ({
    radius_miles: t.exposeFloat('radius_miles', { description: 'Miles.' }),
    records: t.exposeInt('records', { description: 'Records of the date that name a point in it.' }),
    near_records: t.exposeInt('near_records', { description: 'The same of the two days before and after it.' }),
    strongest: t.expose('strongest', {
      type: [StrongestRecord],
      description: 'The strongest of each hazard by each channel.',
      extensions: { rows: STRONGEST_ROWS },
    }),
  }),
})

const DayOfLossWarning = builder.objectRef<DayWarningView>('DayOfLossWarning').implement({
  description: 'A time under an official warning.',
  fields: (t) => ({
    relation: t.expose('relation', { type: DayRelation, description: 'Whether it meets the date itself, or a day near it.' }),
    event: t.exposeString('event', { description: 'Severe Thunderstorm Warning, and so on.' }),
    office_name: t.exposeString('office_name', { description: 'The office that issued it.' }),
    from: t.expose('from', { type: 'DateTime', description: 'From when the place was under it.' }),
    until: t.expose('until', { type: 'DateTime', description: 'Until when.' }),
    citation_url: t.exposeString('citation_url', { description: 'Where it is stated.' }),
  }),
})

export const DayOfLoss = builder.objectRef<DayOfLossView>('DayOfLoss').implement({
  description: 'What is recorded of the date of loss and of the two days before and after it.',
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
