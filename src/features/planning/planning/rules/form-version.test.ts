import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { changesBetween } from './changes.ts'
import { changedSince, makeFormVersion, parseFormVersion } from './form-version.ts'

describe('fields that somebody else changed', () => {
  const loaded = { title: 'Fair', groups: { b: 1, a: [2, 1] }, description: null }
  const version = makeFormVersion(loaded)
  const CASES: [what: string, now: Record<string, unknown>, wished: Record<string, unknown>, fields: string[]][] = [
    ['nothing', loaded, { ...loaded, title: 'Run' }, []],
    ['a field', { ...loaded, title: 'March' }, { ...loaded, title: 'Run' }, ['title']],
    ['a field that the form did not change', { ...loaded, title: 'March' }, loaded, ['title']],
    ['a field to the submitted value', { ...loaded, title: 'Run' }, { ...loaded, title: 'Run' }, []],
    ['a field that the form did not have', { ...loaded, type: 2 }, { ...loaded, type: 1 }, []],
    ['two fields', { ...loaded, title: 'March', description: 'x' }, loaded, ['title', 'description']],
    ['the order of keys', { ...loaded, groups: { a: [2, 1], b: 1 } }, loaded, []],
    ['the order of a list', { ...loaded, groups: { a: [1, 2], b: 1 } }, loaded, ['groups']],
  ]
  for (const [what, now, wished, fields] of CASES) test(what, () => assert.deepEqual(changedSince(version, now, wished), fields))

  test('are found with the version as the browser sends it', () => {
    assert.deepEqual(parseFormVersion(JSON.stringify(version)), version)
    assert.match(version.title!, /^[\w-]{12}$/)
    assert.deepEqual(parseFormVersion('{"title":"abc","groups":1,"type":null}'), { title: 'abc' })
    for (const text of ['', 'null', '1', '"abc"', '{']) assert.deepEqual(parseFormVersion(text), {}, text)
  })
})

test('changes are pairs of values before and after, with times as texts', () => {
  const at = new Date('2031-05-01T10:00:00Z')
  const before = { title: 'Fair', start: at, place: null, list: [1], kept: { a: 1, b: null } }
  const after = {
    title: 'Run',
    start: new Date(at),
    place: undefined as null | undefined,
    list: [1, 2],
    kept: { b: null, a: 1 },
  }
  assert.deepEqual(changesBetween(before, after), { title: ['Fair', 'Run'], list: [[1], [1, 2]] })
  assert.deepEqual(changesBetween(undefined, { start: at, place: null }), { start: [null, at.toISOString()] })
})
