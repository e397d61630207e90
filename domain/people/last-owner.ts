import { messageOf } from '#domain/kernel/fault.ts'
import { refuseField } from '#domain/kernel/validation.ts'

/** Turns the database's refusal to lose the last owner into a field error; the database also covers concurrent removals. */
export async function withLastOwnerCheck<Result>(field: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (fault) {
    if (messageOf(fault).includes('last_owner')) refuseField(field, 'A team keeps at least one owner: make somebody else one first.')
    throw fault
  }
}
