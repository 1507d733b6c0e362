import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { formatToken, parseToken, textToSign } from './links.ts'
import { rankPeople } from './ranking.ts'
import { countStates, nextWaveOf } from './status.ts'
import { type InquiryState, judgeLink, judgeWave, nextWaveAt, type WaveState } from './waves.ts'

const NOW = new Date('2031-05-01T10:00:00Z')
const LATER = new Date('2031-05-02T10:00:00Z')
const BEFORE = new Date('2031-05-01T09:00:00Z')

describe('people are asked', () => {
  const person = (name: string, asked: number, hours: number) => ({ id: name.charCodeAt(0), name, asked, hours })
  const namesOf = (people: Parameters<typeof rankPeople>[0], shiftId = 1) => rankPeople(people, shiftId).map(({ name }) => name)

  test('by how often they were asked, then by hours', () =>
    assert.deepEqual(namesOf([person('Ann', 1, 0), person('Ben', 0, 12), person('Cem', 0, 4)]), ['Cem', 'Ben', 'Ann']))

  test('in an order that is drawn for the shift, if these are equal', () => {
    const equals = ['Ann', 'Ben', 'Cem'].map((name) => person(name, 0, 4))
    const firsts = Array.from({ length: 60 }, (_, shiftId) => namesOf(equals, shiftId)[0]!)
    for (const { name } of equals) assert.ok(firsts.filter((first) => first === name).length > 8, `${name}: ${firsts.join()}`)
    assert.deepEqual(namesOf(equals, 7), namesOf(equals.toReversed(), 7), 'the same each time')
  })
})

describe('the next wave', () => {
  const going: WaveState = {
    isListed: true,
    closesAt: LATER,
    free: 3,
    lacking: 2,
    wasShort: true,
    wanted: 2,
    accepted: 1,
    waiting: 4,
  }
  for (const [what, change, expected] of [
    ['people are missing', {}, undefined],
    ['the event is cancelled', { isListed: false }, 'cancelled'],
    ['sign-up closes now', { closesAt: NOW }, 'closed'],
    ['planners assign people', { closesAt: undefined }, 'closed'],
    ['the shift is full', { free: 0 }, 'enough'],
    ['any number of people may come', { free: null }, undefined],
    ['enough people can', { accepted: 2 }, 'enough'],
    ['nobody is missing any more', { lacking: 0 }, 'enough'],
    ['nobody was missing at first, and places are free', { lacking: 0, wasShort: false }, undefined],
    ['everybody was asked', { waiting: 0 }, 'everybody'],
  ] as const)
    test(`${what}: ${expected ?? 'goes out'}`, () => assert.equal(judgeWave({ ...going, ...change }, NOW), expected))
})

describe('a link', () => {
  const asked: InquiryState = { answer: null, withdrawnAt: null }
  for (const [what, change, expected] of [
    ['is open', {}, 'open'],
    ['of somebody who was too late may be tried again', { answer: 'too_late' }, 'open'],
    ['was used', { answer: 'can' }, 'answered'],
    ['was used for a no', { answer: 'cannot', withdrawnAt: BEFORE }, 'answered'],
    ['was withdrawn', { withdrawnAt: BEFORE }, 'withdrawn'],
  ] as const)
    test(`${what}: ${expected}`, () => assert.equal(judgeLink({ ...asked, ...change }), expected))

  for (const [what, change, answer, expected] of [
    ['can', { answer: 'can' }, 'cannot', 'open'],
    ['can, and says it again', { answer: 'can' }, 'can', 'answered'],
    ['cannot', { answer: 'cannot' }, 'can', 'open'],
    ['cannot, and is no longer needed', { answer: 'cannot', withdrawnAt: BEFORE }, 'can', 'withdrawn'],
    ['can, and the planner has stopped asking', { answer: 'can', withdrawnAt: BEFORE }, 'cannot', 'open'],
  ] as const)
    test(`who said that they ${what}: a change is ${expected}`, () =>
      assert.equal(judgeLink({ ...asked, ...change }, answer), expected))

  test('is signed for one person, one shift and one time', () => {
    const bound = { id: 1, userId: 2, shiftId: 3, expiresAt: LATER }
    const texts = [
      bound,
      { ...bound, id: 2 },
      { ...bound, userId: 3 },
      { ...bound, shiftId: 4 },
      { ...bound, expiresAt: NOW },
    ].map(textToSign)
    assert.equal(new Set(texts).size, 5)
    const signature = 'a'.repeat(43)
    assert.deepEqual(parseToken(formatToken(7, signature)), { id: 7, signature })
    for (const wrong of [
      '',
      '7',
      `0.${signature}`,
      `7.${signature}a`,
      `7.${signature.slice(1)}`,
      `7.${signature}.`,
      `-1.${signature}`,
    ])
      assert.equal(parseToken(wrong), undefined, wrong)
  })
})

