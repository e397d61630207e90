import { GraphQLError, getOperationAST } from 'graphql'
import type { Plugin } from 'graphql-yoga'

/**
 * Largest result, in characters: REST's largest page, of 100 territories with the largest shapes and notes, which takes a process as much
 * memory here as there: 300 MB until it is sent. It is less than one reader may have in progress.
 */
export const RESULT_MAX = 56 * 1024 * 1024
const RESULT_MAX_MB = RESULT_MAX / 1024 / 1024

/**
 * Refuses a result that is too large before it becomes JSON. The limit on cost counts values, and one stored value can be in a result many
 * times: until then it is in memory once.
 */
export const boundResult: Plugin = {
  onExecute: ({ args: { document, operationName } }) => ({
    onExecuteDone({ result, setResult }) {
      // A mutation has taken effect: its result is not replaced by an error.
      if (getOperationAST(document, operationName)?.operation === 'mutation') return
      if (!('data' in result) || fits(result.data)) return
      setResult({ errors: [new GraphQLError(`Result limit of ${RESULT_MAX_MB} MB exceeded: select fewer rows or fields.`)] })
    },
  }),
}

/** Characters of a number, or of a null, with what is around it. */
const PLAIN_LENGTH = 8
/** Quotes and a comma; with a key, also a colon. */
const TEXT_AROUND = 3

/** Whether the JSON of a value is within the limit, without the escapes. Stops counting at the limit. */
function fits(value: unknown): boolean {
  let left = RESULT_MAX
  const pending = [value]
  while (pending.length > 0 && left >= 0) {
    const next = pending.pop()
    if (typeof next === 'string') left -= next.length + TEXT_AROUND
    else if (typeof next !== 'object' || next === null) left -= PLAIN_LENGTH
    else if (Array.isArray(next)) for (const part of next) pending.push(part)
    else {
      for (const [key, part] of Object.entries(next)) {
        left -= key.length + TEXT_AROUND
        pending.push(part)
      }
    }
  }
  return left >= 0
}
