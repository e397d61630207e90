/** Names of the precisions of an address that is not located to the point. */
export const locatedTo = { range: 'street', zip: 'ZIP code', city: 'city' } as const
