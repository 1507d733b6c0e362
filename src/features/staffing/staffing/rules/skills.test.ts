import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Inclusions } from './model.ts'
import { compareSkillLevels, covers, dropIncluded, expandSkills, skillLevel } from './skills.ts'

/** 3 includes 2 includes 1; 9 is unrelated. */
const inclusions: Inclusions = new Map([
  [1, new Set([1])],
  [2, new Set([1, 2])],
  [3, new Set([1, 2, 3])],
  [9, new Set([9])],
])

describe('skills', () => {
  test('cover a need if all of it is held', () => {
    assert.ok(covers(new Set(), new Set()))
    assert.ok(covers(new Set([1, 2]), new Set([2])))
    assert.ok(!covers(new Set([1, 2]), new Set([2, 3])))
  })

  test('of an unknown qualification are that qualification alone', () => {
    assert.deepEqual(expandSkills([2, 77], inclusions), new Set([2, 1, 77]))
  })

  const levels: [number[], number, number][] = [
    [[], 0, 0],
    [[1], 1, 3],
    [[2], 2, 3],
    [[3], 3, 3],
    [[9], 1, 1],
    [[1, 9], 2, 4],
    [[77], 1, 1],
  ]
  for (const [ids, below, related] of levels) {
    test(`level of [${ids}] is ${below} of ${related}`, () => assert.deepEqual(skillLevel(ids, inclusions), { below, related }))
  }

  test('levels compare as fractions, the empty set is the lowest', () => {
    const ordered = [[], [1], [1, 9], [2], [3]].map((ids) => skillLevel(ids, inclusions))
    assert.deepEqual([...ordered].reverse().sort(compareSkillLevels), ordered)
    assert.equal(compareSkillLevels(skillLevel([3], inclusions), skillLevel([9], inclusions)), 0)
    assert.ok(compareSkillLevels(skillLevel([], inclusions), skillLevel([1], inclusions)) < 0)
    assert.ok(compareSkillLevels(skillLevel([1], inclusions), skillLevel([], inclusions)) > 0)
  })
})

test('dropIncluded keeps the qualifications that no other one of the set includes', () => {
  const inclusions = new Map([
    [1, new Set([1])],
    [2, new Set([2, 1])],
    [3, new Set([3, 2, 1])],
  ])
  assert.deepEqual(dropIncluded([1, 3, 2], inclusions), [3])
  assert.deepEqual(dropIncluded([9, 2, 1], inclusions), [2, 9])
  assert.deepEqual(dropIncluded([], inclusions), [])
})
