import { type Box, IDENTITY, type Matrix } from './geometry.ts'

/** One letter or ligature, at its visible position. */
export interface Letter {
  text: string
  box: Box
  /** Font size in points. */
  size: number
}

/** The content drawn so far. */
export interface Canvas {
  letters: Letter[]
  pictures: Box[]
  drawings: Box[]
  faults: Set<string>
  page: Box
  /** Returns the name of an operator. */
  nameOf: (code: number) => string
}

/** The graphics state for the next operator. */
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
