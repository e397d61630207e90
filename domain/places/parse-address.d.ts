declare module 'parse-address' {
  /** Parts in postal abbreviations: "Street" is "St", "North" is "N". */
  interface ParsedAddress {
    number?: string
    prefix?: string
    street?: string
    type?: string
    suffix?: string
    sec_unit_type?: string
    sec_unit_num?: string
    city?: string
    state?: string
    zip?: string
  }
  const parse: { parseAddress(address: string): ParsedAddress | null }
  export default parse
  export type { ParsedAddress }
}
