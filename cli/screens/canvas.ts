import { Writable } from 'node:stream'

/** Where frames are drawn. */
export interface Canvas {
  /** Takes each frame whole, as Ink writes it in its debug mode. */
  stream: NodeJS.WriteStream
  /** Gives the terminal back as it was: once, however often it is asked. */
  close(): void
}

const CSI = '\u001b['
/** The other screen; no cursor; nothing wraps, so that a full line stays a line. */
const ENTER = `${CSI}?1049h${CSI}?25l${CSI}?7l`
const LEAVE = `${CSI}0m${CSI}?7h${CSI}?25h${CSI}?1049l`
/** What is written between them shows at once, on terminals that know it. */
const HOLD = `${CSI}?2026h`
const SHOW = `${CSI}?2026l`

/**
 * Draws frames on a terminal, of each only the lines that differ from the frame before. Ink's own output clears the terminal,
 * its scroll-back too, for every frame that fills it.
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
    if (changed.length > 0) terminal.write(`${HOLD}${before ? '' : `${CSI}2J`}${changed.join('')}${SHOW}`)
    painted = lines
  }
  const stream = new Writable({
    decodeStrings: false,
    write(text: string, _encoding, done) {
      // Several frames of one turn are one to the eye.
      if (text !== '' && frame === null) setImmediate(paint)
      if (text !== '') frame = text
      done()
    },
  })
  Object.defineProperty(stream, 'columns', { get: () => sizeOf(terminal).columns })
  // The terminal has moved what stood on it.
  const resized = () => {
    painted = null
  }
  terminal.on('resize', resized)
  terminal.write(ENTER)
  return {
    stream: stream as unknown as NodeJS.WriteStream,
    close() {
      if (closed) return
      closed = true
      terminal.off('resize', resized)
      terminal.write(LEAVE)
    },
  }
}

/** A terminal that does not say has the classic size. */
export const sizeOf = (terminal: NodeJS.WriteStream) => ({ columns: terminal.columns || 80, rows: terminal.rows || 24 })
