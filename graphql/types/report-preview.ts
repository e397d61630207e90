import { whereSchema } from '#domain/places/where.ts'
import { checkPlaceAndWindow, reportForm } from '#domain/reports/check-request.ts'
import {
  PREVIEW_DAYS_MAX,
  type PreviewCircle as PreviewCircleView,
  type PreviewDay as PreviewDayView,
  type PreviewType as PreviewTypeView,
  previewReport,
  type ReportPreviewView,
} from '#domain/reports/preview.ts'
import { NARROWER_MAX } from '#domain/reports/preview-circles.ts'
import { PREVIEWS_PER_DAY, PREVIEWS_PER_MINUTE } from '#domain/reports/preview-limit.ts'
import type { SeverityBand as SeverityBandView } from '#domain/weather/severity-bands.ts'
import { recordTypes } from '#domain/weather/types.ts'
import { needs } from '#graphql/ability.ts'
import { accepts } from '#graphql/arguments.ts'
import { builder, graphOnly } from '#graphql/builder.ts'
import { constantField } from '#graphql/constant-field.ts'
import { callerOf } from '#graphql/context.ts'
import { DayRelation } from '#graphql/types/day-of-loss.ts'
import { LocationFailure } from '#graphql/types/location.ts'
import { ReportAddress, ReportCoverage, ReportWindow, reportArguments } from '#graphql/types/report.ts'
import { EvidenceKind, RecordType, Severity } from '#graphql/types/weather.ts'

const SeverityBand = builder.objectRef<SeverityBandView>('SeverityBand').implement({
  subGraphs: graphOnly,
  description: 'A size band, no finer than the steps between severities.',
  fields: (t) => ({
    severity: t.expose('severity', { type: Severity, description: 'Severity from the size alone; unknown if no size is stated.' }),
    range: t.exposeString('range', {
      nullable: true,
      description: 'The band in words, such as "1 to 1.75 in"; null if no record states a size.',
    }),
  }),
})

const PreviewHail = builder.objectRef<PreviewDayView['hail']>('PreviewHail').implement({
  subGraphs: graphOnly,
  description: 'Hail on one day.',
  fields: (t) => ({
    ground: t.expose('ground', { type: SeverityBand, nullable: true, description: 'Largest hail reported or measured.' }),
    radar: t.expose('radar', { type: SeverityBand, nullable: true, description: 'Largest hail that radar estimated aloft.' }),
  }),
})

const PreviewWind = builder.objectRef<PreviewDayView['wind']>('PreviewWind').implement({
  subGraphs: graphOnly,
  description: 'Wind on one day.',
  fields: (t) => ({
    ground: t.expose('ground', { type: SeverityBand, nullable: true, description: 'Strongest wind that people reported.' }),
    instrument: t.expose('instrument', { type: SeverityBand, nullable: true, description: 'Strongest wind that an instrument measured.' }),
  }),
})

const PreviewDay = builder.objectRef<PreviewDayView>('PreviewDay').implement({
  subGraphs: graphOnly,
  description: 'One local day of the place. No band comes from a record with caveats.',
  fields: (t) => ({
    date: t.expose('date', { type: 'Date', description: 'The day.' }),
    records: t.exposeInt('records', { description: 'Records of the day that the report would cite.' }),
    hail: t.expose('hail', { type: PreviewHail, description: 'Hail on the day.' }),
    wind: t.expose('wind', { type: PreviewWind, description: 'Wind on the day.' }),
    tornado: t.exposeBoolean('tornado', { description: 'Whether a tornado was reported. A funnel cloud does not count.' }),
    relation: t.expose('relation', {
      type: DayRelation,
      nullable: true,
      description: 'How it relates to the date of loss; null if none was sent.',
    }),
  }),
})

