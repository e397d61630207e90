/** Delays before the second to the tenth attempt, in seconds: from one minute to six hours, about three quarters of a day in all. */
export const MAIL_RETRY_DELAYS_SECONDS = [60, 300, 900, 1800, 3600, 7200, 10_800, 14_400, 21_600] as const

export const MAIL_ATTEMPTS_MAX = MAIL_RETRY_DELAYS_SECONDS.length + 1
