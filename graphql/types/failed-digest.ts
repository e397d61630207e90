import { type FailedDigestView, findFailedDigest } from '#domain/integrations/digest-mail.ts'
import { needs } from '#graphql/ability.ts'
import { builder, graphOnly } from '#graphql/builder.ts'
import { callerOf } from '#graphql/context.ts'

const FailedDigest = builder.objectRef<FailedDigestView>('FailedDigest').implement({
  subGraphs: graphOnly,
  description: 'A morning digest that could not be mailed.',
  fields: (t) => ({
    date: t.expose('date', { type: 'Date', description: "Its date in the team's time zone." }),
    failed_at: t.expose('failed_at', { type: 'DateTime', description: 'When the service stopped trying.' }),
  }),
})

builder.queryField('failedDigest', (t) =>
  t.field({
    type: FailedDigest,
    nullable: true,
    subGraphs: graphOnly,
    description:
      'The newest morning digest of the last week, if the mail server did not accept its e-mail by noon. Null if it was mailed. Destinations that are subscribed to digest.sent do not depend on it: their deliveries show whether it arrived.',
    extensions: needs('integrations:read'),
    resolve: (_root, _args, context) => findFailedDigest(context.app, callerOf(context)),
  }),
)
