/** Where the store keeps a report's document: one file of a finished report, more while it is rendered. */
export const documentFolder = (report_id: string) => `reports/${report_id}`
