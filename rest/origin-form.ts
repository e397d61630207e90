/** A scheme and a host without user information, and the rest. */
const ABSOLUTE = /^https?:\/\/[^/?#@\\]+(?=[/?#]|$)(.*)$/is

/**
 * Returns the path and query of an absolute request target: `GET http://host/path HTTP/1.1` (RFC 9112, 3.2.2), as clients of a proxy send
 * it. No response depends on the host of the request line or the header. Any other target without a leading slash gets one, so that it
 * matches nothing: the router would otherwise route what follows its third slash.
 */
export function originForm(target: string): string {
  if (target.startsWith('/') || target === '*') return target
  const path = ABSOLUTE.exec(target)?.[1] ?? target
  return path.startsWith('/') ? path : `/${path}`
}
