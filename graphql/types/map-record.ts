import { findMapRecord, type MapRecordView } from '#domain/maps/record.ts'
import { needs } from '#graphql/ability.ts'
import { builder, graphOnly } from '#graphql/builder.ts'
import { Qualifier, RecordType } from '#graphql/types/weather.ts'

export const MapRecord = builder.objectRef<MapRecordView>('MapRecord').implement({
  description: 'A record of the archive, as shown on a map.',
  subGraphs: graphOnly,
  fields: (t) => ({
    id: t.exposeInt('id', { description: 'Id of the record in the archive.' }),
    type: t.expose('type', { type: RecordType, description: 'Type of the record.' }),
    occurred_on: t.expose('occurred_on', { type: 'Date', description: 'Local date.' }),
    begins_at: t.expose('begins_at', { type: 'DateTime', description: 'When it began.' }),
    qualifier: t.expose('qualifier', { type: Qualifier, nullable: true, description: 'How the magnitude was obtained; null without one.' }),
    tornado_rating: t.exposeString('tornado_rating', {
      nullable: true,
      description: 'Rating of a tornado on the scale that the record states; null for other types.',
    }),
    tornado_width_yd: t.exposeFloat('tornado_width_yd', {
      nullable: true,
      description: "Width of a tornado's path in yards, as its source states it: the greatest since 1994, the mean before.",
    }),
    county: t.exposeString('county', { nullable: true, description: 'Name of the county.' }),
    state: t.exposeString('state', { nullable: true, description: 'Two-letter code of the state.' }),
    source_label: t.exposeString('source_label', { description: 'The product, and whether it is final or preliminary.' }),
    citation_url: t.exposeString('citation_url', { description: "The source's own record." }),
    description: t.exposeString('description', { description: "The source's own words; may be empty." }),
    latitude: t.exposeFloat('latitude', { nullable: true, description: 'Degrees north of its start point; null for a county or zone.' }),
    longitude: t.exposeFloat('longitude', { nullable: true, description: 'Degrees east of its start point; null for a county or zone.' }),
    hail_size_in: t.exposeFloat('hail_size_in', { nullable: true, description: 'Hail size, in inches.' }),
    wind_gust_mph: t.exposeFloat('wind_gust_mph', { nullable: true, description: 'Wind gust, in miles an hour.' }),
    wind_speed_mph: t.exposeFloat('wind_speed_mph', { nullable: true, description: 'Sustained wind, in miles an hour.' }),
    caveats: t.exposeStringList('caveats', { description: 'Doubts about the record, in sentences; empty for most.' }),
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
