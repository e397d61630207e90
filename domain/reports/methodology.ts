/**
 * The version of the rules by which records become a report: which are cited, what a finding states, how confident it is, and in which words.
 * It changes whenever the same records would read differently. docs/methodology.md lists the changes, and a test stores the texts of each
 * version. A report keeps the version that it was made by.
 */
export const METHODOLOGY_VERSION = '12'
