import type { Faults } from '#domain/check.ts'

/** Judges one field of a body: the value fit to be kept, or a fault noted. */
export type Judge = (sent: unknown, faults: Faults) => unknown

/** Judges the fields that were sent, each by its own rule; null clears those that may be empty and is a fault in any other. */
export function judgeFields<Fields>(
  input: { [Field in keyof Fields]?: unknown },
  judges: { [Field in keyof Fields]: Judge },
  clearable: ReadonlySet<string>,
  faults: Faults,
): Partial<Fields> {
  const judged = Object.entries<Judge>(judges).flatMap(([field, judge]) => {
    const sent: unknown = input[field as keyof Fields]
    if (sent === undefined) return []
    if (sent !== null) return [[field, judge(sent, faults)]]
    if (!clearable.has(field)) faults.add(field, `The ${field.replaceAll('_', ' ')} cannot be cleared.`)
    return [[field, null]]
  })
  return Object.fromEntries(judged)
}

/** The body of something new, in which null is the same as not sent. */
export function withoutNulls<Input extends object>(input: Input): Input {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null)) as Input
}

/** Notes the fault of a value that is not one of those allowed. */
export function oneOf<Value extends string>(allowed: readonly Value[], field: string): Judge {
  return (sent, faults) => {
    faults.unless(allowed.includes(sent as Value), field, `The ${field} must be one of ${allowed.join(', ')}.`)
    return sent
  }
}

/** Notes the fault of a text that is missing or blank, and answers whether it is there. */
export function requireText(sent: unknown, field: string, faults: Faults): boolean {
  return faults.unless(sent !== undefined && !(typeof sent === 'string' && sent.trim() === ''), field, `The ${field} is required.`)
}
