/** The largest value of an integer column, the type of numeric ids: no id is larger. */
export const INT4_MAX = 2_147_483_647

/** Whether a text is a number that the database can assign as an id. */
export const isSerial = (text: string): boolean => /^[1-9]\d{0,9}$/.test(text) && Number(text) <= INT4_MAX
