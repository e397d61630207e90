const dark = matchMedia('(prefers-color-scheme: dark)')
/** Print uses light colours, whatever the screen uses. */
let printing = false

export const isDark = () => dark.matches && !printing

/** Calls the function whenever the colours of the page change: between light and dark, and for print. */
export function followShades(repaint) {
  dark.addEventListener('change', repaint)
  const turn = (onPaper) => () => {
    printing = onPaper
    repaint()
  }
  addEventListener('beforeprint', turn(true))
  addEventListener('afterprint', turn(false))
}

const LIGHT = {
  ground: '#e6ebee',
  land: '#f6f4ef',
  county: '#dfdacd',
  state: '#a39d8d',
  ring: '#22303a',
  rim: '#ffffff',
  hushed: '#e1e1df',
  name: '#4a5a6a',
  stateName: '#7d7768',
  halo: '#f6f4ef',
}
const DARK = {
  ground: '#10171c',
  land: '#182027',
  county: '#2c3841',
  state: '#55636e',
  ring: '#e8e6e0',
  rim: '#10181d',
  hushed: '#26323b',
  name: '#b4bfc8',
  stateName: '#8593a0',
  halo: '#182027',
}
export const shades = () => (isDark() ? DARK : LIGHT)
