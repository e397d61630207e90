/** What says it in a User-Agent; the first that fits, for others name those before them too. */
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

/** "Firefox on Windows", from words of ours alone, whatever a client sends. Null where nothing of it is known. */
export function browserName(user_agent: string | undefined): string | null {
  const found = (table: [RegExp, string][]) => table.find(([pattern]) => pattern.test(user_agent ?? ''))?.[1]
  return [found(browsers), found(systems)].filter(Boolean).join(' on ') || null
}
