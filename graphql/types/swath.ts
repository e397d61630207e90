import { checkBox, playbackForm, SIDE_MAX } from '#domain/maps/playback.ts'
import { type SwathView, swathsAround } from '#domain/maps/swath-day.ts'
import { recordSources } from '#domain/weather/sources.ts'
import { swathBands } from '#domain/weather/swath-bands.ts'
import { needs } from '#graphql/ability.ts'
import { accepts } from '#graphql/arguments.ts'
import { builder, graphOnly } from '#graphql/builder.ts'
import { closedSet, stated } from '#graphql/closed-set.ts'

/** Values whose reading takes as long as that of an outbreak's day in six degrees: a tenth of a second of a processor. */
const DAY_COST = 10_000

const Swath = builder.objectRef<SwathView>('Swath').implement({
  subGraphs: graphOnly,
  description: 'Where the largest hail that radar estimated on a day lay in one band.',
  fields: (t) => ({
    from_in: t.exposeFloat('from_in', { description: 'Inches, included.' }),
    to_in: t.exposeFloat('to_in', { nullable: true, description: 'Inches, not included; null for the largest band.' }),
    kind: t.exposeString('kind', { description: 'radar_estimated: nobody measured it.', ...stated({ const: 'radar_estimated' }) }),
    source: t.exposeString('source', {
      description: 'Where the estimate is from.',
      ...closedSet('RecordSource', recordSources, 'Where the estimate is from.'),
    }),
    geometry: t.expose('geometry', { type: 'GeoJson', description: 'The grid cells of the band as they are, unsmoothed.' }),
    citation_urls: t.exposeStringList('citation_urls', {
      description: 'Folders of the agency that have the grids of the day.',
      extensions: { rows: 2 },
    }),
  }),
})

builder.queryField('swaths', (t) =>
  t.field({
    type: [Swath],
    subGraphs: graphOnly,
    description: `The swaths of hail of a day over a box of at most ${SIDE_MAX} by ${SIDE_MAX} degrees, as radar estimated it: the largest of the day, the smallest band first.`,
    extensions: { ...needs('maps:read'), ...accepts(playbackForm, { across: checkBox }), cost: DAY_COST, rows: swathBands.length },
    args: {
      date: t.arg({ type: 'Date', required: true, description: 'The day, by the calendar of each place.' }),
      south: t.arg.float({ required: true, description: 'Southern edge of the box, north positive.' }),
      west: t.arg.float({ required: true, description: 'Western edge, east positive.' }),
      north: t.arg.float({ required: true, description: 'Northern edge, north positive.' }),
      east: t.arg.float({ required: true, description: 'Eastern edge, east positive.' }),
    },
    resolve: (_root, asked, { app }) => swathsAround(app, asked),
  }),
)
