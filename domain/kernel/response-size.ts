/**
 * Refuses a response before its long values are read, if it could not be sent now because others are still being sent.
 * @param leastBytes how many bytes it has at least; called only if something is being sent
 * @throws Refusal `rate_limited`
 */
export type CheckResponseSize = (leastBytes: () => number | Promise<number>) => Promise<void>
