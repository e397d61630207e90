import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { present } from '#domain/kernel/present.ts'

/**
 * Decides which addresses a post may go to: global addresses, and ranges that the operator
 * allowed; never link-local and metadata addresses.
 */
export interface Guard {
  /** Returns null if a post to the address over this scheme is allowed, else the reason, without the address. */
  objection(address: string, scheme: 'http' | 'https'): string | null
}

/** Metadata services outside the link-local ranges: AWS and Google over IPv6, Azure, Alibaba, Oracle. */
const METADATA = ['fd00:ec2::/32', 'fd20:ce::254/128', '168.63.129.16/32', '100.100.100.200/32', '192.0.0.192/32']
/** The first range contains most clouds' metadata services. */
const LINK_LOCAL = ['169.254.0.0/16', 'fe80::/10']
const NEVER = [...LINK_LOCAL, ...METADATA].map(parseNetwork)
/**
 * IPv6 prefixes whose addresses carry the IPv4 address that a translator or tunnel forwards to, and the positions of its four bytes:
 * IPv4-compatible (RFC 4291), IPv4-translated (RFC 2765), NAT64 (RFC 6052), local NAT64 (RFC 8215) by each prefix length of
 * RFC 6052 that fits into it, 6to4 (RFC 3056). The NAT64 prefix of an operator's own network cannot be known here.
 */
const CARRIERS = [
  { prefix: parseNetwork('::/96'), bytes: [12, 13, 14, 15] },
  { prefix: parseNetwork('::ffff:0:0:0/96'), bytes: [12, 13, 14, 15] },
  { prefix: parseNetwork('64:ff9b::/96'), bytes: [12, 13, 14, 15] },
  { prefix: parseNetwork('64:ff9b:1::/48'), bytes: [6, 7, 9, 10] },
  { prefix: parseNetwork('64:ff9b:1::/48'), bytes: [7, 9, 10, 11] },
  { prefix: parseNetwork('64:ff9b:1::/48'), bytes: [9, 10, 11, 12] },
  { prefix: parseNetwork('64:ff9b:1::/48'), bytes: [12, 13, 14, 15] },
  { prefix: parseNetwork('2002::/16'), bytes: [2, 3, 4, 5] },
]
/** All of today's global IPv6 unicast (RFC 4291 section 2.4, IANA): everything else is special or unassigned. */
const GLOBAL_IPV6 = '2000::/3'

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Network = [Address, number]

/** @param allowedNetworks CIDR list of WEBHOOK_ALLOWED_NETWORKS, as the settings were read. */
export function openGuard(allowedNetworks: string[]): Guard {
  const opened = allowedNetworks.map(parseNetwork)
  return {
    objection(text, scheme) {
      const address = parseAddress(text)
      if (!address) return 'it is not an address'
      const never = metadataObjection(text)
      if (never) return never
      if (within(address, opened)) return null
      if (!isGlobal(address))
        return 'it is in a range that is not public, and that the operator has not opened with WEBHOOK_ALLOWED_NETWORKS'
      return scheme === 'https' ? null : 'plain http goes only to networks that the operator opened with WEBHOOK_ALLOWED_NETWORKS'
    },
  }
}

/** Returns why nothing may ever be sent to the address; null if it is neither link-local nor a metadata service. */
export function metadataObjection(text: string): string | null {
  const address = parseAddress(text)
  if (!address) return null
  return [address, ...carriedBy(address)].some((each) => within(each, NEVER)) ? 'it is in a link-local or metadata range' : null
}

/** Returns the IP address if a URL's host is one: WHATWG parsing has already normalized decimal, octal and short forms. */
export function literalAddress(hostname: string): string | null {
  const bare = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  return isIP(bare) ? bare : null
}

function parseNetwork(cidr: string): Network {
  return ipaddr.parseCIDR(cidr)
}

/** An IPv4-mapped IPv6 address counts as its IPv4 address: that is where the packets go. */
function parseAddress(text: string): Address | null {
  if (!ipaddr.isValid(text)) return null
  const address = ipaddr.parse(text)
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address
}

/** The IPv4 addresses that an IPv6 address may be forwarded to: several if the length of its prefix is unknown. */
function carriedBy(address: Address): Address[] {
  const all = address.toByteArray()
  return CARRIERS.filter(({ prefix }) => within(address, [prefix])).map(
    ({ bytes }) => new ipaddr.IPv4(bytes.map((index) => present(all[index]))),
  )
}

function within(address: Address, networks: Network[]): boolean {
  return networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network as never, bits))
}

function isGlobal(address: Address): boolean {
  if (address.range() !== 'unicast') return false
  return address.kind() === 'ipv4' || within(address, [parseNetwork(GLOBAL_IPV6)])
}
