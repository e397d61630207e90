/** Returns the console's URL, without a trailing slash. A loopback IP becomes `localhost`: a passkey needs a name, not an IP. */
export function consoleUrlOf(base_url: string): string {
  const url = new URL(`${base_url}/app`)
  if (['127.0.0.1', '[::1]', '0.0.0.0'].includes(url.hostname)) url.hostname = 'localhost'
  return url.href
}
