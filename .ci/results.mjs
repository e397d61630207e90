/**
 * Reads the JSON report of a test run. Prints two lines: how many tests passed and failed, and the files in which one failed. Appends a
 * line for each failed test to a second file.
 * Usage: node .ci/results.mjs REPORT FAILED
 */
import { appendFileSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'

const MESSAGE_LENGTH = 300
const [report, failed] = process.argv.slice(2)

const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(report, 'utf8'))
const failedFiles = testResults.filter(isFailed)
for (const file of failedFiles) for (const line of linesOf(file)) appendFileSync(failed, `  ${nameOf(file)} ${line}\n`)
console.log(`${numPassedTests} ${numFailedTests}\n${failedFiles.map(nameOf).join(' ')}`)

function isFailed({ status }) {
  return status === 'failed'
}

function nameOf({ name }) {
  return path.relative('.', name)
}

/** A line for each failed test, or one for a file that could not be loaded. */
function linesOf({ assertionResults, message }) {
  const lines = assertionResults
    .filter(isFailed)
    .map(({ fullName, failureMessages }) => `${fullName}: ${firstLine(failureMessages[0] ?? '')}`)
  return lines.length > 0 ? lines : [firstLine(message)]
}

function firstLine(message) {
  return stripVTControlCharacters(message.split('\n')[0]).slice(0, MESSAGE_LENGTH)
}
