/** Returns the message of anything thrown. */
export function messageOf(fault: unknown): string {
  return fault instanceof Error ? fault.message : String(fault)
}

/** Returns the error code that Node.js, a driver or a library set; undefined if there is none. */
export function codeOf(fault: unknown): string | undefined {
  if (typeof fault !== 'object' || fault === null || !('code' in fault)) return undefined
  return typeof fault.code === 'string' ? fault.code : undefined
}

/** Properties that errors of Node.js, a driver or a library may have. */
export interface FaultFacts {
  code?: unknown
  originalCode?: unknown
  kind?: unknown
  message?: unknown
  cause?: unknown
  /** Prisma's errors carry the adapter's error here. */
  meta?: { driverAdapterError?: unknown }
  /** An attempt at several addresses fails with one error each. */
  errors?: unknown[]
}

/** Whether a thrown value can have any of these properties. */
export function hasFacts(fault: unknown): fault is FaultFacts {
  return typeof fault === 'object' && fault !== null
}
