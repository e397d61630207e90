/** "2019-03-24 to 2019-03-28"; one day of itself. The dates are as the service sends them. */
export const daysText = (first: string, last: string) => (first === last ? first : `${first} to ${last}`)
