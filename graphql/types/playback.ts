import {
  CELLS_A_MOMENT_MAX,
  checkBox,
  type Hours,
  MOMENTS_A_DAY,
  type MomentView,
  type PlaybackView,
  playbackForm,
  playStormDay,
  SIDE_MAX,
} from '#domain/maps/playback.ts'
import { REPORTS_MAX } from '#domain/maps/storm-day-context.ts'
import { recordTypes } from '#domain/weather/types.ts'
import { needs } from '#graphql/ability.ts'
import { accepts } from '#graphql/arguments.ts'
import { builder } from '#graphql/builder.ts'
import { closedSet } from '#graphql/closed-set.ts'

/** Reading a full day takes as long as reading this many values: a third of a second of CPU time. */
const DAY_COST = 40_000
/** A full day has about 700 cells per moment; with that number no document could query a day. With 30, one document can query one day with every field, but not two. */
const CELL_ROWS = 30
/** Warnings of several offices, on the day of an outbreak within six degrees. */
const WARNING_ROWS = 100

const PlaybackCell = builder.objectRef<MomentView['cells'][number]>('PlaybackCell').implement({
  description: 'A place where radar estimated hail.',
  fields: (t) => ({
    latitude: t.exposeFloat('latitude', { description: 'Degrees north of its centre.' }),
    longitude: t.exposeFloat('longitude', { description: 'Degrees east of its centre.' }),
    mesh_in: t.exposeFloat('mesh_in', { description: 'Estimated hail size, in inches.' }),
  }),
})

const PlaybackMoment = builder.objectRef<MomentView>('PlaybackMoment').implement({
  description: 'What radar estimated at one moment.',
  fields: (t) => ({
    at: t.expose('at', { type: 'DateTime', description: 'The moment.' }),
    cells: t.expose('cells', {
      type: [PlaybackCell],
      description: `Places where it estimated hail: at most ${CELLS_A_MOMENT_MAX.toLocaleString('en-US')}, the largest ones.`,
      extensions: { rows: CELL_ROWS },
    }),
  }),
})

const PlaybackReport = builder.objectRef<PlaybackView['context']['reports'][number]>('PlaybackReport').implement({
  description: 'An observation by a person or an instrument on the ground.',
  fields: (t) => ({
    at: t.expose('at', { type: 'DateTime', description: 'When it began.' }),
    type: t.exposeString('type', { description: 'Type of the record.', ...closedSet('RecordType', recordTypes, 'Type of weather event.') }),
    magnitude_in: t.exposeFloat('magnitude_in', { nullable: true, description: 'Hail size, in inches; null for other types.' }),
    latitude: t.exposeFloat('latitude', { description: 'Degrees north.' }),
    longitude: t.exposeFloat('longitude', { description: 'Degrees east.' }),
  }),
})

const PlaybackWarning = builder.objectRef<PlaybackView['context']['warnings'][number]>('PlaybackWarning').implement({
  description: 'A warning in force on the day.',
  fields: (t) => ({
    label: t.exposeString('label', { description: 'The event that the warning was about.' }),
    issued: t.expose('issued', { type: 'DateTime', description: 'When it was issued.' }),
    expires: t.expose('expires', { type: 'DateTime', description: 'When it ended.' }),
  }),
})

const PlaybackContext = builder.objectRef<PlaybackView['context']>('PlaybackContext').implement({
  description: 'Other records of the day.',
  fields: (t) => ({
    reports: t.expose('reports', {
      type: [PlaybackReport],
      description: 'Reports of the day in the box, in time order.',
      extensions: { rows: REPORTS_MAX },
    }),
    warnings: t.expose('warnings', {
      type: [PlaybackWarning],
      description: 'Warnings that overlapped the box on the day, in order of issue.',
      extensions: { rows: WARNING_ROWS },
    }),
  }),
})

const PlaybackHours = builder.objectRef<Hours>('PlaybackHours').implement({
  description: 'Hours for which only the largest radar estimates are stored.',
  fields: (t) => ({
    from: t.expose('from', { type: 'DateTime', description: 'When they began.' }),
    until: t.expose('until', { type: 'DateTime', description: 'When they ended.' }),
  }),
})

const PlaybackMeta = builder.objectRef<PlaybackView['meta']>('PlaybackMeta').implement({
  description: 'Summary of the response.',
  fields: (t) => ({
    count: t.exposeInt('count', { description: 'Number of moments in the response.' }),
    available: t.exposeBoolean('available', {
      description: 'Whether radar moments of the day are stored. They are deleted after a time; the swaths of the day are kept.',
    }),
    thinned: t.exposeBoolean('thinned', { description: 'Whether moments or cells were left out; the largest are kept.' }),
    from: t.expose('from', { type: 'DateTime', nullable: true, description: 'The first moment; null if there is none.' }),
    until: t.expose('until', { type: 'DateTime', nullable: true, description: 'The last moment; null if there is none.' }),
    largest_of: t.expose('largest_of', {
      type: PlaybackHours,
      nullable: true,
      description:
        'The hours whose largest estimates the single moment shows, dated to their middle; null if each moment is what radar estimated at that time.',
    }),
    timezone: t.exposeString('timezone', {
      description: 'IANA time zone at the centre of the box. The day is a calendar day in this zone.',
    }),
    reports_without_point: t.exposeInt('reports_without_point', {
      description:
        'Number of reports of the day that name a county or a forecast zone in or beside the box, and no point: none of them is in the context.',
    }),
  }),
})

const Playback = builder.objectRef<PlaybackView>('Playback').implement({
  description: 'A storm day over a box, moment by moment.',
  fields: (t) => ({
    date: t.expose('date', { type: 'Date', description: 'The day.' }),
    moments: t.expose('moments', {
      type: [PlaybackMoment],
      description: 'The moments, in time order.',
      extensions: { rows: MOMENTS_A_DAY },
    }),
    context: t.expose('context', { type: PlaybackContext, description: 'Reports and warnings of the day.' }),
    meta: t.expose('meta', { type: PlaybackMeta, description: 'Summary of the response.' }),
  }),
})

builder.queryField('playback', (t) =>
  t.field({
    type: Playback,
    description: `A storm day over a box of at most ${SIDE_MAX} by ${SIDE_MAX} degrees.`,
    extensions: { ...needs('maps:read'), ...accepts(playbackForm, { crossCheck: checkBox }), cost: DAY_COST },
    args: {
      date: t.arg({ type: 'Date', required: true, description: 'The calendar date at the centre of the box.' }),
      south: t.arg.float({ required: true, description: 'Southern edge of the box, north positive.' }),
      west: t.arg.float({ required: true, description: 'Western edge, east positive.' }),
      north: t.arg.float({ required: true, description: 'Northern edge, north positive.' }),
      east: t.arg.float({ required: true, description: 'Eastern edge, east positive.' }),
    },
    resolve: (_root, args, { app }) => playStormDay(app, args),
  }),
)
