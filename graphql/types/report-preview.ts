import { whereSchema } from '#domain/places/where.ts'
import { checkAcross, reportForm } from '#domain/reports/check-request.ts'
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
import { callerOf } from '#graphql/context.ts'
import { objectKey } from '#graphql/object-key.ts'
import { DayRelation } from '#graphql/types/day-of-loss.ts'
import { LocationFailure } from '#graphql/types/location.ts'
import { ReportAddress, ReportCoverage, ReportWindow, reportArguments } from '#graphql/types/report.ts'
import { EvidenceKind, RecordType, Severity } from '#graphql/types/weather.ts'

const SeverityBand = builder.objectRef<SeverityBandView>('SeverityBand').implement({
  subGraphs: graphOnly,
  description: 'How large something was, in no finer steps than those between severities.',
  fields: (t) => ({
    severity: t.expose('severity', { type: Severity, description: 'The severity that the size alone has; unknown where none is stated.' }),
    range: t.exposeString('range', {
      nullable: true,
      description: 'The same in words: "1 to 1.75 in". Null where no record states a size.',
    }),
  }),
})

const PreviewHail = builder.objectRef<PreviewDayView['hail']>('PreviewHail').implement({
  subGraphs: graphOnly,
  description: 'Hail of one day.',
  fields: (t) => ({
    ground: t.expose('ground', { type: SeverityBand, nullable: true, description: 'Largest that was reported or measured.' }),
    radar: t.expose('radar', { type: SeverityBand, nullable: true, description: 'Largest that radar estimated aloft.' }),
  }),
})

const PreviewWind = builder.objectRef<PreviewDayView['wind']>('PreviewWind').implement({
  subGraphs: graphOnly,
  description: 'Wind of one day.',
  fields: (t) => ({
    ground: t.expose('ground', { type: SeverityBand, nullable: true, description: 'Strongest that people reported.' }),
    instrument: t.expose('instrument', { type: SeverityBand, nullable: true, description: 'Strongest that an instrument measured.' }),
  }),
})

const PreviewDay = builder.objectRef<PreviewDayView>('PreviewDay').implement({
  subGraphs: graphOnly,
  description: 'One local day of the place. No band is of a doubted record.',
  fields: (t) => ({
    date: t.expose('date', { type: 'Date', description: 'The day.' }),
    records: t.exposeInt('records', { description: 'Records of the day that the report would cite.' }),
    hail: t.expose('hail', { type: PreviewHail, description: 'Hail of the day.' }),
    wind: t.expose('wind', { type: PreviewWind, description: 'Wind of the day.' }),
    tornado: t.exposeBoolean('tornado', { description: 'Whether a tornado was reported; a funnel cloud is none.' }),
    relation: t.expose('relation', {
      type: DayRelation,
      nullable: true,
      description: 'How it stands to the date of loss; null where none was sent.',
    }),
  }),
})

const PreviewType = builder.objectRef<PreviewTypeView>('PreviewType').implement({
  subGraphs: graphOnly,
  description: 'How often something is on record.',
  fields: (t) => ({
    type: t.expose('type', { type: RecordType, description: 'What happened.' }),
    label: t.exposeString('label', { description: 'The same in words.' }),
    event_count: t.exposeInt('event_count', { description: 'Records of it that the report would cite.' }),
    evidence_kinds: t.expose('evidence_kinds', { type: [EvidenceKind], description: 'How they were seen.' }),
  }),
})

const dayList = {
  type: [PreviewDay] as [typeof PreviewDay],
  extensions: { rows: PREVIEW_DAYS_MAX },
  description: `The ${PREVIEW_DAYS_MAX} most severe days with records, newest first, and the date of loss whatever is recorded of it.`,
}

const PreviewCircle = builder.objectRef<PreviewCircleView>('PreviewCircle').implement({
  subGraphs: graphOnly,
  description: 'What a preview says of a circle around its place.',
  fields: (t) => ({
    radius_miles: t.exposeFloat('radius_miles', { description: "Its radius, which is the preview's at most." }),
    event_count: t.exposeInt('event_count', { description: 'Records that a report of the circle would cite.' }),
    day_count: t.exposeInt('day_count', { description: 'Days with records.' }),
    days: t.expose('days', dayList),
  }),
})

const ReportPreview = builder.objectRef<ReportPreviewView>('ReportPreview').implement({
  subGraphs: graphOnly,
  description:
    'What a report would be made of, before it is paid for: counts, days and bands of size. It is no evidence and cites nothing.',
  fields: (t) => ({
    object: t.exposeString('object', objectKey('report_preview')),
    address: t.expose('address', { type: ReportAddress, description: 'The address as sent and as located.' }),
    failure_reason: t.expose('failure_reason', {
      type: LocationFailure,
      nullable: true,
      description: 'Why a report of this address would fail; null where it would not.',
    }),
    failure_message: t.exposeString('failure_message', { nullable: true, description: 'The same in a sentence.' }),
    window: t.expose('window', { type: ReportWindow, description: 'The days and the circle, as the plan leaves them.' }),
    coverage: t.expose('coverage', {
      type: ReportCoverage,
      nullable: true,
      description: 'What the archive holds of the window; null where the address is at no one place.',
    }),
    event_count: t.exposeInt('event_count', { description: 'Records that the report would cite.' }),
    observation_count: t.exposeInt('observation_count', { description: 'Station observations that it would use.' }),
    types: t.expose('types', {
      type: [PreviewType],
      extensions: { rows: recordTypes.length },
      description: 'The records by what happened, the most frequent first.',
    }),
    day_count: t.exposeInt('day_count', { description: 'Days with records.' }),
    days: t.expose('days', dayList),
    within: t.field({
      type: PreviewCircle,
      description: `The same of a narrower circle around the place, which counts as no other preview: ${NARROWER_MAX} of them at most.`,
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
    description: `What a report of these arguments would be made of and cost. Nothing is charged: ${PREVIEWS_PER_MINUTE} a minute and ${PREVIEWS_PER_DAY} a day for a team.`,
    extensions: { ...needs('reports:write'), ...accepts(reportForm, { closed: true, schema: whereSchema, across: checkAcross }) },
    args: reportArguments,
    resolve: (_root, input, context) => previewReport(context.app, callerOf(context), input),
  }),
)
