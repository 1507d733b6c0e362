import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { LEFT_OUT, RELEASE_CHECKS } from '../scripts/releasing/checks.ts'
import { checkVersion, closeUnreleased, renamePackages, setVersion } from '../scripts/releasing/version.ts'

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
const manifest = JSON.parse(read('package.json'))

describe('the version', () => {
  test('is one in all files that name it', () => {
    const lock = JSON.parse(read('package-lock.json'))
    const versions = {
      lock: lock.version,
      root: lock.packages[''].version,
      client: JSON.parse(read('clients/typescript/package.json')).version,
      python: /^version = "(.*)"$/m.exec(read('clients/python/pyproject.toml'))?.[1],
      openapi: JSON.parse(read('docs/api/openapi.json')).info.version,
    }
    for (const [where, version] of Object.entries(versions)) assert.equal(version, manifest.version, where)
    const named = [...read('docs/operate.md').matchAll(/\bturnout[-_](\d+\.\d+\.\d+)[._]/g)].map(([, version]) => version)
    assert.ok(named.length > 2)
    assert.deepEqual(new Set(named), new Set([manifest.version]))
  })

  test('has a section in the changelog, below an open one for what comes next', () => {
    const [first, second] = [...read('CHANGELOG.md').matchAll(/^## \[(.*?)\]/gm)].map(([, name]) => name)
    assert.deepEqual([first, second], ['Unreleased', manifest.version])
  })

  test('of the manifests are written as npm writes them', () => {
    for (const file of ['package.json', 'package-lock.json', 'clients/typescript/package.json'])
      assert.equal(setVersion(read(file), manifest.version), read(file), file)
  })
})

describe('preparing a release', () => {
  const CHANGELOG = '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- Boats.\n\n## [0.1.0] - 2026-01-01\n\n- Oars.\n'

  test('gives what has changed the version and the day, and leaves an empty section above', () =>
    assert.equal(
      closeUnreleased(CHANGELOG, '0.2.0', '2026-11-17'),
      '# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-11-17\n\n### Added\n\n- Boats.\n\n## [0.1.0] - 2026-01-01\n\n- Oars.\n',
    ))

  const REFUSED: [what: string, work: () => unknown, reason: RegExp][] = [
    [
      'an empty section',
      () => closeUnreleased(closeUnreleased(CHANGELOG, '0.2.0', 'today'), '0.3.0', 'today'),
      /nothing to release/,
    ],
    ['a changelog without the section', () => closeUnreleased('# Changelog\n', '0.2.0', 'today'), /needs one section/],
    ['a version that was released', () => closeUnreleased(CHANGELOG, '0.1.0', 'today'), /has a section 0\.1\.0/],
    ['the same version', () => checkVersion('0.1.0', '0.1.0'), /not later/],
    ['an earlier version', () => checkVersion('0.9.9', '0.10.0'), /not later/],
    ['a name', () => checkVersion('v0.2.0', '0.1.0'), /not a version/],
  ]
  for (const [what, work, reason] of REFUSED) test(`refuses ${what}`, () => assert.throws(work, reason))

  test('accepts a later version', () => {
    for (const version of ['0.1.1', '0.2.0', '1.0.0']) checkVersion(version, '0.1.0')
    checkVersion('0.10.0', '0.9.9')
  })

  test('changes versions of manifests and names of packages, and nothing else', () => {
    const lock = `${JSON.stringify({ version: '0.1.0', packages: { '': { version: '0.1.0' }, x: { version: '0.1.0' } } }, null, 2)}\n`
    assert.deepEqual(JSON.parse(setVersion(lock, '0.2.0')).packages, { '': { version: '0.2.0' }, x: { version: '0.1.0' } })
    assert.equal(
      renamePackages('apt install ./turnout_0.1.0_amd64.deb; npm i ./turnout-0.1.0.tgz; migrations of 0.1.0', '0.2.0'),
      'apt install ./turnout_0.2.0_amd64.deb; npm i ./turnout-0.2.0.tgz; migrations of 0.1.0',
    )
  })
})

describe('checks before a release', () => {
  const checks = Object.keys(manifest.scripts).filter((name) => name.startsWith('check:'))

  test('are all checks of package.json, or left out for a reason', () => {
    const listed = [...RELEASE_CHECKS.map(([name]) => name!), ...Object.keys(LEFT_OUT)].filter((name) => name !== 'test')
    assert.deepEqual(listed.toSorted(), checks.toSorted())
  })

  test('have a line in docs/reliability.md', () => {
    const document = read('docs/reliability.md')
    const missing = checks.filter((name) => name !== 'check:all' && !document.includes(`npm run ${name}`))
    assert.deepEqual(missing, [])
  })
})