describe('the next people are asked', () => {
  const CASES: [what: string, now: string, start: string, closes: string, expected: string][] = [
    ['after the hours between waves', '2030-01-10T12:00Z', '2030-01-14T12:00Z', '2030-01-14T12:00Z', '2030-01-10T15:00Z'],
    ['just before the night', '2030-01-10T18:59Z', '2030-01-14T12:00Z', '2030-01-14T12:00Z', '2030-01-10T21:59Z'],
    ['after the night', '2030-01-10T19:00Z', '2030-01-14T12:00Z', '2030-01-14T12:00Z', '2030-01-11T07:00Z'],
    [
      'after the hours from the morning on, if the planner asks at night',
      '2030-01-10T23:00Z',
      '2030-01-14T12:00Z',
      '2030-01-14T12:00Z',
      '2030-01-11T10:00Z',
    ],
    ['at night before an early shift', '2030-01-10T20:00Z', '2030-01-11T08:59Z', '2030-01-11T14:00Z', '2030-01-10T23:00Z'],
    ['at night before sign-up closes', '2030-01-10T20:00Z', '2030-01-14T12:00Z', '2030-01-11T08:59Z', '2030-01-10T23:00Z'],
  ]
  for (const [what, now, start, closes, expected] of CASES)
    test(what, () => {
      const times = { hours: 3, start: new Date(start), closesAt: new Date(closes), timeZone: 'UTC' }
      assert.deepEqual(nextWaveAt(new Date(now), times), new Date(expected))
    })
})

describe('the state of all questions about a shift', () => {
  const person = (userId: number, change: Partial<Parameters<typeof countStates>[0][number]> = {}) => ({
    userId,
    askedAt: BEFORE,
    withdrawnAt: null,
    answer: null,
    ...change,
  })

  test('counts each person once, by the answer if there is one', () => {
    const people = [
      person(1, { answer: 'can' }),
      person(2, { answer: 'cannot' }),
      person(3),
      person(4, { askedAt: null }),
      person(5, { withdrawnAt: NOW }),
      // Asked again.
      person(5),
      person(3, { withdrawnAt: NOW }),
      person(2, { withdrawnAt: NOW }),
      person(6, { answer: 'too_late' }),
    ]
    assert.deepEqual(countStates(people), { asked: 5, can: 1, cannot: 1, too_late: 1, open: 2, withdrawn: 0, waiting: 1 })
  })

  test('names the next wave of all that go on', () => {
    const inquiry = { nextWaveAt: LATER, endedAt: null, waveSize: 5, people: [{ askedAt: null }, { askedAt: NOW }] }
    assert.deepEqual(nextWaveOf([inquiry]), { at: LATER, count: 1 })
    assert.deepEqual(nextWaveOf([inquiry, { ...inquiry, nextWaveAt: NOW }]), { at: NOW, count: 1 })
    assert.equal(nextWaveOf([{ ...inquiry, endedAt: NOW }]), undefined)
    assert.equal(nextWaveOf([{ ...inquiry, people: [{ askedAt: NOW }] }]), undefined)
  })
})
