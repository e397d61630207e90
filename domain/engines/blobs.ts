/** The document store: whole files under keys of letters, digits, '-', '/' and '.'. */
export interface Blobs {
  /** Writes the whole file or nothing. Answers its SHA-256, hex. */
  put(key: string, bytes: Buffer): Promise<string>
  /** Null where there is no such file. */
  get(key: string): Promise<Buffer | null>
  /** Bytes of a file from an offset, fewer where it ends before. Null where there is no such file. */
  read(key: string, offset: number, length: number): Promise<Buffer | null>
  /** Removing what is not there is not an error. */
  remove(key: string): Promise<void>
  /**
   * Removes every file of a folder, and what a killed process left half-written there.
   * @param but the key of the one that stays
   */
  clear(folder: string, but?: string): Promise<void>
  /**
   * An address of the store's own that gives the file to whoever holds it, for a minute; null where the store gives none, or cannot say
   * that the file is the one meant.
   */
  link(file: LinkedFile): Promise<string | null>
  /**
   * Writes, reads and removes a file of its own.
   * @throws what keeps documents from being stored; of a bucket a StoreFault, which says it in words
   */
  probe(): Promise<void>
  close(): void
}

/** A file, what it must hold, and what it is saved as. */
export interface LinkedFile {
  key: string
  bytes: number
  /** Hex. */
  sha256: string
  filename: string
}
