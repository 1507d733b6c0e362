import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findChanged, readTree, selectTests } from '../scripts/testing/changed.ts'
import { findTests } from '../scripts/testing/files.ts'

/** Two features on a platform, an application that imports both, and tests of all kinds. */
const FILES: Record<string, string> = {
  'src/app.ts': `import '#features/events/events/boats/pages.ts'\nimport '#features/events/events/crews/api.ts'`,
  'src/endpoints.ts': `import '#features/events/events/crews/api.ts'`,
  'src/platform/features/compose.ts': '',
  'src/platform/knots.ts': '',
  'src/platform/http/paging.ts': '',
  'src/platform/db/migrations/0007_anchors.sql': 'alter table anchor add column weight integer;',
  'src/platform/db/migrate.test.ts': '',
  'src/features/events/events/boats/feature.ts': `tables: ['boat', 'anchor'],`,
  'src/features/events/events/boats/rules.ts': `import { tie } from '#platform/knots.ts'`,
  'src/features/events/events/boats/pages.ts': `import './rules.ts'\nconst page = { path: '/boats/list/{id}/' }`,
  'src/features/events/events/boats/words.de.ts': '',
  'src/features/events/events/boats/rules.test.ts': `import { float } from './rules.ts'`,
  'src/features/events/events/boats/pages.test.ts': `import { openWorld } from '#test/support/world.ts'`,
  'src/features/events/events/crews/feature.ts': `tables: ['crew'],`,
  'src/features/events/events/crews/commands.ts': `import type { Boat } from '../boats/rules.ts'`,
  'src/features/events/events/crews/api.ts': `import './commands.ts'\nconst list = { path: '/api/crews/' }`,
  'src/features/events/events/crews/commands.test.ts': `import './commands.ts'\nimport { openWorld } from '#test/support/world.ts'`,
  'test/support/world.ts': `import { buildApp } from '#app'`,
  'test/architecture/architecture.test.ts': '',
  'test/contract/access.test.ts': `import { ENDPOINTS } from '#endpoints'`,
  'test/contract/addresses.test.ts': `import { pagesOf } from '#platform/features/compose.ts'`,
  'test/contract/paging.test.ts': `import { openWorld } from '#test/support/world.ts'`,
  'test/contract/words.test.ts': '',
  'test/journeys/every-page.test.ts': `import '#features/events/events/boats/rules.ts'`,
  'test/journeys/sailing.test.ts': `import { openWorld } from '#test/support/world.ts'\nopen('/boats/list/7/')`,
  'test/journeys/styleguide.test.ts': '',
  'test/deploy.test.ts': `read('operate.md')`,
}
const tree = new Map(Object.entries(FILES))
const chosenFor = (...changed: string[]) =>
  [...selectTests(tree, changed).keys()].filter((path) => path !== 'test/architecture/architecture.test.ts').sort()

const BOATS = ['src/features/events/events/boats/pages.test.ts', 'src/features/events/events/boats/rules.test.ts']
const CREWS = ['src/features/events/events/crews/commands.test.ts']
const SAILING = 'test/journeys/sailing.test.ts'

describe('tests that concern a change', () => {
  const CASES: [what: string, changed: string[], tests: string[]][] = [
    ['nothing', [], []],
    ['a test chooses itself and its feature', [BOATS[1]!], BOATS],
    [
      'a rule: its feature and tests that name its addresses, but not all that open the app',
      ['src/features/events/events/boats/rules.ts'],
      [...BOATS, SAILING],
    ],
    ['the platform: what imports it', ['src/platform/knots.ts'], [BOATS[1]!]],
    [
      'pages: contract tests of all pages, too',
      ['src/features/events/events/boats/pages.ts'],
      [...BOATS, 'test/contract/addresses.test.ts', SAILING],
    ],
    [
      'an API: contract tests of all endpoints, too',
      ['src/features/events/events/crews/api.ts'],
      [...CREWS, 'test/contract/access.test.ts'],
    ],
    [
      'words: contract tests of words, too',
      ['src/features/events/events/boats/words.de.ts'],
      [...BOATS, 'test/contract/words.test.ts', SAILING],
    ],
    [
      'a migration: the database, and features that own its tables',
      ['src/platform/db/migrations/0007_anchors.sql'],
      [...BOATS, 'src/platform/db/migrate.test.ts', SAILING],
    ],
    ['the contract test of the same name', ['src/platform/http/paging.ts'], ['test/contract/paging.test.ts']],
    [
      'styles: journeys that look at pages',
      ['assets/app.css'],
      ['test/journeys/every-page.test.ts', 'test/journeys/styleguide.test.ts'],
    ],
    ['a document: tests that name it', ['docs/operate.md'], ['test/deploy.test.ts']],
    ['a deleted file: its feature', ['src/features/events/events/crews/gone.ts'], CREWS],
    [
      'the application: every contract test',
      ['src/app.ts'],
      ['access', 'addresses', 'paging', 'words'].map((name) => `test/contract/${name}.test.ts`),
    ],
  ]
  for (const [what, changed, tests] of CASES) test(what, () => assert.deepEqual(chosenFor(...changed), [...tests].sort()))

  test('the architecture is checked with every change', () => {
    assert.deepEqual([...selectTests(tree, ['LICENSE']).keys()], ['test/architecture/architecture.test.ts'])
    assert.equal(selectTests(tree, []).size, 0)
  })

  test('each test has a reason', () => {
    const selection = selectTests(tree, ['src/platform/knots.ts'])
    assert.equal(selection.get(BOATS[1]!), 'imports src/platform/knots.ts')
  })
})

describe('tests of this repository', () => {
  test('are found by a folder, a file and a pattern', () => {
    const FILE = 'test/architecture/architecture.test.ts'
    for (const given of ['test/architecture', 'test/architecture/', FILE, 'test/archi*/*.test.ts'])
      assert.deepEqual(findTests([given]), [FILE], given)
    assert.deepEqual(findTests(['test/architecture/none']), [])
  })
  const actual = readTree()
  const tests = [...actual.keys()].filter((path) => path.endsWith('.test.ts'))

  test('rules of a feature concern few of them', () => {
    const rules = [...actual.keys()].filter((path) => /^src\/features\/.*\/rules\.ts$/.test(path)).sort()
    for (const path of [rules[0]!, rules.at(-1)!]) {
      const { size } = selectTests(actual, [path])
      assert.ok(size < tests.length / 4, `${path}: ${size}`)
    }
  })

  test('each is chosen when it changes', () => {
    const selection = selectTests(actual, tests)
    assert.deepEqual(
      tests.filter((path) => !selection.has(path)),
      [],
    )
  })

  test('changes are files of the repository', () => {
    for (const path of findChanged('HEAD')) assert.doesNotMatch(path, /^\/|\.\.|node_modules/)
  })
})
