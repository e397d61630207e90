const SCHEMES = ['light', 'dark'] as const
export type Scheme = (typeof SCHEMES)[number]

/** Width and height of a desktop, a tablet and a phone, in CSS pixels. */
export const SCREENS: readonly [width: number, height: number][] = [
  [1440, 900],
  [768, 1024],
  [390, 844],
]

/**
 * The screen sizes and colour schemes for looking at a page. `npm run test:looks` takes every size in both schemes.
 * Otherwise each size is taken once, with the schemes in turn, which still shows a fault of any one size or scheme.
 */
export function looksOf<Size>(sizes: readonly Size[]): { size: Size; scheme: Scheme }[] {
  const all = process.env.LOOKS === 'all'
  return sizes.flatMap((size, nth) => SCHEMES.filter((_, scheme) => all || scheme === nth % 2).map((scheme) => ({ size, scheme })))
}

/** The browser's setting for forced colours: the user's own dark colours replace those of each page. */
export const OWN_DARK_COLORS = [
  { name: 'forced-colors', value: 'active' },
  { name: 'prefers-color-scheme', value: 'dark' },
]
