import { tierIds } from '#domain/closed-sets.ts'
import { enumOf } from '#graphql/enum.ts'

export const Tier = enumOf('Tier', tierIds, 'A plan, lowest first.')
