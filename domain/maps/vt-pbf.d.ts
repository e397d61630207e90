declare module 'vt-pbf' {
  interface Feature {
    id?: number
    /** 1 points, 2 lines, 3 polygons. */
    type: 1 | 2 | 3
    /** Points as pairs; lines and polygons as lists of pairs. */
    geometry: [number, number][] | [number, number][][]
    tags: Record<string, string | number | null>
  }
  /** Writes layers as a vector tile (Mapbox Vector Tile specification 2.1). */
  export function fromGeojsonVt(layers: Record<string, { features: Feature[] }>, options?: { version?: 1 | 2; extent?: number }): Uint8Array
}
