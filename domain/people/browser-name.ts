/** Patterns in a User-Agent, tested in order: later browsers' names also appear in the User-Agents of earlier ones. */
const browsers: [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/Chrom(?:e|ium)\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const systems: [RegExp, string][] = [
  [/\biPhone\b|\biPad\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

/** Returns "Firefox on Windows" or similar, built only from words in this file, whatever a client sends. Null if nothing is known. */
export function browserName(user_agent: string | undefined): string | null {
  const found = (table: [RegExp, string][]) => table.find(([pattern]) => pattern.test(user_agent ?? ''))?.[1]
  return [found(browsers), found(systems)].filter(Boolean).join(' on ') || null
}
