import { confidences } from '#domain/closed-sets.ts'
import type { FindingView } from '#domain/reports/view.ts'
import { builder } from '#graphql/builder.ts'
import { enumOf } from '#graphql/enum.ts'
import { EvidenceKind, Family, Severity } from '#graphql/types/weather.ts'

const Confidence = enumOf('Confidence', confidences, 'How well the evidence agrees.')

export const Finding = builder.objectRef<FindingView>('Finding').implement({
  description: 'What the cited records of one family show together.',
  fields: (t) => ({
    family: t.expose('family', { type: Family, description: 'The family of the records.' }),
    family_label: t.exposeString('family_label', { description: 'Name of the family.' }),
    event_count: t.exposeInt('event_count', { description: 'Number of cited records of the family.' }),
    peak_severity: t.expose('peak_severity', { type: Severity, description: 'The highest severity among them.' }),
    evidence_kinds: t.expose('evidence_kinds', { type: [EvidenceKind], description: 'Kinds of evidence among them.' }),
    evidence_labels: t.exposeStringList('evidence_labels', { description: 'The same in words.' }),
    dates: t.expose('dates', { type: ['Date'], description: 'Local dates with records, newest first.' }),
    most_recent: t.expose('most_recent', { type: 'Date', description: 'The newest of the dates.' }),
    peak_hail_in: t.exposeFloat('peak_hail_in', {
      nullable: true,
      description:
        'Largest hail of records with a point, in inches. Records located only by county or zone count only if there are no others.',
    }),
    peak_wind_mph: t.exposeFloat('peak_wind_mph', { nullable: true, description: 'Strongest wind or gust, in miles an hour.' }),
    peak_tornado_ef: t.exposeFloat('peak_tornado_ef', { nullable: true, description: 'Highest tornado rating, 0 to 5.' }),
    peak_tornado_rating: t.exposeString('peak_tornado_rating', {
      nullable: true,
      description: 'The same rating on the scale that the record states: F3 in 1991, EF3 from February 2007.',
    }),
    nearest_miles: t.exposeFloat('nearest_miles', {
      nullable: true,
      description: 'Distance to the nearest record, in miles; null if all are located only by county or zone.',
    }),
    any_observed: t.exposeBoolean('any_observed', { description: 'True if any record was seen at the ground or measured.' }),
    confidence: t.expose('confidence', { type: Confidence, description: 'How well the evidence agrees on the best day.' }),
    confidence_label: t.exposeString('confidence_label', { description: 'The confidence in words, with the reason.' }),
    statement: t.exposeString('statement', {
      description: 'The finding in sentences. Each figure has the distance and day of its own record.',
    }),
  }),
})
