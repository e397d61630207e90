import { useCurrentSession } from '../signed-in.tsx'

/** What is refused while a plan has lapsed. */
export const LAPSED_REFUSALS = 'New reports, watched places, destinations and alert rules are refused until the plan is renewed.'

/** Why the service would refuse a form, if the plan of the team has lapsed; null otherwise. */
export function useLapsedRefusal(): string | null {
  return useCurrentSession().team.lapsed ? `The plan has lapsed. ${LAPSED_REFUSALS}` : null
}

/** Says before a form is filled in why the service would refuse it. */
export function LapsedNotice({ refusal }: { refusal: string | null }) {
  return refusal && <div className="notice warn">{refusal}</div>
}
