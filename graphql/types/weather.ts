import { precisions, qualifiers } from '#domain/closed-sets.ts'
import { families } from '#domain/weather/families.ts'
import { severities } from '#domain/weather/severities.ts'
import { evidenceKinds } from '#domain/weather/sources.ts'
import { recordTypes } from '#domain/weather/types.ts'
import { enumOf } from '#graphql/enum.ts'

export const RecordType = enumOf('RecordType', recordTypes, 'Type of weather event.')
export const Family = enumOf('Family', families, 'Types that can corroborate one another.')
export const Severity = enumOf('Severity', severities, 'Severity; unknown if the record states no magnitude.')
export const EvidenceKind = enumOf(
  'EvidenceKind',
  evidenceKinds,
  'How it was observed: by people at the ground, by an instrument, or by radar.',
)
export const Precision = enumOf('Precision', precisions, 'How precisely a record gives its location.')
export const Qualifier = enumOf('Qualifier', qualifiers, 'How a magnitude was obtained.')
