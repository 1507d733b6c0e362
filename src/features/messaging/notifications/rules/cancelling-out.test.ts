import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JournalKind } from '#platform/journal/kinds.ts'
import { pairMoves, settleSecondsOf, takenBackKind, takingBackKind } from './cancelling-out.ts'

/** `id seconds field before after …` */
function read(text: string) {
  const [id, seconds, ...fields] = text.split(' ')
  const changes: Record<string, [string, string]> = {}
  for (let at = 0; at < fields.length; at += 3) changes[fields[at]!] = [fields[at + 1]!, fields[at + 2]!]
  return { id: Number(id), at: new Date(Number(seconds) * 1000), changes }
}

describe('moves of a shift that were taken back', () => {
  const CASES: [string, string[], [number, number][]][] = [
    ['one move', ['1 0 start_time 10 11'], []],
    ['back again', ['1 0 start_time 10 11', '2 70 start_time 11 10'], [[2, 1]]],
    ['back when the mails were due', ['1 0 start_time 10 11', '2 76 start_time 11 10'], []],
    ['back at the last moment', ['1 0 meeting_time 10 11', '2 75 meeting_time 11 10'], [[2, 1]]],
    [
      'one time is back, another one moves on',
      ['1 0 start_time 10 11 end_time 12 13', '2 5 start_time 11 10 end_time 13 14'],
      [],
    ],
    ['moved on', ['1 0 start_time 10 11', '2 5 start_time 11 12'], []],
    ['only one of two times is back', ['1 0 start_time 10 11 end_time 12 13', '2 5 start_time 11 10'], []],
    ['more than the move is changed back', ['1 0 start_time 10 11', '2 5 start_time 11 10 end_time 12 13'], []],
    ['other fields do not count', ['1 0 start_time 10 11 label A B', '2 5 start_time 11 10'], [[2, 1]]],
    ['no times at all', ['1 0 label A B', '2 5 label B A'], []],
    ['moved again after it was taken back', ['1 0 end_time 10 11', '2 5 end_time 11 10', '3 9 end_time 10 11'], [[2, 1]]],
    [
      'two moves, taken back one by one',
      ['1 0 end_time 10 11', '2 5 end_time 11 12', '3 9 end_time 12 11', '4 12 end_time 11 10'],
      [
        [3, 2],
        [4, 1],
      ],
    ],
  ]
  for (const [name, moves, wanted] of CASES) test(name, () => assert.deepEqual([...pairMoves(moves.map(read))], wanted))
})

describe('an entry of the journal', () => {
  const CASES: [kind: JournalKind, takenBackBy: string | undefined, takesBack: string | undefined, waits: 'long' | 'short'][] = [
    ['event.cancelled', 'event.reopened', undefined, 'long'],
    ['event.deleted', 'event.restored', undefined, 'long'],
    ['event.reopened', undefined, 'event.cancelled', 'short'],
    ['event.restored', undefined, 'event.deleted', 'short'],
    ['shift.changed', undefined, undefined, 'long'],
    ['participation.declined', 'participation.undone', undefined, 'long'],
    ['participation.undone', undefined, undefined, 'short'],
    ['event.published', undefined, undefined, 'short'],
  ]
  for (const [kind, takenBackBy, takesBack, waits] of CASES)
    test(`${kind} waits ${waits} for the entry that takes it back`, () => {
      assert.equal(takingBackKind(kind), takenBackBy)
      assert.equal(takenBackKind(kind), takesBack)
      // The undo button is there for a minute, and the request may take a moment.
      assert.equal(settleSecondsOf(kind), waits === 'long' ? 75 : 10)
    })
})
