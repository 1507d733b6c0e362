import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkSlugs, slugChoices } from './offered-slugs.ts'

const KNOWN = { flowSlug: 'manual', structureSlug: 'complex' }
const ODD = { flowSlug: 'raffle', structureSlug: 'circus' }

describe('flows and structures that are offered', () => {
  test('a shift keeps one that this instance does not know; other shifts cannot choose it', () => {
    const usual = slugChoices(undefined)
    assert.deepEqual(slugChoices(KNOWN), usual)
    assert.deepEqual(slugChoices(ODD), { flows: [...usual.flows, 'raffle'], structures: [...usual.structures, 'circus'] })
    assert.ok(usual.flows.includes('request_confirm') && usual.structures.includes('uniform'))
  })

  const CASES: [what: string, chosen: typeof KNOWN, stored: typeof KNOWN | undefined, expected: string[]][] = [
    ['known ones', KNOWN, undefined, []],
    ['unknown ones', ODD, KNOWN, ['flow: unknown_flow', 'structure: unknown_structure']],
    ['unknown ones that the shift has already', ODD, ODD, []],
    ['none', { flowSlug: '', structureSlug: '' }, undefined, ['flow: missing', 'structure: missing']],
  ]
  for (const [what, chosen, stored, expected] of CASES)
    test(`${what}: ${expected.join(', ') || 'accepted'}`, () =>
      assert.deepEqual(
        checkSlugs(chosen, stored).map(({ of, code }) => `${of}: ${code}`),
        expected,
      ))
})
