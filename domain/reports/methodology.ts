/**
 * The version of the rules by which records become a report: which are cited, what a finding says of them, how sure it is, and in which words.
 * Another one whenever the same records would read otherwise; docs/methodology.md says what changed, and a test holds the texts of each
 * version. A report keeps the version that it was made by.
 */
export const METHODOLOGY_VERSION = '4'
