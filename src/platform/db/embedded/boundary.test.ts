import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const PROJECT = fileURLToPath(new URL('../../../../', import.meta.url))
const FOLDER = relative(PROJECT, import.meta.dirname)
const sources = globSync('{src,test,scripts,bench}/**/*.ts', { cwd: PROJECT })

const importsOf = (path: string): string[] =>
  [...readFileSync(`${PROJECT}${path}`, 'utf8').matchAll(/(?:from |import\(|resolve\(|import )'([^']+)'/g)].map(
    ([, specifier]) => specifier!,
  )

test('other code imports only the entry point', () => {
  const users = sources.filter((path) => !path.startsWith(FOLDER))
  const found = users.flatMap((path) => importsOf(path).filter((specifier) => /db\/embedded\b|\/embedded\//.test(specifier)))
  assert.ok(found.length > 5)
  assert.deepEqual(
    found.filter((specifier) => specifier !== '#platform/db/embedded/embedded.ts'),
    [],
  )
})

test('the folder imports nothing else of the project but the error class for operators', () => {
  const own = sources.filter((path) => path.startsWith(FOLDER) && !path.endsWith('.test.ts'))
  const found = own.flatMap(importsOf)
  assert.ok(found.length > 20)
  assert.deepEqual(
    // A class without imports, so that commands print the message in one line.
    found.filter((specifier) => !/^(node:|\.\/[\w-]+\.ts$|pg$|\.\.\/\.\.\/operator-error\.ts$)/.test(specifier)),
    [],
  )
})
