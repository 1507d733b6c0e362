import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { GUESSES, guessesCountSince, nextGuessAt } from './guesses.ts'

const NOON = new Date('2026-05-09T12:00:00Z')
const minutesAgo = (minutes: number) => new Date(NOON.getTime() - minutes * 60_000)

describe('guesses at a password', () => {
  test('the tenth may be made, the eleventh waits until the oldest of ten is a quarter of an hour old', () => {
    const guesses = Array.from({ length: GUESSES }, (_, i) => minutesAgo(i))
    assert.equal(nextGuessAt([]), undefined)
    assert.equal(nextGuessAt(guesses.slice(0, GUESSES - 1)), undefined)
    assert.deepEqual(nextGuessAt(guesses), new Date('2026-05-09T12:06:00Z'))
  })

  test('at that very time the oldest does not count any more', () => {
    const oldest = minutesAgo(9)
    const at = nextGuessAt([...Array.from({ length: GUESSES - 1 }, () => NOON), oldest])!
    assert.ok(!(oldest > guessesCountSince(at)))
    assert.ok(oldest > guessesCountSince(new Date(at.getTime() - 1)))
  })
})
