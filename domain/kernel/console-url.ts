/** Address of the console, without a trailing slash. On one's own machine by its name: a passkey belongs to a name, and an address is none. */
export function consoleUrlOf(base_url: string): string {
  const url = new URL(`${base_url}/app`)
  if (['127.0.0.1', '[::1]', '0.0.0.0'].includes(url.hostname)) url.hostname = 'localhost'
  return url.href
}
