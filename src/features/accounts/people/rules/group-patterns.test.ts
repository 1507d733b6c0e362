import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SOURCE_LANGUAGES } from '#platform/i18n/languages.ts'
import { PATTERNS, type Pattern, proposeGroups } from './group-patterns.ts'

const CASES: [pattern: Pattern, expected: string[]][] = [
  ['simple', ['Members: –', 'Planners: planning for Members', 'Administrators: management']],
  [
    'youth',
    [
      'Members: –',
      'Youth group: –',
      'Youth leaders: planning for Youth group',
      'Planners: planning for Members, Youth group',
      'Administrators: management',
    ],
  ],
  [
    'sections',
    [
      'Members: –',
      'Section 1: –',
      'Section 2: –',
      'Leaders of section 1: planning for Section 1',
      'Leaders of section 2: planning for Section 2',
      'Planners: planning for Members, Section 1, Section 2',
      'Administrators: management',
    ],
  ],
]

describe('patterns of groups', () => {
  for (const [pattern, expected] of CASES)
    test(`${pattern}: what each may do`, () => {
      const lines = proposeGroups(pattern, 'en', []).map(
        ({ name, bundles, publishFor }) =>
          `${name}: ${bundles.join() || '–'}${publishFor.length ? ` for ${publishFor.join(', ')}` : ''}`,
      )
      assert.deepEqual(lines, expected)
    })

  test('a group that may publish comes after those for which it may', () => {
    for (const pattern of PATTERNS)
      for (const language of SOURCE_LANGUAGES) {
        const groups = proposeGroups(pattern, language, [])
        for (const [index, { publishFor }] of groups.entries())
          for (const target of publishFor)
            assert.ok(
              groups.slice(0, index).some(({ name }) => name === target),
              `${pattern}: ${target}`,
            )
      }
  })

  test('groups are there by name, and administrators by what they may do', () => {
    const existing = [
      { name: 'Members', bundles: [] },
      { name: 'Board', bundles: ['management'] },
    ]
    const there = proposeGroups('simple', 'en', existing).filter(({ isThere }) => isThere)
    assert.deepEqual(
      there.map(({ key }) => key),
      ['members', 'administrators'],
    )
    assert.deepEqual(
      proposeGroups('simple', 'de', existing)
        .filter(({ isThere }) => isThere)
        .map(({ key }) => key),
      ['administrators'],
    )
  })
})
