export const layoutSections = ['summary', 'findings', 'map', 'timeline', 'events', 'observations', 'warnings', 'imagery', 'methodology'] as const
export type LayoutSection = (typeof layoutSections)[number]

export const layoutImagery = ['aerial', 'street_view', 'radar'] as const
export type LayoutImagery = (typeof layoutImagery)[number]

export const layoutElements = ['key_figures', 'timeline_chart', 'distance_rings', 'narratives', 'evidence_badges', 'prior_events', 'branding'] as const
export type LayoutElement = (typeof layoutElements)[number]

export const mapBases = ['plain', 'streets', 'aerial'] as const
export type MapBase = (typeof mapBases)[number]

export const mapLayers = ['hail', 'wind', 'tornado', 'tornado_paths', 'flood', 'other', 'radar_hail', 'warnings', 'rings'] as const
export type MapLayer = (typeof mapLayers)[number]
