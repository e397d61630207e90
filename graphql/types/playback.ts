import {
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

/** Values whose reading takes as long as that of a full day: a third of a second of a processor. */
const DAY_COST = 40_000
/** A full day has some 700 cells in a moment: by them no document could ask for a day. By thirty one does, with every field, and not for two. */
const CELL_ROWS = 30
/** Of an outbreak's day in six degrees: the warnings of several offices. */
const WARNING_ROWS = 100

const PlaybackCell = builder.objectRef<MomentView['cells'][number]>('PlaybackCell').implement({
  description: 'A place where radar estimated hail.',
  fields: (t) => ({
    latitude: t.exposeFloat('latitude', { description: 'Degrees north, of its centre.' }),
    longitude: t.exposeFloat('longitude', { description: 'Degrees east, of its centre.' }),
    mesh_in: t.exposeFloat('mesh_in', { description: 'The size estimated, inches.' }),
  }),
})

const PlaybackMoment = builder.objectRef<MomentView>('PlaybackMoment').implement({
  description: 'What radar estimated at one moment.',
  fields: (t) => ({
    at: t.expose('at', { type: 'DateTime', description: 'The moment.' }),
    cells: t.expose('cells', {
      type: [PlaybackCell],
      description: 'Where it estimated hail: at most 5,000, the largest.',
      extensions: { rows: CELL_ROWS },
    }),
  }),
})

const PlaybackReport = builder.objectRef<PlaybackView['context']['reports'][number]>('PlaybackReport').implement({
  description: 'What someone or something on the ground saw.',
  fields: (t) => ({
    at: t.expose('at', { type: 'DateTime', description: 'When it began.' }),
    type: t.exposeString('type', { description: 'Type of the record.', ...closedSet('RecordType', recordTypes, 'What happened.') }),
    magnitude_in: t.exposeFloat('magnitude_in', { nullable: true, description: 'Size of hail, inches; null for other types.' }),
    latitude: t.exposeFloat('latitude', { description: 'Degrees north.' }),
    longitude: t.exposeFloat('longitude', { description: 'Degrees east.' }),
  }),
})

const PlaybackWarning = builder.objectRef<PlaybackView['context']['warnings'][number]>('PlaybackWarning').implement({
  description: 'A warning in force on the day.',
  fields: (t) => ({
    label: t.exposeString('label', { description: 'What was warned of.' }),
    issued: t.expose('issued', { type: 'DateTime', description: 'When it was issued.' }),
    expires: t.expose('expires', { type: 'DateTime', description: 'When it ended.' }),
  }),
})

const PlaybackContext = builder.objectRef<PlaybackView['context']>('PlaybackContext').implement({
  description: 'What else is held of the day.',
  fields: (t) => ({
    reports: t.expose('reports', {
      type: [PlaybackReport],
      description: 'Reports of the day in the box, in time order.',
      extensions: { rows: REPORTS_MAX },
    }),
    warnings: t.expose('warnings', {
      type: [PlaybackWarning],
      description: 'Warnings that met the box on the day, in the order of issue.',
      extensions: { rows: WARNING_ROWS },
    }),
  }),
})

const PlaybackHours = builder.objectRef<Hours>('PlaybackHours').implement({
  description: 'Hours of which radar kept the largest estimates alone.',
  fields: (t) => ({
    from: t.expose('from', { type: 'DateTime', description: 'When they began.' }),
    until: t.expose('until', { type: 'DateTime', description: 'When they ended.' }),
  }),
})

const PlaybackMeta = builder.objectRef<PlaybackView['meta']>('PlaybackMeta').implement({
  description: 'What the answer holds.',
  fields: (t) => ({
    count: t.exposeInt('count', { description: 'Moments in the answer.' }),
    available: t.exposeBoolean('available', { description: 'Whether radar is held of the day.' }),
    thinned: t.exposeBoolean('thinned', { description: 'Whether moments or cells were left out, the largest kept.' }),
    from: t.expose('from', { type: 'DateTime', nullable: true, description: 'The first moment; null with none.' }),
    until: t.expose('until', { type: 'DateTime', nullable: true, description: 'The last moment; null with none.' }),
    largest_of: t.expose('largest_of', {
      type: PlaybackHours,
      nullable: true,
      description: 'Of which hours the one moment shows the largest, and stands in their middle; null where moments are what they say.',
    }),
    timezone: t.exposeString('timezone', { description: 'IANA time zone at the centre of the box: the day is one of its calendar.' }),
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
    meta: t.expose('meta', { type: PlaybackMeta, description: 'What the answer holds.' }),
  }),
})

builder.queryField('playback', (t) =>
  t.field({
    type: Playback,
    description: `A storm day over a box of at most ${SIDE_MAX} by ${SIDE_MAX} degrees.`,
    extensions: { ...needs('maps:read'), ...accepts(playbackForm, { across: checkBox }), cost: DAY_COST },
    args: {
      date: t.arg({ type: 'Date', required: true, description: 'The calendar date at the centre of the box.' }),
      south: t.arg.float({ required: true, description: 'Southern edge of the box, north positive.' }),
      west: t.arg.float({ required: true, description: 'Western edge, east positive.' }),
      north: t.arg.float({ required: true, description: 'Northern edge, north positive.' }),
      east: t.arg.float({ required: true, description: 'Eastern edge, east positive.' }),
    },
    resolve: (_root, asked, { app }) => playStormDay(app, asked),
  }),
)
