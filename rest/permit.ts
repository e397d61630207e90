import type { Ability } from '#domain/access/abilities.ts'
import { authenticateAgain } from '#domain/access/authenticate.ts'
import type { Caller } from '#domain/access/caller.ts'
import type { App } from '#domain/app.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { requireApiAccess } from '#domain/plans/ceilings.ts'

/** @throws Refusal missing_ability if the token lacks the ability; null requires none */
export function permit(caller: Caller, ability: Ability | null): void {
  if (ability === null || caller.abilities.has(ability)) return
  throw new Refusal('missing_ability', `This token lacks the ability ${ability}.`, { required_ability: ability })
}

/** Checks the token of a running request again, without counting a request. @throws Refusal if it would not be admitted now */
export async function permitAgain(app: App, authorization: string | undefined, ability: Ability | null): Promise<void> {
  const caller = await authenticateAgain(app, authorization)
  requireApiAccess(caller)
  permit(caller, ability)
}
