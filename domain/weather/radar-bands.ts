/**
 * The bands in which radar hail is drawn: the minimum size of each in inches, and its colour on a light background. The sizes are
 * those that people name (dime to baseball) and that warnings are tagged with, and the steps between them that matter for roofs.
 * Anything smaller than the second band is in the first.
 */
export const radarBands = [
  { from_in: 0, colour: '#d9cdf0' },
  { from_in: 0.5, colour: '#c3aee6' },
  { from_in: 0.75, colour: '#ab8ddb' },
  { from_in: 1, colour: '#8f66cc' },
  { from_in: 1.25, colour: '#8155c1' },
  { from_in: 1.5, colour: '#7343b5' },
  { from_in: 1.75, colour: '#6637a5' },
  { from_in: 2, colour: '#582b94' },
  { from_in: 2.5, colour: '#4b2182' },
  { from_in: 2.75, colour: '#3d1770' },
] as const
