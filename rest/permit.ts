import type { Ability } from '#domain/access/abilities.ts'
import type { Caller } from '#domain/access/caller.ts'
import { Refusal } from '#domain/kernel/refusal.ts'

/** @throws Refusal missing_ability where the token lacks it; null asks for none */
export function permit(caller: Caller, ability: Ability | null): void {
  if (ability === null || caller.abilities.has(ability)) return
  throw new Refusal('missing_ability', `This token lacks the ability ${ability}.`, { required_ability: ability })
}
