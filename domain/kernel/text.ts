/** Hail -> Hail, severe thunderstorm -> Severe thunderstorm. */
export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** 1 record, 2 records. @param many the plural, if it is not formed with an s */
export const pluralize = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`

/** "a", "a and b", "a, b and c". */
export const joinList = (items: readonly string[]): string =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`

/** "2025-05-28 to 2025-05-29", or the one day if both are the same. */
export const spanText = (from: string, to: string): string => (from === to ? from : `${from} to ${to}`)
