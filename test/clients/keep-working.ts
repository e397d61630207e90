import type { World } from '#test/support/world.ts'

/** Workers over a world, for programs that wait for what they asked for. */
export interface Workers {
  /** Until nothing is left to do: before invariants are looked at. */
  idle(): Promise<void>
  stop(): Promise<void>
}

/** Milliseconds between two looks at what is staged. */
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
