/** The vocabulary of weather as the service writes it for pages (rest/pages/map-vocabulary.ts), at /map/vocabulary.js. */
export type Layer = 'hail' | 'wind' | 'tornado' | 'tornado_paths' | 'flood' | 'other' | 'radar_hail'

export declare const layers: Record<Layer, { kind: 'points' | 'lines' | 'areas'; label: string; colour: Record<'light' | 'dark', string> }>
/** Severity -> pixels of a mark from far and from near. */
export declare const severityMarks: Record<string, [number, number]>
export declare const radarBands: { from_in: number; colour: string }[]
/** Type of a record -> the layer that it is drawn in. */
export declare const layerOfType: Record<string, Layer>
