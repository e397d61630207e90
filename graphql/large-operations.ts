import { getOperationAST } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import type { Caller } from '#domain/access/caller.ts'
import { fairConcurrencyLimit } from '#domain/kernel/concurrency-limit.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import type { OperationContext } from '#graphql/charge-root-fields.ts'
import type { Context } from '#graphql/context.ts'
import { largestSize } from '#graphql/cost.ts'

/** Kilobytes that an operation may read without waiting: a page of 100 exposures with their warnings is less, ten shapes are more. */
const LARGE_KILOBYTES = 5000
/** Large operations at once: each may hold a page of a hundred shapes, 50 MB of text, and the memory of a process is 1 GB. */
const AT_ONCE = 2
/** Operations of one team that may wait, half of what one token may send in a minute. */
const WAITING_MAX = 60

const limited = fairConcurrencyLimit({ max: AT_ONCE, waiting_max: WAITING_MAX })

/** What an operation checks when its turn comes. */
export interface TurnChecks {
  /**
   * Whether the client of a read has closed the connection: it is not read when its turn comes, because a client that gives up and tries
   * again would else wait for all of its earlier tries.
   */
  hasLeft(): boolean
  /** Receives the caller, who was admitted again after the wait. May refuse one who has lost an ability. */
  admitted(caller: Caller): void
}

/**
 * Runs an operation. One that may read many long values waits for its turn: a process runs two at once, of different teams.
 * @param kilobytes the most that it reads, by `largestSize`
 * @throws Refusal `rate_limited` if too many such operations of the team are waiting; if it waited, also as for a new request that is not
 *   admitted
 */
export function runInTurn<Result>(
  { caller }: Pick<Context, 'caller'>,
  kilobytes: number,
  run: () => Promise<Result>,
  { hasLeft, admitted }: TurnChecks,
): Promise<Result> {
  if (kilobytes <= LARGE_KILOBYTES || !('team' in caller)) return run()
  return limited(caller.team.id, async (waited) => {
    // Nobody sees this refusal.
    if (hasLeft()) throw new Refusal('malformed_request', 'The client has closed the connection.')
    if (waited) admitted(await caller.admitAgain())
    return run()
  })
}

/** Runs documents in turn, as `runInTurn` does. */
export const limitLargeOperations: Plugin<OperationContext> = {
  onExecute({ args: { schema, document, operationName, contextValue }, executeFn, setExecuteFn }) {
    const context = contextValue as OperationContext
    const kilobytes = largestSize(schema, document, operationName)
    // A mutation is carried out even if its client does not wait for the result.
    const isRead = getOperationAST(document, operationName)?.operation === 'query'
    setExecuteFn((args) =>
      runInTurn(context, kilobytes, async () => executeFn(args), {
        hasLeft: () => isRead && context.reply.raw.destroyed,
        // Each field checks the abilities of this caller.
        admitted(caller) {
          context.caller = caller
        },
      }),
    )
  },
}
