import assert from 'node:assert/strict'
import { test } from 'node:test'
import { childPath, FAMILY, guardiansPath } from './rules.ts'

test('pages about children are below the page of the family, and pages about guardians below that of the person', () => {
  const PATHS: [path: string, expected: string][] = [
    [FAMILY, '/family/'],
    [childPath(7), '/family/7/'],
    [childPath(7, 'details'), '/family/7/details/'],
    [guardiansPath(7), '/manage/people/7/guardians/'],
    [guardiansPath(7, 'end'), '/manage/people/7/guardians/end/'],
  ]
  for (const [path, expected] of PATHS) assert.equal(path, expected)
})
