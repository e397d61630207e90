import { auditWrite } from '#domain/audit/audit-log.ts'
import { rotateLogKey } from '#domain/fingerprint-log/log-key.ts'
import { stage } from '#domain/kernel/outbox.ts'
import { rotateDocumentKey } from '#domain/reports/signing/keys.ts'
import { type SecretKeyStatus, type SecretKeysStatus, secretKeysStatus } from '#domain/secret-keys/status.ts'
import { builder } from '#graphql/builder.ts'
import { byOperator } from '#graphql/role.ts'

const SecretKey = builder.objectRef<SecretKeyStatus>('SecretKey').implement({
  description: 'A key of WEATHER_SECRET_KEY, as the answering process holds it; of the key itself nothing.',
  fields: (t) => ({
    name: t.exposeString('name', { nullable: true, description: 'What the setting calls it; null for a bare key.' }),
    id: t.exposeString('id', { description: 'What values that it sealed carry: derived from it, the same whatever it is called.' }),
    seals: t.exposeBoolean('seals', { description: 'True of the first: what is sealed and signed now is by it.' }),
    values: t.exposeInt('values', {
      description: 'How many values are sealed by it: addresses and secrets of destinations, keys of documents.',
    }),
    sealing_processes: t.exposeInt('sealing_processes', { description: 'How many processes that run have it first.' }),
    lacking_processes: t.exposeInt('lacking_processes', { description: 'How many processes that run do not hold it.' }),
    links_end_at: t.expose('links_end_at', {
      type: 'DateTime',
      nullable: true,
      description: 'When the last link to a document ends that it may have signed; null where it signs still, or none is left.',
    }),
    removable: t.exposeBoolean('removable', { description: 'True where nothing needs it any more.' }),
    said: t.exposeString('said', { description: 'How it stands, and what to do next.' }),
  }),
})

const SecretKeys = builder.objectRef<SecretKeysStatus>('SecretKeys').implement({
  description: 'How the secret keys of the install stand.',
  fields: (t) => ({
    keys: t.expose('keys', { type: [SecretKey], description: 'In the order of the setting.' }),
    unopened: t.exposeInt('unopened', { description: 'How many values open under none of them.' }),
  }),
})

builder.queryField('secretKeys', (t) =>
  t.field({
    type: SecretKeys,
    description: 'Opens every sealed value, and says by which key it is sealed and when an older key may be taken out.',
    ...byOperator('read'),
    resolve: (_root, _args, { app }) => secretKeysStatus(app),
  }),
)

builder.mutationField('resealValues', (t) =>
  t.field({
    type: SecretKeys,
    description: 'Has a worker seal anew, under the first key, every value that another sealed. Answers how they stand now.',
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
  description: 'The key that signs from now on.',
  fields: (t) => ({
    key_id: t.exposeString('key_id', { description: 'What the list of public keys calls it.' }),
    retired: t.exposeString('retired', {
      nullable: true,
      description: 'The one before, which stays in that list; null where there was none.',
    }),
  }),
})

builder.mutationField('rotateDocumentKey', (t) =>
  t.field({
    type: RotatedKey,
    description: 'Makes a new key for documents in the place of the one that the install made before.',
    ...byOperator('all'),
    resolve: (_root, _args, { app }) => rotateDocumentKey(app),
  }),
)

builder.mutationField('rotateLogKey', (t) =>
  t.field({
    type: RotatedKey,
    description: 'Makes a new key for the checkpoints of the log of fingerprints; tree and name stay. Give it to the witnesses.',
    ...byOperator('all'),
    resolve: (_root, _args, { app }) => rotateLogKey(app),
  }),
)
