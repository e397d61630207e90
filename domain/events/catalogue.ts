/** Every event that a destination can subscribe to, in the order of the catalogue. */
export const catalogue = [
  {
    name: 'exposure.detected',
    label: 'Storm day detected',
    description: 'A storm day enters the record near a watched property or inside a watched territory.',
    group: 'Monitoring',
  },
  {
    name: 'exposure.escalated',
    label: 'Storm day escalated',
    description: 'A storm day already posted grows: its measured hail reaches a higher band, or a tornado arrives.',
    group: 'Monitoring',
  },
  {
    name: 'warning.issued',
    label: 'Warning issued',
    description:
      'An official warning is in force over a watched place; once for each warning, on plans with live warnings. Names the exposures of all places that it is over, and carries the first 50.',
    group: 'Monitoring',
  },
  {
    name: 'digest.sent',
    label: 'Morning digest',
    description: 'The morning digest of what was announced since 7 AM of the day before, as the team receives it by e-mail.',
    group: 'Monitoring',
  },
  {
    name: 'property.created',
    label: 'Property saved',
    description: 'A property is saved, with its address, location, contacts and reference.',
    group: 'Properties',
  },
  {
    name: 'property.updated',
    label: 'Property changed',
    description: 'The address, reach, status, contacts or reference of a property changes, or someone sends it to a CRM.',
    group: 'Properties',
  },
  { name: 'property.archived', label: 'Property archived', description: 'A property stops being watched.', group: 'Properties' },
  {
    name: 'report.completed',
    label: 'Report completed',
    description: 'A requested report finishes generating, with its window, findings and property. The PDF follows separately.',
    group: 'Reports',
  },
  {
    name: 'report.pdf_ready',
    label: 'Report PDF ready',
    description: 'The PDF of a report is rendered and stored: the report again, with download links.',
    group: 'Reports',
  },
  {
    name: 'report.failed',
    label: 'Report failed',
    description: 'A requested report cannot be compiled: the report with its reason. It costs no credit.',
    group: 'Reports',
  },
] as const

export type EventName = (typeof catalogue)[number]['name']

/** Monitoring, Properties, Reports. */
export const eventGroups = [...new Set(catalogue.map(({ group }) => group))]

/** The names alone, for checking filters and subscriptions. */
export const eventNames = catalogue.map(({ name }) => name)
