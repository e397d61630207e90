import type { Ability } from '#domain/access/abilities.ts'
import type { Caller } from '#domain/access/caller.ts'
import { Refusal } from '#domain/kernel/refusal.ts'

/** @throws Refusal missing_ability if the token, or the person's role, lacks the ability; null requires none */
export function permit({ abilities, person }: Pick<Caller, 'abilities' | 'person'>, ability: Ability | null): void {
  if (ability === null || abilities.has(ability)) return
  const message = person ? `Your role here, ${person.role}, lacks the ability ${ability}.` : `This token lacks the ability ${ability}.`
  throw new Refusal('missing_ability', message, { required_ability: ability })
}
