import { type Box, IDENTITY, type Matrix } from './geometry.ts'

/** One letter or ligature, where a reader sees it. */
export interface Letter {
  text: string
  box: Box
  /** Of the text's own size, in points. */
  size: number
}

/** What is drawn so far. */
export interface Canvas {
  letters: Letter[]
  pictures: Box[]
  drawings: Box[]
  faults: Set<string>
  page: Box
  /** The name of an operator. */
  nameOf: (code: number) => string
}

/** What the next operator works with. */
export interface State {
  matrix: Matrix
  clip: Box
  clips_next: boolean
  color: string
  opacity: number
  line_width: number
  font_size: number
  rendering: number
  text: Matrix
  line: Matrix
  leading: number
  letter_spacing: number
  word_spacing: number
  scale: number
  rise: number
}

export const BLANK: State = {
  matrix: IDENTITY,
  clip: { left: 0, bottom: 0, right: 0, top: 0 },
  clips_next: false,
  color: '#000000',
  opacity: 1,
  line_width: 1,
  font_size: 0,
  rendering: 0,
  text: IDENTITY,
  line: IDENTITY,
  leading: 0,
  letter_spacing: 0,
  word_spacing: 0,
  scale: 1,
  rise: 0,
}
