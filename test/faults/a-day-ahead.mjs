// Loaded before a program: its clock is 25 hours ahead of the machine's.
const AHEAD_MS = 25 * 3_600_000
const RightDate = Date
globalThis.Date = class extends RightDate {
  constructor(...parts) {
    if (parts.length === 0) super(RightDate.now() + AHEAD_MS)
    else super(...parts)
  }
  static now() {
    return RightDate.now() + AHEAD_MS
  }
}
