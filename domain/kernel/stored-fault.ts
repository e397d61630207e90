/** Stored bytes that are missing or have changed. */
export interface StoredFault {
  kind: 'document' | 'brand_logo' | 'radar_frame' | 'radar_day' | 'radar_overview' | 'tile_list' | 'drawn_tile' | 'basemap' | 'source_file'
  /** Null for what all teams share. */
  team_id: string | null
  /** Identifies it within its kind: the report of a document, the time of a frame. */
  subject: string
  /** What is wrong and, if only the operator can fix it, how. */
  detail: string
  /** Whether this check repaired it: it was created again, or removed so that it can be read again. */
  repaired: boolean
}

/** Result of one step of a check. */
export interface CheckedStep {
  checked: number
  faults: StoredFault[]
  /** Where the next step continues; null after the last. */
  next: string | null
}
