/** The document store: whole files under keys made of letters, digits, '-', '/' and '.'. */
export interface Blobs {
  /** Writes the whole file or nothing. Returns its SHA-256, hex. */
  put(key: string, bytes: Buffer): Promise<string>
  /** Null if there is no such file. */
  get(key: string): Promise<Buffer | null>
  /** Bytes of a file from an offset, fewer at its end. Null if there is no such file. */
  read(key: string, offset: number, length: number): Promise<Buffer | null>
  /** Removing a missing file is not an error. */
  remove(key: string): Promise<void>
  /**
   * Removes every file of a folder, and half-written files of killed processes.
   * @param but key of the file that stays
   */
  clear(folder: string, but?: string): Promise<void>
  /** Returns the folders with a prefix that have files, none of them written since a time. */
  staleFolders(prefix: string, since: Date): Promise<string[]>
  /**
   * Returns a URL of the store that lets anybody download the file for a minute; null if the store has no such URLs, or cannot
   * confirm that its file is the one meant.
   */
  link(file: LinkedFile): Promise<string | null>
  /**
   * Writes, reads and removes a test file.
   * @throws the fault that prevents documents from being stored; for a bucket a StoreFault, which explains it in words
   */
  probe(): Promise<void>
  close(): void
}

/** A file, its expected content, and the name to save it under. */
export interface LinkedFile {
  key: string
  bytes: number
  /** Hex. */
  sha256: string
  filename: string
}
