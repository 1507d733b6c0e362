import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))
/** Documents name sources from the root, from `src/`, or by feature without its group. */
const FOLDERS = [
  '',
  'src/',
  'src/features/',
  'src/platform/',
  ...globSync('src/features/*', { cwd: root }).map((group) => `${group}/`),
]
/** `a/b.ts`, also `a/{b,c}.ts`. A single file name stands for a role of many features. */
const NAMED_PATH = /`((?:[\w.-]+\/)+(?:[\w.-]+|\{[\w.,-]+\})\.(?:ts|js|mjs|sql|css|json|yaml|yml|md|cfg|service))`/g

function expandBraces(path: string): string[] {
  const [, before, names, after] = /^(.*)\{(.*)\}(.*)$/.exec(path) ?? []
  return names === undefined ? [path] : names.split(',').map((name) => `${before}${name}${after}`)
}

const missingPaths = (text: string): string[] =>
  [...text.matchAll(NAMED_PATH)]
    .flatMap(([, path]) => expandBraces(path!))
    .filter((path) => !FOLDERS.some((folder) => existsSync(root + folder + path)))

test('every file that the documents name exists', () => {
  const documents = globSync(['*.md', 'docs/**/*.md', 'clients/*/README.md'], { cwd: root })
    .filter((path) => path !== 'CHANGELOG.md')
    .sort()
  assert.ok(documents.length > 60)
  const missing = documents.flatMap((path) => missingPaths(readFileSync(root + path, 'utf8')).map((name) => `${path}: ${name}`))
  assert.deepEqual(missing, [])
})

test('reports files that do not exist', () => {
  const text =
    '`platform/http/{server,nothing}.ts`, `src/app.ts`, `events/access.ts`, `test/docs.test.ts`, `jobs/turn.ts`, `words.en.ts`'
  assert.deepEqual(missingPaths(text), ['platform/http/nothing.ts', 'jobs/turn.ts'])
})
