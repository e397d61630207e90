/** The groups in which an exposure counts its records. */
export const exposureFamilies = ['hail', 'wind', 'tornado', 'other'] as const
export type ExposureFamily = (typeof exposureFamilies)[number]
