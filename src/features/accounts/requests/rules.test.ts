import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canDecide, type RequestState } from './rules.ts'

const CASES: [state: RequestState, grant: boolean, refuse: boolean][] = [
  ['open', true, true],
  ['failed', true, true],
  ['refused', true, false],
  ['granted', false, false],
  ['withdrawn', false, false],
]
for (const [state, grant, refuse] of CASES) {
  test(`a request that is ${state} can${grant ? '' : 'not'} be granted and can${refuse ? '' : 'not'} be refused`, () =>
    assert.deepEqual([canDecide(state, 'grant'), canDecide(state, 'refuse')], [grant, refuse]))
}
