/** What a receiver of posts must know. The service writes it for the console (rest/console/receiving.ts) at /app/receiving.js. */

/** Event -> a sample of its post, including `test`. */
export declare const samples: Record<string, object>
/** The headers of every signed post. */
export declare const headers: { name: string; description: string }[]
export declare const signature: { header: string; algorithm: string; tolerance_seconds: number }
export declare const limits: {
  answer_seconds: number
  attempts: number
  attempts_over_hours: number
  /** Number of deliveries in a row that failed for good. */
  failing_after: number
  switched_off_after_days: number
}
