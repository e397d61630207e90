import type { World } from '#test/support/world.ts'

/** Runs workers over a world, for programs that wait for a result. */
export interface Workers {
  /** Resolves when no work is left: before invariants are checked. */
  idle(): Promise<void>
  stop(): Promise<void>
}

/** Milliseconds between two checks for staged jobs. */
const LOOK_MS = 200

export function keepWorking(world: World): Workers {
  let work = Promise.resolve()
  const look = () => {
    work = work.then(() => world.drain())
    return work
  }
  const looking = setInterval(look, LOOK_MS)
  return {
    idle: look,
    stop: () => {
      clearInterval(looking)
      return look()
    },
  }
}
