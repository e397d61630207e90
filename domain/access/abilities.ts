/** The abilities of tokens: name, label and description as the API index lists them. */
export const abilities = [
  { name: 'reports:read', label: 'Read reports', description: 'List reports and read findings, cited records, coverage and verification.' },
  { name: 'reports:write', label: 'Create reports', description: 'Create and delete reports.' },
  { name: 'reports:export', label: 'Export reports', description: 'Download report PDFs and make links to them.' },
  { name: 'maps:read', label: 'Read maps', description: 'Vector tiles of the archive and playback of a storm day.' },
  { name: 'properties:read', label: 'Read properties', description: 'List properties, their contacts and the exposures near each.' },
  { name: 'properties:write', label: 'Change properties', description: 'Save, change and remove properties, report on one and enrich it.' },
  {
    name: 'territories:read',
    label: 'Read territories',
    description: 'List territories with their shapes and exposures, and look up places.',
  },
  { name: 'territories:write', label: 'Change territories', description: 'Draw, quote, change and remove territories.' },
  { name: 'exposures:read', label: 'Read exposures', description: 'Read the storm days and warnings at watched places.' },
  { name: 'exposures:write', label: 'Work exposures', description: 'Acknowledge, dismiss and reopen exposures.' },
  { name: 'account:read', label: 'Read the account', description: 'Read the team, its credits and transactions, and monitoring runs.' },
  { name: 'integrations:read', label: 'Read destinations', description: 'List destinations, the event catalogue and deliveries.' },
  {
    name: 'integrations:write',
    label: 'Change destinations',
    description: 'Register, change, test and remove destinations; read and rotate signing secrets.',
  },
] as const

export type Ability = (typeof abilities)[number]['name']

export const abilityNames: readonly Ability[] = abilities.map(({ name }) => name)
