import type { Inclusion } from '#domain/fingerprint-log/inclusion.ts'
import { reportVerification } from '#domain/reports/verification.ts'
import type { VerificationView } from '#domain/reports/view.ts'
import { needs } from '#graphql/ability.ts'
import { builder } from '#graphql/builder.ts'
import { withJsonSchema } from '#graphql/closed-set.ts'
import { constantField } from '#graphql/constant-field.ts'
import { callerOf } from '#graphql/context.ts'

const VerificationWindow = builder.objectRef<VerificationView['window']>('VerificationWindow').implement({
  description: 'The days and the circle searched.',
  fields: (t) => ({
    start: t.expose('start', { type: 'Date', description: 'First day.' }),
    end: t.expose('end', { type: 'Date', description: 'Last day.' }),
    radius: t.exposeFloat('radius', { description: 'Radius around the address, in miles.' }),
  }),
})

const VerificationLinks = builder.objectRef<VerificationView['links']>('VerificationLinks').implement({
  description: 'Related links.',
  fields: (t) => ({
    report: t.exposeString('report', { description: 'The report.' }),
  }),
})

const VerificationLog = builder.objectRef<Inclusion>('VerificationLog').implement({
  description: 'Entry of a fingerprint in the log of this service, and what is needed to check it. Bytes are base64.',
  fields: (t) => ({
    index: t.exposeInt('index', { description: 'Position of its entry, from 0.' }),
    inclusion_proof: t.exposeStringList('inclusion_proof', {
      description: "Hashes of the tree (RFC 6962), from the entry's sibling to the root's child.",
    }),
    checkpoint: t.exposeString('checkpoint', {
      description:
        'The checkpoint that covers the entry: a note signed by the log, and by witnesses if there are any (C2SP tlog-checkpoint).',
    }),
    salt: t.exposeString('salt', {
      description:
        '32 bytes: the entry is the SHA-256 of "weather-report-log/1", a line feed, the salt, and the 32 bytes of the fingerprint.',
      ...withJsonSchema({ pattern: '^[A-Za-z0-9+/]{43}=$' }),
    }),
    timestamp: t.exposeString('timestamp', {
      nullable: true,
      description: 'Timestamp of the checkpoint (RFC 3161 TimeStampToken); null if no authority stamped it.',
    }),
  }),
})

const Verification = builder.objectRef<VerificationView>('Verification').implement({
  description: 'What a report states about itself, and what is needed to verify it.',
  fields: (t) => ({
    object: t.exposeString('object', constantField('verification')),
    report_id: t.expose('report_id', { type: 'UUID', description: 'Id of the report.' }),
    fingerprint: t.exposeString('fingerprint', {
      description: 'SHA-256 of the evidence, 64 hex digits.',
      ...withJsonSchema({ pattern: '^[0-9a-f]{64}$' }),
    }),
    short_fingerprint: t.exposeString('short_fingerprint', {
      description: 'Its first 16 digits, upper case, in four groups.',
      ...withJsonSchema({ pattern: '^[0-9A-F]{4}( [0-9A-F]{4}){3}$' }),
    }),
    verify_url: t.exposeString('verify_url', { description: 'The public page of the fingerprint.' }),
    generated_at: t.expose('generated_at', { type: 'DateTime', description: 'When the report was completed.' }),
    place: t.exposeString('place', { description: 'The located address on one line.' }),
    window: t.expose('window', { type: VerificationWindow, description: 'The days and the circle searched.' }),
    as_of: t.expose('as_of', {
      type: 'DateTime',
      nullable: true,
      description: 'Point in time of the archive that it was compiled from; null for the time of generation.',
    }),
    date_of_loss: t.expose('date_of_loss', {
      type: 'Date',
      nullable: true,
      description: 'Date of loss, which it covers first; null if none was sent.',
    }),
    finding: t.exposeString('finding', { description: "The report's headline." }),
    authoritative: t.exposeBoolean('authoritative', {
      description: 'True if coverage was complete and final, and nothing was made up.',
    }),
    records: t.exposeInt('records', { description: 'Records cited.' }),
    observations: t.exposeInt('observations', { description: 'Station observations used.' }),
    sources_searched: t.exposeInt('sources_searched', { description: 'Sources searched.' }),
    sources_found: t.exposeInt('sources_found', { description: 'Sources with at least one record.' }),
    log: t.expose('log', {
      type: VerificationLog,
      nullable: true,
      description: 'Its entry in the log of fingerprints; null until it has one, and for a report that is older than the log.',
    }),
    links: t.expose('links', { type: VerificationLinks, description: 'Related links.' }),
  }),
})

builder.queryField('reportVerification', (t) =>
  t.field({
    type: Verification,
    description: 'What is needed to verify a complete report.',
    extensions: needs('reports:read'),
    args: { report: t.arg({ type: 'UUID', required: true, description: 'Id of the report.' }) },
    resolve: (_root, { report }, context) => reportVerification(context.app, callerOf(context), report),
  }),
)
