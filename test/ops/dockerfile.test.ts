import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const linesOf = (file: string) => readFileSync(file, 'utf8').split('\n')

it('every file that the image is built from exists and is not excluded by .dockerignore', () => {
  const copied = linesOf('Dockerfile').flatMap((line) => {
    const [, sources] = /^COPY (?!--from)(.+) \S+$/.exec(line) ?? []
    return sources?.split(' ').filter((source) => source !== '.') ?? []
  })
  expect(copied).toContain('package.json')
  const open = linesOf('.dockerignore').flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []))
  expect(copied.filter((source) => !existsSync(source) || !open.includes(source.split('/')[0] as string))).toEqual([])
  expect(open.filter((name) => !existsSync(name))).toEqual([])
})

it('the image includes the package files of every workspace', () => {
  const { workspaces } = JSON.parse(readFileSync('package.json', 'utf8')) as { workspaces: string[] }
  const dockerfile = readFileSync('Dockerfile', 'utf8')
  expect(workspaces.filter((folder) => !dockerfile.includes(`COPY ${folder}/package.json ${folder}/\n`))).toEqual([])
})
