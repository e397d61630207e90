/** Stored bytes that are missing or have changed. */
export interface StoredFault {
  kind: 'document' | 'brand_logo' | 'radar_frame' | 'radar_day' | 'radar_overview' | 'tile_list' | 'drawn_tile' | 'basemap' | 'source_file'
  /** Null for what all teams share. */
  team_id: string | null
  /** Which of its kind: the report of a document, the moment of a frame. */
  subject: string
  /** What is wrong with it and, where only the operator can mend it, how. */
  detail: string
  /** Whether this check has seen to it: it is made anew, or taken out so that it can be read again. */
  repaired: boolean
}

/** What one step of a check has looked at. */
export interface CheckedStep {
  checked: number
  faults: StoredFault[]
  /** Where the next step goes on; null after the last. */
  next: string | null
}
