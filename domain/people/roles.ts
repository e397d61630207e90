import { type Ability, abilityNames } from '#domain/access/abilities.ts'

/** What somebody may do in a team, from most to least. */
export const roles = [
  { name: 'owner', label: 'Owner', description: 'Everything: people, tokens, the plan and the secrets of destinations too.' },
  { name: 'analyst', label: 'Analyst', description: 'Works with reports, properties, territories, exposures and destinations.' },
  { name: 'viewer', label: 'Viewer', description: 'Reads everything, and downloads documents.' },
] as const

export type Role = (typeof roles)[number]['name']

export const roleNames: readonly Role[] = roles.map(({ name }) => name)

export function isRole(text: string): text is Role {
  return roleNames.some((name) => name === text)
}

/** Abilities that read: to look at a map or a document is reading. */
const reading = new Set(abilityNames.filter((name) => name.endsWith(':read') || name === 'reports:export'))
const all = new Set(abilityNames)

/** The abilities that a role gives; what only an owner may do is stated on the operations beside. */
export function abilitiesOf(role: Role): ReadonlySet<Ability> {
  return role === 'viewer' ? reading : all
}
