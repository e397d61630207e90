import { findMapRecord, type MapRecordView } from '#domain/maps/record.ts'
import { needs } from '#graphql/ability.ts'
import { builder, graphOnly } from '#graphql/builder.ts'
import { Qualifier, RecordType } from '#graphql/types/weather.ts'

export const MapRecord = builder.objectRef<MapRecordView>('MapRecord').implement({
  description: 'A record of the archive, as a map shows it.',
  subGraphs: graphOnly,
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'Id of the record in the archive.' }),
    type: t.expose('type', { type: RecordType, description: 'What it was.' }),
    occurred_on: t.expose('occurred_on', { type: 'Date', description: 'Local date.' }),
    begins_at: t.expose('begins_at', { type: 'DateTime', description: 'When it began.' }),
    qualifier: t.expose('qualifier', { type: Qualifier, nullable: true, description: 'How the magnitude was obtained; null without one.' }),
    tornado_rating: t.exposeString('tornado_rating', {
      nullable: true,
      description: "A tornado's rating on the scale that the row states; null for all else.",
    }),
    tornado_width_yd: t.exposeFloat('tornado_width_yd', {
      nullable: true,
      description: "The greatest width of a tornado's path, yards as its source states it.",
    }),
    county: t.exposeString('county', { nullable: true, description: 'Name of the county.' }),
    state: t.exposeString('state', { nullable: true, description: 'Two-letter code of the state.' }),
    source_label: t.exposeString('source_label', { description: 'The product, and whether it is final or preliminary.' }),
    citation_url: t.exposeString('citation_url', { description: "The source's own record." }),
    description: t.exposeString('description', { description: "The source's own words; may be empty." }),
    latitude: t.exposeFloat('latitude', { nullable: true, description: 'Degrees north, of its begin point; null for a county or a zone.' }),
    longitude: t.exposeFloat('longitude', { nullable: true, description: 'Degrees east, of the same.' }),
    hail_size_in: t.exposeFloat('hail_size_in', { nullable: true, description: 'Size of hail, inches.' }),
    wind_gust_mph: t.exposeFloat('wind_gust_mph', { nullable: true, description: 'Gust of wind, mph.' }),
    caveats: t.exposeStringList('caveats', { description: 'What is doubted of the record, in sentences; empty for most.' }),
  }),
})

builder.queryField('mapRecord', (t) =>
  t.field({
    type: MapRecord,
    description: 'The record behind a feature of a vector tile.',
    subGraphs: graphOnly,
    extensions: needs('maps:read'),
    args: { id: t.arg.int({ required: true, description: 'The feature’s property `id`.' }) },
    resolve: (_root, { id }, { app }) => findMapRecord(app, id),
  }),
)
