import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fitsInterface } from './compatibility.ts'
import { addFailure, isTooMany } from './failures.ts'
import { isExtensionName, isPathBelow } from './names.ts'

describe('versions of the interface', () => {
  const CASES: [wanted: string, version: string, fits: boolean | undefined][] = [
    ['^1', '1.0.0', true],
    ['^1.0', '1.4.2', true],
    ['^1.4', '1.4.0', true],
    ['^1.4.2', '1.4.2', true],
    ['^1.4.3', '1.4.2', false],
    ['^1.5', '1.4.9', false],
    ['^2.0', '1.9.0', false],
    ['^1.0', '2.0.0', false],
    ['1.0', '1.0.0', undefined],
    ['*', '1.0.0', undefined],
    ['^1.0.0-beta', '1.0.0', undefined],
  ]
  for (const [wanted, version, fits] of CASES)
    test(`${wanted} with ${version}: ${fits ?? 'no range'}`, () => assert.equal(fitsInterface(wanted, version), fits))
})

describe('paths of an extension', () => {
  const CASES: [path: string, isBelow: boolean][] = [
    ['/x/mine/', true],
    ['/x/mine/shifts/{shift}/', true],
    ['/x/mine', false],
    ['/x/mine/page', false],
    ['/x/mine/../other/', false],
    ['/x/mine//', false],
    ['/x/mine/%2e%2e/', false],
    ['/x/mine/*/', false],
    ['/x/minefield/', false],
    ['/manage/', false],
  ]
  for (const [path, isBelow] of CASES) test(`${path}: ${isBelow}`, () => assert.equal(isPathBelow('/x/mine/', path), isBelow))
})

test('names fit into paths, schemas and keys', () => {
  for (const name of ['lottery', 'wall_display', 'a1']) assert.equal(isExtensionName(name), true, name)
  for (const name of ['', 'a', 'Lottery', 'wall-display', '1a', '_a', 'a'.repeat(31), 'a/b', "a'"])
    assert.equal(isExtensionName(name), false, name)
})

describe('failures', () => {
  const minute = 60_000
  const after = (...minutes: number[]) => minutes.reduce<number[]>((found, each) => addFailure(found, each * minute), [])
  test('ten within ten minutes are too many', () => {
    assert.equal(isTooMany(after(0, 1, 2, 3, 4, 5, 6, 7, 8)), false)
    assert.equal(isTooMany(after(0, 1, 2, 3, 4, 5, 6, 7, 8, 9)), true)
  })
  test('earlier ones do not count', () => assert.equal(isTooMany(after(0, 2, 4, 6, 8, 9, 9, 9, 9, 10)), false))
})
