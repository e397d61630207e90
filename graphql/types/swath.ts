import { checkBox, playbackForm, SIDE_MAX } from '#domain/maps/playback.ts'
import { type SwathView, swathsAround } from '#domain/maps/swath-day.ts'
import { recordSources } from '#domain/weather/sources.ts'
import { swathBands } from '#domain/weather/swath-bands.ts'
import { needs } from '#graphql/ability.ts'
import { accepts } from '#graphql/arguments.ts'
import { builder, graphOnly } from '#graphql/builder.ts'
import { closedSet, withJsonSchema } from '#graphql/closed-set.ts'

/** Reading the day of an outbreak within six degrees takes as long as reading this many values: a tenth of a second of CPU time. */
const DAY_COST = 10_000

const Swath = builder.objectRef<SwathView>('Swath').implement({
  subGraphs: graphOnly,
  description: 'Area where the largest hail that radar estimated on a day is in one band.',
  fields: (t) => ({
    from_in: t.exposeFloat('from_in', { description: 'Lower bound in inches, inclusive.' }),
    to_in: t.exposeFloat('to_in', { nullable: true, description: 'Upper bound in inches, exclusive; null for the largest band.' }),
    kind: t.exposeString('kind', {
      description: 'radar_estimated: estimated by radar, not measured.',
      ...withJsonSchema({ const: 'radar_estimated' }),
    }),
    source: t.exposeString('source', {
      description: 'Source of the estimate.',
      ...closedSet('RecordSource', recordSources, 'Source of the estimate.'),
    }),
    geometry: t.expose('geometry', { type: 'GeoJson', description: 'The grid cells of the band, unsmoothed.' }),
    citation_urls: t.exposeStringList('citation_urls', {
      description: 'Folders of the agency that contain the grids of the day.',
    }),
  }),
})

builder.queryField('swaths', (t) =>
  t.field({
    type: [Swath],
    subGraphs: graphOnly,
    description: `The swaths of the largest hail that radar estimated on a day, over a box of at most ${SIDE_MAX} by ${SIDE_MAX} degrees, the smallest band first.`,
    extensions: { ...needs('maps:read'), ...accepts(playbackForm, { crossCheck: checkBox }), cost: DAY_COST, rows: swathBands.length },
    args: {
      date: t.arg({ type: 'Date', required: true, description: 'The calendar day, in the local time of each place.' }),
      south: t.arg.float({ required: true, description: 'Southern edge of the box, north positive.' }),
      west: t.arg.float({ required: true, description: 'Western edge, east positive.' }),
      north: t.arg.float({ required: true, description: 'Northern edge, north positive.' }),
      east: t.arg.float({ required: true, description: 'Eastern edge, east positive.' }),
    },
    resolve: (_root, args, { app }) => swathsAround(app, args),
  }),
)
