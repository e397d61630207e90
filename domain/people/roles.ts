import { type Ability, abilityNames } from '#domain/access/abilities.ts'
import { type TeamRole, teamRoles } from '#domain/closed-sets.ts'

/** Label and description of each role. */
export const roles: Readonly<Record<TeamRole, { label: string; description: string }>> = {
  owner: { label: 'Owner', description: 'Everything: people, tokens, the plan and the secrets of destinations too.' },
  analyst: { label: 'Analyst', description: 'Works with reports, properties, territories, exposures and destinations.' },
  viewer: { label: 'Viewer', description: 'Reads everything, and downloads documents.' },
}

/** Whether a text names a role of a team. */
export function isRole(text: string): text is TeamRole {
  return teamRoles.some((name) => name === text)
}

/** Read abilities; exporting a report counts as reading. */
const reading = new Set(abilityNames.filter((name) => name.endsWith(':read') || name === 'reports:export'))
const all = new Set(abilityNames)

/** Returns the abilities of a role; operations themselves state if they are for owners only. */
export function abilitiesOf(role: TeamRole): ReadonlySet<Ability> {
  return role === 'viewer' ? reading : all
}
