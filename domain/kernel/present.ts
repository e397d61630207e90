/**
 * Returns a value that must be present although its type allows otherwise: an element within bounds, the row of an
 * aggregate, a group of a pattern that matched.
 * @throws Error if it is absent
 */
export function present<Value>(value: Value): NonNullable<Value> {
  if (value === null || value === undefined) throw new Error('a value that must be present is absent')
  return value
}

type Tuple<Value, Length extends number, Taken extends Value[] = []> = Taken['length'] extends Length
  ? Taken
  : Tuple<Value, Length, [...Taken, Value]>

/**
 * Returns the first values of a list as a tuple. The caller must know that the list is long enough.
 * @throws Error if there are fewer values
 */
export function tupleOf<Value, const Length extends number>(values: readonly Value[], length: Length): Tuple<Value, Length> {
  if (values.length < length) throw new Error(`${values.length} values instead of ${length}`)
  return values.slice(0, length) as Tuple<Value, Length>
}
