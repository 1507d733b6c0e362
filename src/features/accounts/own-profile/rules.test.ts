import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blockedUntil, canConfirm, readProposal, whatStops } from './rules.ts'

const now = new Date('2031-05-01T10:00:00Z')
const ago = (hours: number) => new Date(now.getTime() - hours * 3_600_000)
const change = (more: object) => ({ requestedAt: ago(1), confirmedAt: null, stoppedAt: null, ...more })

test('a change can be confirmed for a day, stopped and reverted for three, and blocks others meanwhile', () => {
  const cases: [object, { confirm: boolean; stop: string | undefined; isBlocked: boolean }][] = [
    [{}, { confirm: true, stop: 'stop', isBlocked: false }],
    [{ requestedAt: ago(24) }, { confirm: false, stop: 'stop', isBlocked: false }],
    [{ requestedAt: ago(72) }, { confirm: false, stop: undefined, isBlocked: false }],
    [{ confirmedAt: ago(71) }, { confirm: false, stop: 'revert', isBlocked: true }],
    [{ confirmedAt: ago(72) }, { confirm: false, stop: undefined, isBlocked: false }],
    [{ stoppedAt: ago(71) }, { confirm: false, stop: undefined, isBlocked: true }],
    [{ stoppedAt: ago(72) }, { confirm: false, stop: undefined, isBlocked: false }],
    [
      { confirmedAt: ago(71), stoppedAt: ago(70) },
      { confirm: false, stop: undefined, isBlocked: true },
    ],
  ]
  for (const [more, expected] of cases) {
    const state = change(more)
    const found = {
      confirm: canConfirm(state, now),
      stop: whatStops(state, now),
      isBlocked: blockedUntil(state, now) !== undefined,
    }
    assert.deepEqual(found, expected, JSON.stringify(more))
  }
})

test('the data of a proposal are read only if they are complete', () => {
  assert.deepEqual(readProposal({ name: 'Ann B' }), { name: 'Ann B', dateOfBirth: undefined })
  assert.deepEqual(readProposal({ date_of_birth: '1990-01-02', note: 'x' }), { name: undefined, dateOfBirth: '1990-01-02' })
  for (const data of [{}, { name: '' }, { name: 1 }, { date_of_birth: 'yesterday' }, { name: 'A', date_of_birth: 5 }])
    assert.equal(readProposal(data), undefined, JSON.stringify(data))
})
