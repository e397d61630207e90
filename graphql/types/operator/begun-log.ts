import { type BegunLog, beginLog } from '#domain/fingerprint-log/begin-log.ts'
import type { LogHead } from '#domain/fingerprint-log/checkpoint.ts'
import { builder } from '#graphql/builder.ts'
import { byOperator } from '#graphql/role.ts'

const EndedLog = builder.objectRef<LogHead>('EndedLog').implement({
  description: 'The last known state of a log of fingerprints that has ended.',
  fields: (t) => ({
    origin: t.exposeString('origin', { description: 'Its name.' }),
    size: t.exposeFloat('size', { description: 'Number of its entries.' }),
    root: t.string({ description: 'Root of its tree, in base64.', resolve: ({ root }) => root.toString('base64') }),
  }),
})

const BegunLogType = builder.objectRef<BegunLog>('BegunLog').implement({
  description: 'A log of fingerprints that began after another one.',
  fields: (t) => ({
    origin: t.exposeString('origin', { description: 'Its name.' }),
    size: t.exposeFloat('size', { description: 'Number of its entries: those that the database had, and the one with which it began.' }),
    key_id: t.exposeString('key_id', { description: 'Id of the key that signs it, in the list of public keys.' }),
    ended: t.expose('ended', { type: EndedLog, description: 'The log that it followed.' }),
  }),
})

builder.mutationField('beginLog', (t) =>
  t.field({
    type: BegunLogType,
    description:
      'Ends the log of fingerprints and begins another, after a restore took it back: under a new name, with a new key. Every checkpoint states which log ended. Give name and key to the witnesses.',
    ...byOperator('all'),
    args: {
      origin: t.arg.string({ required: true, description: 'Name of the new log, which no log of this service had.' }),
      published: t.arg.string({
        description:
          'The last checkpoint of the old log that anybody kept, as it was served. Omit it to state the last one in the database.',
      }),
    },
    resolve: (_root, { origin, published }, { app }) => beginLog(app, origin, published ?? null),
  }),
)
