/**
 * A value that the code around it has made sure of, where its type cannot say so: an element within bounds, the row of an
 * aggregate, a group of a pattern that matched.
 * @throws Error where it is absent all the same
 */
export function present<Value>(value: Value): NonNullable<Value> {
  if (value === null || value === undefined) throw new Error('a value that must be present is absent')
  return value
}

type Tuple<Value, Length extends number, Taken extends Value[] = []> = Taken['length'] extends Length
  ? Taken
  : Tuple<Value, Length, [...Taken, Value]>

/**
 * The first values of a list as a tuple, whose length the code around it has made sure of.
 * @throws Error where there are fewer
 */
export function tupleOf<Value, const Length extends number>(values: readonly Value[], length: Length): Tuple<Value, Length> {
  if (values.length < length) throw new Error(`${values.length} values where there must be ${length}`)
  return values.slice(0, length) as Tuple<Value, Length>
}
