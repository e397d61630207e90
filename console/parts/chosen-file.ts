/**
 * Returns the bytes of a file that a person chose. It may have been moved, changed or unplugged since.
 * @throws Error with a sentence for that person
 */
export const bytesOf = async (file: File): Promise<Uint8Array> =>
  new Uint8Array(
    await file.arrayBuffer().catch(() => {
      throw new Error(`The file ${file.name} can no longer be read. Choose it again.`)
    }),
  )
