import { tierIds } from '#domain/plans/plans.ts'
import { enumOf } from '#graphql/enum.ts'

export const Tier = enumOf('Tier', tierIds, 'A plan, lowest first.')
