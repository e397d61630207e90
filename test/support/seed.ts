import fc from 'fast-check'

/** The day of the real radar frame: any number would do. */
const SEED = 20250528

// The seed of the tests for a commit stays the same from run to run; another seed generates other cases.
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? SEED) })
