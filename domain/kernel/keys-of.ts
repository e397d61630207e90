/** The names of a table that has no others, in its order: a type may always stand for an object with more. */
export function keysOf<Table extends object>(table: Table): Extract<keyof Table, string>[] {
  return Object.keys(table) as Extract<keyof Table, string>[]
}

/** A table with a value for each name. */
export function tableOf<Name extends string, Value>(
  names: readonly Name[],
  valueFor: (name: Name, place: number) => Value,
): Record<Name, Value> {
  const rows = names.map((name, place) => [name, valueFor(name, place)])
  return Object.fromEntries(rows)
}

/** What a table has under a text that somebody else wrote: nothing under the names that every object has. */
export function valueAt<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}

/** The same object with these of its keys alone. */
export function pick<Of, Name extends keyof Of>(from: Of, names: readonly Name[]): Pick<Of, Name> {
  const rows = names.map((name) => [name, from[name]])
  return Object.fromEntries(rows)
}
