import { type Ability, abilityNames } from '#domain/access/abilities.ts'
import { type TeamRole, teamRoles } from '#domain/closed-sets.ts'

/** Each role as it is shown. */
export const roles: Readonly<Record<TeamRole, { label: string; description: string }>> = {
  owner: { label: 'Owner', description: 'Everything: people, tokens, the plan and the secrets of destinations too.' },
  analyst: { label: 'Analyst', description: 'Works with reports, properties, territories, exposures and destinations.' },
  viewer: { label: 'Viewer', description: 'Reads everything, and downloads documents.' },
}

export function isRole(text: string): text is TeamRole {
  return teamRoles.some((name) => name === text)
}

/** Abilities that read: to look at a map or a document is reading. */
const reading = new Set(abilityNames.filter((name) => name.endsWith(':read') || name === 'reports:export'))
const all = new Set(abilityNames)

/** The abilities that a role gives; what only an owner may do is stated on the operations beside. */
export function abilitiesOf(role: TeamRole): ReadonlySet<Ability> {
  return role === 'viewer' ? reading : all
}
