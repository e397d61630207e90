import { reportVerification } from '#domain/reports/verification.ts'
import type { VerificationView } from '#domain/reports/view.ts'
import { needs } from '#graphql/ability.ts'
import { builder } from '#graphql/builder.ts'
import { stated } from '#graphql/closed-set.ts'
import { callerOf } from '#graphql/context.ts'
import { objectKey } from '#graphql/object-key.ts'

const VerificationWindow = builder.objectRef<VerificationView['window']>('VerificationWindow').implement({
  description: 'The days and the circle searched.',
  fields: (t) => ({
    start: t.expose('start', { type: 'Date', description: 'First day.' }),
    end: t.expose('end', { type: 'Date', description: 'Last day.' }),
    radius: t.exposeFloat('radius', { description: 'Radius around the address, in miles.' }),
  }),
})

const VerificationLinks = builder.objectRef<VerificationView['links']>('VerificationLinks').implement({
  description: 'Where to read on.',
  fields: (t) => ({
    report: t.exposeString('report', { description: 'The report.' }),
  }),
})

const Verification = builder.objectRef<VerificationView>('Verification').implement({
  description: 'What a report says of itself, and what it can be verified by.',
  fields: (t) => ({
    object: t.exposeString('object', objectKey('verification')),
    report_id: t.expose('report_id', { type: 'UUID', description: 'Id of the report.' }),
    fingerprint: t.exposeString('fingerprint', {
      description: 'SHA-256 of the evidence, 64 hex digits.',
      ...stated({ pattern: '^[0-9a-f]{64}$' }),
    }),
    short_fingerprint: t.exposeString('short_fingerprint', {
      description: 'Its first 16 digits, upper case, in four groups.',
      ...stated({ pattern: '^[0-9A-F]{4}( [0-9A-F]{4}){3}$' }),
    }),
    verify_url: t.exposeString('verify_url', { description: 'The public page of the fingerprint.' }),
    generated_at: t.expose('generated_at', { type: 'DateTime', description: 'When the report was completed.' }),
    place: t.exposeString('place', { description: 'The located address on one line.' }),
    window: t.expose('window', { type: VerificationWindow, description: 'The days and the circle searched.' }),
    finding: t.exposeString('finding', { description: "The report's headline." }),
    authoritative: t.exposeBoolean('authoritative', {
      description: 'True where coverage was complete and final, and nothing was made up.',
    }),
    records: t.exposeInt('records', { description: 'Records cited.' }),
    observations: t.exposeInt('observations', { description: 'Station observations used.' }),
    sources_searched: t.exposeInt('sources_searched', { description: 'Sources searched.' }),
    sources_found: t.exposeInt('sources_found', { description: 'Sources with at least one record.' }),
    links: t.expose('links', { type: VerificationLinks, description: 'Where to read on.' }),
  }),
})

builder.queryField('reportVerification', (t) =>
  t.field({
    type: Verification,
    description: 'What a complete report can be verified by.',
    extensions: needs('reports:read'),
    args: { report: t.arg({ type: 'UUID', required: true, description: 'Id of the report.' }) },
    resolve: (_root, { report }, context) => reportVerification(context.app, callerOf(context), report),
  }),
)
