/** What whatever was thrown says of itself. */
export function messageOf(fault: unknown): string {
  return fault instanceof Error ? fault.message : String(fault)
}

/** The code by which Node.js, a driver or a library names what was thrown; undefined where it names none. */
export function codeOf(fault: unknown): string | undefined {
  if (typeof fault !== 'object' || fault === null || !('code' in fault)) return undefined
  return typeof fault.code === 'string' ? fault.code : undefined
}
