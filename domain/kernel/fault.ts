/** What whatever was thrown says of itself. */
export function messageOf(fault: unknown): string {
  return fault instanceof Error ? fault.message : String(fault)
}

/** The code by which Node.js, a driver or a library names what was thrown; undefined where it names none. */
export function codeOf(fault: unknown): string | undefined {
  if (typeof fault !== 'object' || fault === null || !('code' in fault)) return undefined
  return typeof fault.code === 'string' ? fault.code : undefined
}

/** What an error may have, of Node.js, a driver or a library. */
export interface FaultFacts {
  code?: unknown
  originalCode?: unknown
  kind?: unknown
  message?: unknown
  cause?: unknown
  /** Prisma's errors hold the adapter's here. */
  meta?: { driverAdapterError?: unknown }
  /** An attempt at several addresses fails with one error each. */
  errors?: unknown[]
}

/** Whether something thrown may have any of them. */
export function hasFacts(fault: unknown): fault is FaultFacts {
  return typeof fault === 'object' && fault !== null
}
