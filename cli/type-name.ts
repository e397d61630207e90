/** The names of types that differ from their keys by more than underscores. */
const names = new Map([
  ['cold_wind_chill', 'cold or wind chill'],
  ['frost_freeze', 'frost or freeze'],
  ['other', 'other weather'],
])

/** The name of a record type, as reports state it: "flash flood". */
export const typeName = (type: string) => names.get(type) ?? keyInWords(type)

/** Every name that documents state a type by: earlier ones have its key in words. */
export const documentNames = (type: string) => [typeName(type), keyInWords(type)]

const keyInWords = (type: string) => type.replaceAll('_', ' ')
