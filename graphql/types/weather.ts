import { families, recordTypes, severities } from '#domain/archive/families.ts'
import { evidenceKinds, precisions, qualifiers } from '#domain/archive/record.ts'
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
export const Qualifier = enumOf('Qualifier', qualifiers, 'How a magnitude was come by.')
