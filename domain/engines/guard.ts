import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * Decides which addresses a post may go to. Global addresses only, but for the ranges that the operator
 * opened; link-local and metadata addresses never.
 */
export interface Guard {
  /** Null when the address may be posted to over this scheme, else why not, without naming the address. */
  objection(address: string, scheme: 'http' | 'https'): string | null
}

/** Metadata services on addresses that are otherwise unremarkable: AWS over IPv6, Azure, Alibaba, Oracle. */
const METADATA = ['169.254.169.254/32', 'fd00:ec2::254/128', '168.63.129.16/32', '100.100.100.200/32', '192.0.0.192/32']
const LINK_LOCAL = ['169.254.0.0/16', 'fe80::/10']
/** All of today's global IPv6 unicast (RFC 4291 section 2.4, IANA): everything else is special or unassigned. */
const GLOBAL_IPV6 = '2000::/3'

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Network = [Address, number]

/**
 * @param allowedNetworks CIDR list of WEBHOOK_ALLOWED_NETWORKS.
 * @throws Error naming the entry that is no network.
 */
export function openGuard(allowedNetworks: string[]): Guard {
  const opened = allowedNetworks.map(parseNetwork)
  const never = [...LINK_LOCAL, ...METADATA].map(parseNetwork)
  return {
    objection(text, scheme) {
      const address = parseAddress(text)
      if (!address) return 'it is not an address'
      if (within(address, never)) return 'it lies in a link-local or metadata range'
      if (within(address, opened)) return null
      if (!isGlobal(address)) return 'it lies in a range that is not public'
      return scheme === 'https' ? null : 'plain http goes only to networks that the operator opened'
    },
  }
}

/** The IP address a URL's host is, when it is one: WHATWG parsing has already folded decimal, octal and short forms. */
export function literalAddress(hostname: string): string | null {
  const bare = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  return isIP(bare) ? bare : null
}

/** Reads one CIDR, for the guard and for the settings' check. */
export function parseNetwork(cidr: string): Network {
  try {
    return ipaddr.parseCIDR(cidr)
  } catch {
    throw new Error(`${cidr} is no network such as 10.0.0.0/8`)
  }
}

/** An IPv4 address inside an IPv6 one is judged as the IPv4 address: that is where the packets go. */
function parseAddress(text: string): Address | null {
  if (!ipaddr.isValid(text)) return null
  const address = ipaddr.parse(text)
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address
}

function within(address: Address, networks: Network[]): boolean {
  return networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network as never, bits))
}

function isGlobal(address: Address): boolean {
  if (address.range() !== 'unicast') return false
  return address.kind() === 'ipv4' || within(address, [parseNetwork(GLOBAL_IPV6)])
}
