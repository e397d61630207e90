/** The largest number that an integer column holds, as ids are: beyond it is the id of nothing. */
export const INT4_MAX = 2_147_483_647

/** Whether a text is a number that the database gives out as an id. */
export const isSerial = (text: string): boolean => /^[1-9]\d{0,9}$/.test(text) && Number(text) <= INT4_MAX