const PreviewType = builder.objectRef<PreviewTypeView>('PreviewType').implement({
  subGraphs: graphOnly,
  description: 'Number of records of one type.',
  fields: (t) => ({
    type: t.expose('type', { type: RecordType, description: 'Type of weather event.' }),
    label: t.exposeString('label', { description: 'The same in words.' }),
    event_count: t.exposeInt('event_count', { description: 'Records of this type that the report would cite.' }),
    evidence_kinds: t.expose('evidence_kinds', { type: [EvidenceKind], description: 'Kinds of evidence among them.' }),
  }),
})

const dayList = {
  type: [PreviewDay] as [typeof PreviewDay],
  extensions: { rows: PREVIEW_DAYS_MAX },
  description: `The ${PREVIEW_DAYS_MAX} most severe days with records, newest first, and the date of loss even without records.`,
}

const PreviewCircle = builder.objectRef<PreviewCircleView>('PreviewCircle').implement({
  subGraphs: graphOnly,
  description: 'Preview of a circle around the place.',
  fields: (t) => ({
    radius_miles: t.exposeFloat('radius_miles', { description: 'Radius of the circle, at most that of the preview.' }),
    event_count: t.exposeInt('event_count', { description: 'Records within it that a report on the circle would cite.' }),
    records_without_point: t.exposeInt('records_without_point', {
      description: 'Records that such a report would also cite: they name a county or a forecast zone that meets the circle, and no point.',
    }),
    day_count: t.exposeInt('day_count', { description: 'Days with records within it.' }),
    days: t.expose('days', dayList),
  }),
})

const ReportPreview = builder.objectRef<ReportPreviewView>('ReportPreview').implement({
  subGraphs: graphOnly,
  description: 'Preview of a report before it is paid for: counts, days and size bands. It is not evidence and cites nothing.',
  fields: (t) => ({
    object: t.exposeString('object', constantField('report_preview')),
    address: t.expose('address', { type: ReportAddress, description: 'The address as sent and as located.' }),
    failure_reason: t.expose('failure_reason', {
      type: LocationFailure,
      nullable: true,
      description: 'Why a report on this address would fail; null if it would not.',
    }),
    failure_message: t.exposeString('failure_message', { nullable: true, description: 'The reason in a sentence.' }),
    window: t.expose('window', { type: ReportWindow, description: 'The days and the circle, within the limits of the plan.' }),
    coverage: t.expose('coverage', {
      type: ReportCoverage,
      nullable: true,
      description: 'What the archive has for the window; null if the address has no single location.',
    }),
    event_count: t.exposeInt('event_count', { description: 'Records that the report would cite.' }),
    records_without_point: t.exposeInt('records_without_point', {
      description: 'How many of them name a county or a forecast zone, and no point.',
    }),
    observation_count: t.exposeInt('observation_count', { description: 'Station observations that it would use.' }),
    types: t.expose('types', {
      type: [PreviewType],
      extensions: { rows: recordTypes.length },
      description: 'Records by type, the most frequent first.',
    }),
    day_count: t.exposeInt('day_count', { description: 'Days with records.' }),
    days: t.expose('days', dayList),
    within: t.field({
      type: PreviewCircle,
      description: `Previews of narrower circles around the place, at most ${NARROWER_MAX}. They do not count as further previews.`,
      args: { miles: t.arg.float({ required: true, description: 'Radius of the circle.' }) },
      resolve: (preview, { miles }) => preview.within(miles),
    }),
    cost: t.exposeInt('cost', { description: 'Credits that the report costs.' }),
    balance: t.exposeInt('balance', { description: 'Credits that the team can spend now.' }),
  }),
})

builder.queryField('reportPreview', (t) =>
  t.field({
    type: ReportPreview,
    subGraphs: graphOnly,
    description: `Previews the contents and cost of a report with these arguments. Nothing is charged. A team has ${PREVIEWS_PER_MINUTE} previews a minute and ${PREVIEWS_PER_DAY} a day.`,
    extensions: {
      ...needs('reports:write'),
      ...accepts(reportForm, { closed: true, schema: whereSchema, crossCheck: checkPlaceAndWindow }),
    },
    args: reportArguments,
    resolve: (_root, input, context) => previewReport(context.app, callerOf(context), input),
  }),
)
