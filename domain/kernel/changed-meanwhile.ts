import { Refusal } from '#domain/kernel/refusal.ts'

/** While a change was worked out another one wrote what it started from: of what the one sent in part, the rest is another by now. */
export class ChangedMeanwhile extends Refusal {
  /** @param what "the address of this property" */
  constructor(what: string) {
    super('engine_unavailable', `Others are changing ${what} at this moment. Try again in 1 s.`, { retry_after: 1 })
  }
}
/** Each further one needs another change that came in between. */
const ATTEMPTS_MAX = 5

/**
 * Works a change out anew wherever another one came in between.
 * @param isChanged whether a fault says that one did
 * @throws the last such fault, where others come in between again and again
 */
export async function untilUnchanged<Result>(
  change: () => Promise<Result>,
  isChanged = (fault: unknown): boolean => fault instanceof ChangedMeanwhile,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await change()
    } catch (fault) {
      if (!isChanged(fault) || attempt === ATTEMPTS_MAX) throw fault
    }
  }
}
