interface Located {
  query: string
  street: string | null
  city: string | null
  state: string | null
  postal_code?: string | null
}

/** "100 Main St, Frisco, TX 75034", as in documents; the requested address if no street is known. */
export function addressLine({ query, street, city, state, postal_code }: Located): string {
  if (!street) return query
  return [street, city, [state, postal_code].filter(Boolean).join(' ')].filter(Boolean).join(', ')
}
