import ipaddr from 'ipaddr.js'

/** Bits of an IPv6 address that name its network: whoever has one address has all of its 2^64 (RFC 4291 section 2.5.4). */
const IPV6_NETWORK_BITS = 64

/** Returns what a client is counted by: its IPv4 address, or the /64 of its IPv6 address. Any other text stays as it is. */
export function clientNetwork(address: string): string {
  const [plain = ''] = address.split('%', 1)
  if (!ipaddr.isValid(plain)) return address
  const parsed = ipaddr.process(plain)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed}/${IPV6_NETWORK_BITS}`)}/${IPV6_NETWORK_BITS}`
}
