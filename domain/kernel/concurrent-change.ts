import { Refusal } from '#domain/kernel/refusal.ts'

/** Another change wrote the data that this change started from, so the fields that this change did not send are out of date. */
export class ConcurrentChange extends Refusal {
  /** @param what "the address of this property" */
  constructor(what: string) {
    super('engine_unavailable', `Others are changing ${what} at this moment. Try again in 1 s.`, { retry_after: 1 })
  }
}

/** Each further attempt needs yet another concurrent change. */
const ATTEMPTS_MAX = 5

/**
 * Runs a change, and runs it again when a concurrent change came first.
 * @param isChanged whether a fault means that a concurrent change came first
 * @throws the last such fault, after ATTEMPTS_MAX attempts
 */
export async function retryOnConcurrentChange<Result>(
  change: () => Promise<Result>,
  isChanged = (fault: unknown): boolean => fault instanceof ConcurrentChange,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await change()
    } catch (fault) {
      if (!isChanged(fault) || attempt === ATTEMPTS_MAX) throw fault
    }
  }
}
