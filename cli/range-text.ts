/** "2019-03-24 to 2019-03-28", "2019-03 to 2019-05"; one day or month of itself. The dates are as the service sends them. */
export const rangeText = (first: string, last: string) => (first === last ? first : `${first} to ${last}`)
