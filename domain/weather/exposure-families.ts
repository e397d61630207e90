/** What an exposure counts its records by. */
export const exposureFamilies = ['hail', 'wind', 'tornado', 'other'] as const
export type ExposureFamily = (typeof exposureFamilies)[number]
