import { precisions, qualifiers } from '#domain/closed-sets.ts'
import { families } from '#domain/weather/families.ts'
import { severities } from '#domain/weather/severities.ts'
import { evidenceKinds } from '#domain/weather/sources.ts'
import { recordTypes } from '#domain/weather/types.ts'
import { enumOf } from '#graphql/enum.ts'

export const RecordType = enumOf('RecordType', recordTypes, 'What happened.')
export const Family = enumOf('Family', families, 'Types that can corroborate one another.')
export const Severity = enumOf('Severity', severities, 'How severe it was; unknown where the record states no magnitude.')
export const EvidenceKind = enumOf(
  'EvidenceKind',
  evidenceKinds,
  'How it was seen: by people at the ground, by an instrument, or by radar.',
)
export const Precision = enumOf('Precision', precisions, 'What a record says about where.')
export const Qualifier = enumOf('Qualifier', qualifiers, 'How a magnitude was obtained.')
