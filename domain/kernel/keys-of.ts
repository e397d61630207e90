/** Returns the keys of a table, in order. Use it only for tables without further keys: a type does not rule them out. */
export function keysOf<Table extends object>(table: Table): Extract<keyof Table, string>[] {
  return Object.keys(table) as Extract<keyof Table, string>[]
}

/** Builds a table with a value for each name. */
export function tableOf<Name extends string, Value>(
  names: readonly Name[],
  valueFor: (name: Name, place: number) => Value,
): Record<Name, Value> {
  const rows = names.map((name, place) => [name, valueFor(name, place)])
  return Object.fromEntries(rows)
}

/** Looks up untrusted text in a table; undefined for names that every object inherits. */
export function valueAt<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}

/** Returns the object with only these keys. */
export function pick<Of, Name extends keyof Of>(from: Of, names: readonly Name[]): Pick<Of, Name> {
  const rows = names.map((name) => [name, from[name]])
  return Object.fromEntries(rows)
}
