/** The weather vocabulary, which the service writes for pages (rest/pages/map-vocabulary.ts) at /map/vocabulary.js. */
export type Layer = 'hail' | 'wind' | 'tornado' | 'tornado_paths' | 'flood' | 'other' | 'radar_hail'

export declare const layers: Record<Layer, { kind: 'points' | 'lines' | 'areas'; label: string; colour: Record<'light' | 'dark', string> }>
/** Severity -> size of a mark in pixels, zoomed out and zoomed in. */
export declare const severityMarks: Record<string, [number, number]>
export declare const radarBands: { from_in: number; colour: string }[]
/** Record type -> the layer in which it is drawn. */
export declare const layerOfType: Record<string, Layer>
