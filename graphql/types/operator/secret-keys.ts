import { auditWrite } from '#domain/audit/audit-log.ts'
import { rotateLogKey } from '#domain/fingerprint-log/log-key.ts'
import { stage } from '#domain/kernel/outbox.ts'
import { rotateDocumentKey } from '#domain/reports/signing/keys.ts'
import { type SecretKeyStatus, type SecretKeysStatus, secretKeysStatus } from '#domain/secret-keys/status.ts'
import { builder } from '#graphql/builder.ts'
import { byOperator } from '#graphql/role.ts'

const SecretKey = builder.objectRef<SecretKeyStatus>('SecretKey').implement({
  description: 'A key of WEATHER_SECRET_KEY, as known to the responding process. The key itself is not shown.',
  fields: (t) => ({
    name: t.exposeString('name', { nullable: true, description: 'Its name in the setting; null for a key without a name.' }),
    id: t.exposeString('id', {
      description: 'Identifier carried by the values that it sealed. It is derived from the key and does not depend on the name.',
    }),
    seals: t.exposeBoolean('seals', { description: 'True for the first key, which seals and signs new values.' }),
    values: t.exposeInt('values', {
      description: 'Number of values that it sealed: URLs and secrets of destinations, and document keys.',
    }),
    sealing_processes: t.exposeInt('sealing_processes', { description: 'Number of running processes that have it as their first key.' }),
    lacking_processes: t.exposeInt('lacking_processes', { description: 'Number of running processes that do not have it.' }),
    links_end_at: t.expose('links_end_at', {
      type: 'DateTime',
      nullable: true,
      description:
        'When the last link that it may have signed is no longer needed: a document link for 15 minutes, a link that stops alert mails for 30 days. Null if it still signs, or if no such link is left.',
    }),
    removable: t.exposeBoolean('removable', { description: 'True if nothing needs it any more.' }),
    said: t.exposeString('said', { description: 'Status of the key, and what to do next.' }),
  }),
})

const SecretKeys = builder.objectRef<SecretKeysStatus>('SecretKeys').implement({
  description: "Status of the installation's secret keys.",
  fields: (t) => ({
    keys: t.expose('keys', { type: [SecretKey], description: 'The keys, in the order of the setting.' }),
    unopened: t.exposeInt('unopened', { description: 'Number of values that none of the keys can open.' }),
  }),
})

builder.queryField('secretKeys', (t) =>
  t.field({
    type: SecretKeys,
    description: 'Opens every sealed value and reports which key sealed it and when an older key can be removed.',
    ...byOperator('read'),
    resolve: (_root, _args, { app }) => secretKeysStatus(app),
  }),
)

builder.mutationField('resealValues', (t) =>
  t.field({
    type: SecretKeys,
    description: 'Has a worker reseal with the first key every value that another key sealed. Returns the current status.',
    ...byOperator('all'),
    async resolve(_root, _args, { app }) {
      await app.db.$transaction(async (tx) => {
        await stage(tx, 'secrets.reseal', {})
        auditWrite(tx, { kind: 'sealed_values', id: null })
      })
      return secretKeysStatus(app)
    },
  }),
)

const RotatedKey = builder.objectRef<{ key_id: string; retired: string | null }>('RotatedKey').implement({
  description: 'Result of a key rotation. The new key signs from now on.',
  fields: (t) => ({
    key_id: t.exposeString('key_id', { description: 'Its id in the list of public keys.' }),
    retired: t.exposeString('retired', {
      nullable: true,
      description: 'Id of the previous key, which stays in that list; null if there was none.',
    }),
  }),
})

builder.mutationField('rotateDocumentKey', (t) =>
  t.field({
    type: RotatedKey,
    description: 'Creates a new key for documents, to replace the one that the installation created.',
    ...byOperator('all'),
    resolve: (_root, _args, { app }) => rotateDocumentKey(app),
  }),
)

builder.mutationField('rotateLogKey', (t) =>
  t.field({
    type: RotatedKey,
    description:
      'Creates a new key for the checkpoints of the log of fingerprints. The tree and the name stay. Give the key to the witnesses.',
    ...byOperator('all'),
    resolve: (_root, _args, { app }) => rotateLogKey(app),
  }),
)
