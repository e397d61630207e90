import { keysOf } from '#domain/kernel/keys-of.ts'
/** A layer's colour on a light and on a dark background: each has the contrast of at least 3 to 1 that a mark needs to be visible. */
export interface LayerColour {
  light: string
  dark: string
}

/**
 * The layers that tiles, the map page and documents distinguish, in the contract's order. Documents, which are light, also give each
 * point layer its own shape: the meaning never depends on colour alone, so a greyscale copy stays readable.
 */
export const weatherLayers = {
  hail: { kind: 'points', label: 'Hail', colour: { light: '#0b5cad', dark: '#6fb1f2' }, shape: 'circle' },
  wind: { kind: 'points', label: 'Wind', colour: { light: '#8a5a00', dark: '#dcbb85' }, shape: 'triangle' },
  tornado: { kind: 'points', label: 'Tornado or funnel cloud', colour: { light: '#a3182b', dark: '#f4838f' }, shape: 'diamond' },
  tornado_paths: { kind: 'lines', label: 'Tornado paths', colour: { light: '#a3182b', dark: '#f4838f' }, shape: 'line' },
  flood: { kind: 'points', label: 'Flood', colour: { light: '#0f6e5a', dark: '#5ec7ac' }, shape: 'square' },
  other: { kind: 'points', label: 'Other', colour: { light: '#4a5560', dark: '#aab6c1' }, shape: 'cross' },
  radar_hail: { kind: 'areas', label: 'Hail estimated by radar', colour: { light: '#5b3a8c', dark: '#ab8ddb' }, shape: 'ring' },
} as const satisfies Record<string, { kind: 'points' | 'lines' | 'areas'; label: string; colour: LayerColour; shape: string }>

export type WeatherLayer = keyof typeof weatherLayers
export const weatherLayerNames = keysOf(weatherLayers)

/** Layers of points, by phenomenon. */
export type PointLayer = { [Name in WeatherLayer]: (typeof weatherLayers)[Name]['kind'] extends 'points' ? Name : never }[WeatherLayer]
export const pointLayers = weatherLayerNames.filter((name): name is PointLayer => weatherLayers[name].kind === 'points')
