import type { App } from '#domain/app.ts'
import { isPrintable } from '#domain/kernel/printable.ts'
import { refuseField } from '#domain/kernel/validation.ts'

/** A name stands in lists, beside the address. */
const NAME_MAX = 80

/** Sets somebody's own name; an empty one takes it away. */
export async function renamePerson({ db }: Pick<App, 'db'>, id: string, sent: string): Promise<{ name: string | null }> {
  const name = sent.trim()
  if (name.length > NAME_MAX) refuseField('name', `The name must have at most ${NAME_MAX} characters.`)
  if (!isPrintable(name)) refuseField('name', 'The name must not contain control characters or marks that turn the reading direction.')
  return db.person.update({ where: { id }, data: { name: name || null }, select: { name: true } })
}
