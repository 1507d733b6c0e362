import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
const manifest = JSON.parse(read('package.json'))
const lock = JSON.parse(read('package-lock.json'))
const client = JSON.parse(read('clients/typescript/package.json'))

/** Packages of the pinned Node, by platform. */
const pinned = Object.entries(manifest.optionalDependencies as Record<string, string>).flatMap(([name, version]) => {
  const platform = /^node-(?:bin-)?(\w+-\w+)$/.exec(name)?.[1]
  return platform ? [{ platform, version, major: Number(version.split('.')[0]) }] : []
})
const oldestOf = ({ engines }: { engines: { node: string } }): number => Number(/^>=(\d+)$/.exec(engines.node)![1])
const OLDEST = oldestOf(manifest)
const PINNED = Math.min(...pinned.map(({ major }) => major))
/** No package of the pinned version exists for these. CONTRIBUTING.md says so. */
const NEWER_ON = ['darwin-arm64']

const numbersIn = (text: string, pattern: RegExp): number[] => [...text.matchAll(pattern)].map(([, number]) => Number(number))
const STARTS = /\bNode (\d+) (?:or|and) newer|\bNode of the machine, (\d+) or newer/g
const startsWith = (path: string): number[] =>
  [...read(path).matchAll(STARTS)].map(([, first, second]) => Number(first ?? second))

describe('the Node of the machine', () => {
  for (const path of ['README.md', 'CONTRIBUTING.md', 'docs/operate.md', 'scripts/ensure.mjs', 'bin/turnout.js'])
    test(`is ${OLDEST} or newer in ${path}, as in package.json`, () => {
      const named = startsWith(path)
      assert.ok(named.length > 0, 'names no version')
      assert.deepEqual(new Set(named), new Set([OLDEST]))
    })
  test('is the same in package-lock.json', () => assert.equal(lock.packages[''].engines.node, manifest.engines.node))
  test('is named by the client for itself', () =>
    assert.deepEqual(startsWith('clients/typescript/README.md'), [oldestOf(client)]))
})

describe('the pinned Node', () => {
  test('has one major version, apart from platforms without a package of it', () => {
    assert.ok(pinned.length >= 4)
    for (const { platform, major } of pinned) {
      if (NEWER_ON.includes(platform)) assert.ok(major > PINNED, `${platform} has a package now: remove the exception`)
      else assert.equal(major, PINNED, platform)
    }
  })
  for (const path of [
    'CONTRIBUTING.md',
    'docs/operate.md',
    'Dockerfile',
    'bin/turnout.js',
    'docs/decisions/0006-scripts-install-dependencies.md',
  ])
    test(`is ${PINNED} in ${path}`, () => {
      const others = numbersIn(read(path).replaceAll(STARTS, ''), /\bNode (\d+)\b/g)
      assert.ok(others.includes(PINNED), 'does not name it')
      const known = new Set([PINNED, ...pinned.map(({ major }) => major)])
      assert.deepEqual(
        others.filter((number) => !known.has(number)),
        [],
      )
    })
  test('is at least what src/main.ts requires', () => {
    const [, major, minor] = /major === (\d+) && minor < (\d+)/.exec(read('src/main.ts'))!.map(Number) as [number, number, number]
    assert.equal(major, PINNED)
    for (const { platform, version } of pinned) {
      const [own = 0, ownMinor = 0] = version.split('.').map(Number)
      assert.ok(own > major || ownMinor >= minor, platform)
    }
  })
  test('has types of the same major version', () =>
    assert.equal(Number(manifest.devDependencies['@types/node'].split('.')[0]), PINNED))
  test('runs this test', () => {
    const { version } = pinned.find(({ platform }) => platform === `${process.platform}-${process.arch}`)!
    assert.equal(process.versions.node, version)
  })
})
