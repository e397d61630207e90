import { Writable } from 'node:stream'

/** A drawing surface for frames. */
export interface Canvas {
  /** Receives each whole frame, as Ink writes it in debug mode. */
  stream: NodeJS.WriteStream
  /** Restores the terminal; further calls do nothing. */
  close(): void
}

const CSI = '\u001b['
/** Switches to the alternate screen, hides the cursor, and turns wrapping off, so that a full line stays one line. */
const ENTER = `${CSI}?1049h${CSI}?25l${CSI}?7l`
const LEAVE = `${CSI}0m${CSI}?7h${CSI}?25h${CSI}?1049l`
/** Output between these two appears at once, on terminals that support it. */
const BEGIN_SYNC = `${CSI}?2026h`
const END_SYNC = `${CSI}?2026l`

/**
 * Draws frames on a terminal, but only the lines that changed. Ink's own output clears the terminal and its scrollback for every
 * frame that fills it.
 */
export function openCanvas(terminal: NodeJS.WriteStream): Canvas {
  let painted: string[] | null = null
  let frame: string | null = null
  let closed = false

  const paint = () => {
    if (closed || frame === null) return
    const lines = frame.split('\n')
    frame = null
    const before = painted
    const changed = lines.flatMap((line, at) => (before?.[at] === line ? [] : [`${CSI}${at + 1};1H${CSI}2K${line}`]))
    if (changed.length > 0) terminal.write(`${BEGIN_SYNC}${before ? '' : `${CSI}2J`}${changed.join('')}${END_SYNC}`)
    painted = lines
  }
  const stream = new Writable({
    decodeStrings: false,
    write(text: string, _encoding, done) {
      // Draws only the last of several frames in one turn of the event loop.
      if (text !== '' && frame === null) setImmediate(paint)
      if (text !== '') frame = text
      done()
    },
  })
  Object.defineProperty(stream, 'columns', { get: () => sizeOf(terminal).columns })
  // A resize moves the content of the terminal.
  const onResize = () => {
    painted = null
  }
  terminal.on('resize', onResize)
  terminal.write(ENTER)
  return {
    stream: stream as unknown as NodeJS.WriteStream,
    close() {
      if (closed) return
      closed = true
      terminal.off('resize', onResize)
      terminal.write(LEAVE)
    },
  }
}

/** Default size for terminals that do not report one. */
export const sizeOf = (terminal: NodeJS.WriteStream) => ({ columns: terminal.columns || 80, rows: terminal.rows || 24 })
