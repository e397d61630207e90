/** Returns the folder of a report's document in the store: one file for a finished report, more while it is rendered. */
export const documentFolder = (report_id: string) => `reports/${report_id}`
