/** A scheme and a host, without the name of a user, and what follows. */
const ABSOLUTE = /^https?:\/\/[^/?#@\\]+(?=[/?#]|$)(.*)$/is

/**
 * The path and query of a request's target, where its line names the host too: `GET http://host/path HTTP/1.1` (RFC 9112, 3.2.2), as clients of
 * a proxy send it. No answer depends on the host, neither on that of the line nor on that of the header. What else is no path becomes one at
 * which there is nothing: the router would take it for what follows its third slash.
 */
export function originForm(target: string): string {
  if (target.startsWith('/') || target === '*') return target
  const path = ABSOLUTE.exec(target)?.[1] ?? target
  return path.startsWith('/') ? path : `/${path}`
}
