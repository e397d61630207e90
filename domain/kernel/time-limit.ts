/**
 * Returns the result of the work, or fails after `ms`. The work continues then; its result is ignored.
 * @throws Error with the message after the time
 */
export async function withTimeLimit<Result>(ms: number, work: Promise<Result>, message: string): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(message)), ms)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
