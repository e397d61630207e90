/** A file that was read completely and not kept. */
export interface TakenFile {
  bytes: number
  lines: number
}

/** Reads a file to its end. */
export async function takeFile(pieces: AsyncIterable<Buffer>): Promise<TakenFile> {
  const file = { bytes: 0, lines: 0 }
  for await (const piece of pieces) {
    file.bytes += piece.length
    for (let at = piece.indexOf(10); at !== -1; at = piece.indexOf(10, at + 1)) file.lines += 1
  }
  return file
}
