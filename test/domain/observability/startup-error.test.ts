import { expect, inject, it } from 'vitest'
import { openDatabase } from '#domain/engines/database.ts'
import { startupErrorText } from '#domain/observability/startup-error.ts'

it.each([
  ['a database that does not exist', { pathname: '/not_there' }, /\/not_there\) cannot be used: there is no such database\.$/],
  [
    'a database without tables',
    { pathname: '/postgres' },
    /\/postgres\) cannot be used: it has no tables of this version yet: run the service once with --migrate\.$/,
  ],
  ['a role that does not exist', { username: 'nobody' }, /cannot be used: (the role may not connect|the password is wrong)/],
  ['a wrong password', { password: 's3cret' }, /cannot be used: the password is wrong\.$/],
])('a start states in one sentence, without a password: %s', async (_what, change, words) => {
  const { href: url } = Object.assign(new URL(inject('serving')), change)
  const { db, pool, close } = openDatabase(url, 1)
  for (const read of [() => db.team.count(), () => pool.query('SELECT FROM teams')]) {
    const fault = await read().then(
      () => null,
      (thrown: unknown) => thrown,
    )
    expect(startupErrorText(fault, { setting: 'DATABASE_URL', url })).toMatch(words)
    expect(startupErrorText(fault, { setting: 'DATABASE_URL', url })).not.toMatch(/s3cret/)
  }
  await close()
})
