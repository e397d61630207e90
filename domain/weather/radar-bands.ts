/**
 * The bands in which radar's hail is drawn: from how many inches each counts, the sizes that people name (dime to baseball) and
 * that warnings are tagged by, with the steps between them in which roofs are judged, and its colour on a light ground. What is smaller than the second stays in the first.
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
