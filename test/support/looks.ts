const SCHEMES = ['light', 'dark'] as const
export type Scheme = (typeof SCHEMES)[number]

/** Width and height of a desk, a tablet and a phone, CSS pixels. */
export const SCREENS: readonly [width: number, height: number][] = [
  [1440, 900],
  [768, 1024],
  [390, 844],
]

/**
 * The sizes of screens in which a page is looked at, by day and in the dark. `npm run test:looks` takes every size in both; otherwise
 * each size is taken once, in turn: what is wrong with a size, or with a scheme, is seen all the same.
 */
export function looksOf<Size>(sizes: readonly Size[]): { size: Size; scheme: Scheme }[] {
  const all = process.env.LOOKS === 'all'
  return sizes.flatMap((size, nth) => SCHEMES.filter((_, scheme) => all || scheme === nth % 2).map((scheme) => ({ size, scheme })))
}

/** What a browser says for whoever has dark colours of their own in the place of each page's. */
export const OWN_DARK_COLORS = [
  { name: 'forced-colors', value: 'active' },
  { name: 'prefers-color-scheme', value: 'dark' },
]
