import { PDFDocument } from '@cantoo/pdf-lib'
import type { Printer } from '#domain/engines/printer.ts'

/** Prints one blank sheet: for tests that do not depend on a document's appearance and should not wait for a browser. */
export const blankPrinter: Printer = {
  async print() {
    const document = await PDFDocument.create()
    document.addPage()
    return Buffer.from(await document.save())
  },
  start: async () => null,
  onStart: () => {},
  close: async () => {},
}
