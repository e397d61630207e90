type Environment = Record<string, string | undefined>

/** Capabilities of a terminal. */
export interface TerminalStyle {
  unicode: boolean
  colour: boolean
  marks: Marks
}

/** Derived from the locale (POSIX: LC_ALL before LC_CTYPE before LANG) and NO_COLOR (no-color.org). */
export function lookOf(env: Environment): TerminalStyle {
  const unicode = /utf-?8/i.test(env.LC_ALL || env.LC_CTYPE || env.LANG || '')
  return { unicode, colour: !env.NO_COLOR, marks: unicode ? UNICODE_MARKS : ASCII_MARKS }
}

export type Marks = Record<keyof typeof ASCII_MARKS, string>

/** `bars` and `frame` are sequences of marks: bars from lowest to highest; frame corners clockwise, then the horizontal and vertical line. */
const UNICODE_MARKS = {
  ...{ cursor: '❯', chosen: '●', between: '│', more: '…', dot: '·', town: '•', warn: '▲', place: '✛', seen: '×', done: '━', left: '─' },
  ...{ bars: '▁▂▃▄▅▆▇█', frame: '╭╮╯╰─│' },
}
const ASCII_MARKS = {
  ...{ cursor: '>', chosen: '*', between: '|', more: '~', dot: '-', town: 'o', warn: '!', place: 'O', seen: 'x', done: '=', left: '-' },
  ...{ bars: '.:-=+*#@', frame: '++++-|' },
}
