import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PlannedShift } from '#features/planning/planning/queries/shifts.ts'
import { input, times } from '#test/support/shift-input.ts'
import type { Session } from '../formats/programme-file.ts'
import {
  chosenNames,
  countNames,
  DEFAULT_OPTIONS,
  labelOf,
  MAX_LABEL_LENGTH,
  MAX_MINUTES,
  type ProgrammeOptions,
  SPLITS,
} from './options.ts'
import {
  digestOf,
  type Link,
  newsDigest,
  newsOf,
  peopleOf,
  planProgramme,
  shiftFor,
  VERDICTS,
  wishesOf,
  withParts,
} from './plan.ts'

const ZONE = 'Europe/Berlin'
const NOW = new Date('2031-06-01T00:00Z')
const session = (key: string, start: string, end: string, more: Partial<Session> = {}): Session => ({
  key,
  title: `Talk ${key}`,
  room: 'Hall',
  track: '',
  type: '',
  start: new Date(`2031-06-07T${start}Z`).toISOString(),
  end: new Date(`2031-06-07T${end}Z`).toISOString(),
  ...more,
})
const options = (more: Partial<ProgrammeOptions> = {}): ProgrammeOptions => ({ ...DEFAULT_OPTIONS, ...more })
const span = (start: string, end: string) => ({ start: new Date(`2031-06-07T${start}Z`), end: new Date(`2031-06-07T${end}Z`) })
const shiftOf = (id: number, start: string, end: string, label: string, confirmed = 0): PlannedShift => ({
  ...input({ label, times: times(`2031-06-07T${start}Z`, `2031-06-07T${end}Z`) }),
  id,
  eventId: 1,
  confirmed,
  requested: 0,
})
const linkOf = (id: number, keys: string[], start: string, end: string, label: string, shiftId: number | null = id): Link => ({
  id,
  shiftId,
  keys,
  label,
  ...span(start, end),
})
const plan = (
  sessions: Session[],
  links: Link[],
  shifts: PlannedShift[],
  more: { options?: ProgrammeOptions; now?: Date } = {},
) =>
  planProgramme({
    content: { sessions, faults: [] },
    options: more.options ?? options(),
    links,
    shifts,
    now: more.now ?? NOW,
    timeZone: ZONE,
  })

describe('sessions become shifts', () => {
  const sessions = [
    session('a', '08:00', '09:00'),
    session('b', '09:15', '10:00'),
    session('c', '11:00', '12:00'),
    session('d', '09:00', '10:00', { room: 'Cellar' }),
    session('e', '09:30', '09:45'),
  ]
  const BLOCKS: [gap: number, groups: string[][]][] = [
    [0, [['a'], ['d'], ['b', 'e'], ['c']]],
    [15, [['a', 'b', 'e'], ['d'], ['c']]],
    [60, [['a', 'b', 'e', 'c'], ['d']]],
  ]
  for (const [gap, groups] of BLOCKS)
    test(`one per room and block with pauses of up to ${gap} minutes`, () => {
      const { wishes } = wishesOf(sessions, options({ split: 'block', gap }), ZONE)
      assert.deepEqual(
        wishes.map(({ keys }) => keys),
        groups,
      )
    })

  test('one each, with minutes before and after', () => {
    const { wishes } = wishesOf([sessions[0]!], options({ lead: 30, followUp: 15 }), ZONE)
    assert.deepEqual(
      wishes.map(({ start, end, label }) => [start, end, label]),
      [[span('07:30', '09:15').start, span('07:30', '09:15').end, 'Talk a (Hall)']],
    )
  })

  const CHOICES: [what: string, more: Partial<ProgrammeOptions>, wished: string[], leftOut: string[], outside: string[]][] = [
    ['all', {}, ['a', 'd', 'b', 'e', 'c'], [], []],
    ['one room', { room: ['Cellar'] }, ['d'], ['a', 'b', 'c', 'e'], []],
    ['an unknown track', { track: ['Music'] }, [], ['a', 'b', 'c', 'd', 'e'], []],
    ['later days', { from: '2031-06-08' }, [], [], ['a', 'b', 'c', 'd', 'e']],
    ['that day', { from: '2031-06-07', until: '2031-06-07' }, ['a', 'd', 'b', 'e', 'c'], [], []],
  ]
  for (const [what, more, wished, leftOut, outside] of CHOICES)
    test(`the options choose ${what}`, () => {
      const found = wishesOf(sessions, options(more), ZONE)
      assert.deepEqual(
        found.wishes.flatMap(({ keys }) => keys),
        wished,
      )
      assert.deepEqual(
        found.leftOut.map(({ session: { key } }) => key),
        leftOut,
      )
      assert.deepEqual(
        found.outside.flatMap(({ keys }) => keys),
        outside,
      )
    })

  test('days count in the zone of the instance', () => {
    const late = session('x', '22:30', '23:00')
    assert.equal(wishesOf([late], options({ from: '2031-06-08' }), ZONE).wishes.length, 1)
    assert.equal(wishesOf([late], options({ from: '2031-06-08' }), 'UTC').wishes.length, 0)
  })

  const LABELS: [pattern: string, more: Partial<Session>, label: string][] = [
    ['{title} ({room})', {}, 'Talk a (Hall)'],
    ['{title} ({room})', { room: '' }, 'Talk a'],
    ['{room}: {title}', { room: '' }, 'Talk a'],
    ['{track} – {room}', { track: '' }, 'Hall'],
    ['{type}', { type: '' }, 'Talk a'],
    ['Door {other}', {}, 'Door {other}'],
    ['{title}', { title: 'x'.repeat(300) }, 'x'.repeat(255)],
  ]
  for (const [pattern, more, label] of LABELS)
    test(`the pattern ${pattern} gives ${label.slice(0, 20)}`, () =>
      assert.equal(labelOf(pattern, [session('a', '08:00', '09:00', more)]), label))
  test('the name of a block counts the further sessions', () => {
    assert.equal(labelOf('{title}', sessions), 'Talk a +4')
    assert.equal(labelOf('{title}', sessions.slice(0, 2)), 'Talk a +1')
    assert.equal(labelOf('{title}', []), '')
  })

  test('a block lasts until its last session ends, and orders sessions of one time by key', () => {
    const { wishes } = wishesOf(
      [session('b', '09:00', '10:00'), session('a', '09:00', '09:30'), session('c', '09:45', '09:50')],
      options({ split: 'block' }),
      ZONE,
    )
    assert.deepEqual(
      wishes.map(({ keys, start, end }) => ({ keys, start, end })),
      [{ keys: ['a', 'b', 'c'], ...span('09:00', '10:00') }],
    )
  })

  test('options of a new programme, and their limits', () => {
    assert.deepEqual(SPLITS, ['session', 'block'])
    assert.deepEqual([DEFAULT_OPTIONS.gap, DEFAULT_OPTIONS.lead, DEFAULT_OPTIONS.followUp], [30, 0, 0])
    assert.deepEqual([MAX_MINUTES, MAX_LABEL_LENGTH], [8 * 60, 200])
  })

  test('names are counted, and all of them mean also later ones', () => {
    assert.deepEqual(countNames([session('f', '08:00', '09:00', { room: '' }), ...sessions], 'room'), [
      { name: 'Cellar', count: 1 },
      { name: 'Hall', count: 4 },
      { name: '', count: 1 },
    ])
    assert.equal(chosenNames(['Cellar', 'Hall'], ['Cellar', 'Hall']), null)
    assert.deepEqual(chosenNames(['Hall', 'Gone'], ['Cellar', 'Hall']), ['Hall'])
  })
})

describe('the programme is compared with the shifts', () => {
  const A = 'Talk a (Hall)'
  type Case = {
    what: string
    sessions?: Session[]
    link?: Link
    shift?: PlannedShift
    now?: string
    wanted: string
  }
  const now = session('a', '10:00', '11:00')
  const linked = linkOf(7, ['a'], '08:00', '09:00', A)
  const CASES: Case[] = [
    { what: 'a session without a shift', wanted: 'new' },
    { what: 'a session that is over', now: '2031-06-07T12:00Z', wanted: 'outside over' },
    { what: 'a session that ends now', now: '2031-06-07T11:00Z', wanted: 'outside over' },
    { what: 'a session that goes on', now: '2031-06-07T10:59Z', wanted: 'new' },
    {
      what: 'the shift ends now',
      link: linked,
      shift: shiftOf(7, '08:00', '09:00', A),
      now: '2031-06-07T09:00Z',
      wanted: 'same',
    },
    {
      what: 'the session is gone and its shift ends now',
      sessions: [],
      link: linked,
      shift: shiftOf(7, '08:00', '09:00', A),
      now: '2031-06-07T09:00Z',
      wanted: '',
    },
    {
      what: 'both were renamed',
      link: linkOf(7, ['a'], '10:00', '11:00', 'Old'),
      shift: shiftOf(7, '10:00', '11:00', 'Door'),
      wanted: 'own label:conflict',
    },
    {
      what: 'nothing changed',
      link: linkOf(7, ['a'], '10:00', '11:00', A),
      shift: shiftOf(7, '10:00', '11:00', A),
      wanted: 'same',
    },
    { what: 'the session was moved', link: linked, shift: shiftOf(7, '08:00', '09:00', A), wanted: 'changed times:apply' },
    {
      what: 'the session was moved and the shift renamed by hand',
      link: linked,
      shift: shiftOf(7, '08:00', '09:00', 'Door'),
      wanted: 'changed times:apply label:own',
    },
    { what: 'both were moved', link: linked, shift: shiftOf(7, '08:30', '09:00', A), wanted: 'own times:conflict' },
    { what: 'both were moved to the same time', link: linked, shift: shiftOf(7, '10:00', '11:00', A), wanted: 'same' },
    {
      what: 'only the shift was moved',
      link: linkOf(7, ['a'], '10:00', '11:00', A),
      shift: shiftOf(7, '08:30', '09:00', A),
      wanted: 'own times:own',
    },
    {
      what: 'the session was renamed',
      link: linkOf(7, ['a'], '10:00', '11:00', 'Old'),
      shift: shiftOf(7, '10:00', '11:00', 'Old'),
      wanted: 'changed label:apply',
    },
    { what: 'the shift was deleted by hand', link: { ...linked, shiftId: null }, wanted: 'deleted' },
    { what: 'the shift is over', link: linked, shift: shiftOf(7, '08:00', '09:00', A), now: '2031-06-07T09:30Z', wanted: 'same' },
    { what: 'the session is gone', sessions: [], link: linked, shift: shiftOf(7, '08:00', '09:00', A), wanted: 'removed gone' },
    { what: 'the session and its shift are gone', sessions: [], link: { ...linked, shiftId: null }, wanted: '' },
    {
      what: 'the session is gone and its shift is over',
      sessions: [],
      link: linked,
      shift: shiftOf(7, '08:00', '09:00', A),
      now: '2031-06-07T09:30Z',
      wanted: '',
    },
  ]
  for (const { what, sessions = [now], link, shift, now: at, wanted } of CASES)
    test(`${what}: ${wanted || 'no row'}`, () => {
      const { rows } = plan(sessions, link ? [link] : [], shift ? [shift] : [], at ? { now: new Date(at) } : {})
      const texts = rows.map((row) =>
        [
          row.verdict,
          ...('because' in row ? [row.because] : []),
          ...('parts' in row ? row.parts.map(({ part, does }) => `${part}:${does}`) : []),
        ].join(' '),
      )
      assert.deepEqual(texts.join(', '), wanted)
    })

  test('a session that the options leave out now is removed for this reason', () => {
    const { rows } = plan([now], [linked], [shiftOf(7, '08:00', '09:00', A)], { options: options({ room: ['Cellar'] }) })
    assert.deepEqual(
      rows.map((row) => [row.verdict, 'because' in row && row.because]),
      [
        ['removed', 'left_out'],
        ['left_out', 'room'],
      ],
    )
  })

  test('one session of the shift is left out and one is gone: the options are the reason', () => {
    const { rows } = plan([now], [linkOf(7, ['gone', 'a'], '08:00', '09:00', A)], [shiftOf(7, '08:00', '09:00', A)], {
      options: options({ room: ['Cellar'] }),
    })
    assert.equal(rows[0]?.verdict === 'removed' && rows[0].because, 'left_out')
  })

  test('faults, sessions of other days and those left out are the last rows', () => {
    const fault = { code: 'no_end', title: 'Talk', at: 3 } as const
    const { rows } = planProgramme({
      content: { sessions: [now, session('b', '10:00', '11:00', { room: 'Cellar' })], faults: [fault] },
      options: options({ room: ['Hall'], from: '2031-06-08' }),
      links: [],
      shifts: [],
      now: NOW,
      timeZone: ZONE,
    })
    assert.deepEqual(
      rows.map((row) => [row.verdict, 'because' in row ? row.because : 'fault' in row && row.fault]),
      [
        ['error', fault],
        ['outside', 'period'],
        ['left_out', 'room'],
      ],
    )
  })

  const MATCHES: [what: string, links: Link[], id: number][] = [
    ['most sessions', [linkOf(1, ['a'], '08:00', '09:00', 'x'), linkOf(5, ['b', 'c', 'z'], '08:00', '09:00', 'x')], 5],
    ['the larger part of its own', [linkOf(1, ['a', 'z'], '08:00', '09:00', 'x'), linkOf(5, ['b'], '08:00', '09:00', 'x')], 5],
    ['the lower id', [linkOf(5, ['a'], '08:00', '09:00', 'x'), linkOf(1, ['b'], '08:00', '09:00', 'x')], 1],
  ]
  for (const [what, links, id] of MATCHES)
    test(`of two shifts, a block keeps the one with ${what}`, () => {
      const sessions = [session('a', '08:00', '09:00'), session('b', '09:00', '10:00'), session('c', '10:00', '11:00')]
      const shifts = [shiftOf(1, '08:00', '09:00', 'x'), shiftOf(5, '08:00', '09:00', 'x')]
      const [first] = plan(sessions, links, shifts, { options: options({ split: 'block' }) }).rows
      assert.equal(first && 'wish' in first && 'link' in first && first.link.id, id)
    })

  test('a block keeps its shift when sessions are added, removed or moved between blocks', () => {
    const links = [linkOf(1, ['a', 'b', 'c'], '08:00', '11:00', 'x'), linkOf(2, ['d'], '14:00', '15:00', 'y')]
    const sessions = [
      session('b', '09:00', '10:00'),
      session('new', '10:00', '10:30'),
      session('a', '13:00', '14:00'),
      session('d', '14:00', '15:00'),
      session('e', '15:00', '16:00'),
    ]
    const shifts = [shiftOf(1, '08:00', '11:00', 'x'), shiftOf(2, '14:00', '15:00', 'y')]
    const { rows } = plan(sessions, links, shifts, { options: options({ split: 'block', gap: 30 }) })
    assert.deepEqual(
      rows.map((row) => 'link' in row && 'wish' in row && [row.link.id, row.wish.keys]),
      [
        [1, ['b', 'new']],
        [2, ['a', 'd', 'e']],
      ],
    )
  })

  test('one shift per session becomes one per block: the first keeps its shift, others are removed', () => {
    const links = [linkOf(1, ['a'], '08:00', '09:00', 'x'), linkOf(2, ['b'], '09:00', '10:00', 'y')]
    const sessions = [session('a', '08:00', '09:00'), session('b', '09:00', '10:00')]
    const shifts = [shiftOf(1, '08:00', '09:00', 'x'), shiftOf(2, '09:00', '10:00', 'y')]
    const { rows } = plan(sessions, links, shifts, { options: options({ split: 'block' }) })
    assert.deepEqual(
      rows.map((row) => [row.verdict, 'link' in row && row.link.id]),
      [
        ['changed', 1],
        ['removed', 2],
      ],
    )
  })

  test('the digest changes with sign-ups, and the news do not', () => {
    const with_ = (people: number) => plan([now], [linked], [shiftOf(7, '08:00', '09:00', A, people)])
    assert.notEqual(digestOf(with_(0), options()), digestOf(with_(1), options()))
    assert.notEqual(digestOf(with_(0), options()), digestOf(with_(0), options({ pattern: 3 })))
    assert.equal(newsDigest(with_(0)), newsDigest(with_(1)))
    assert.equal(newsDigest(plan([now], [linkOf(7, ['a'], '10:00', '11:00', A)], [shiftOf(7, '08:30', '09:00', A)])), null)
  })
})

describe('what planners are told', () => {
  const A = 'Talk a (Hall)'
  const at = session('a', '10:00', '11:00')
  const link = linkOf(7, ['a'], '08:00', '09:00', A)
  const shift = shiftOf(7, '08:00', '09:00', A)
  const NEWS: [what: string, sessions: Session[], links: Link[], shifts: PlannedShift[], verdicts: string[]][] = [
    ['a new session', [at], [], [], ['new']],
    ['a moved session', [at], [link], [shift], ['changed']],
    ['a session that is gone', [], [link], [shift], ['removed']],
    ['both moved', [at], [link], [shiftOf(7, '08:30', '09:00', A)], ['own']],
    ['both moved, and the shift renamed by hand', [at], [link], [shiftOf(7, '08:30', '09:00', 'Door')], ['own']],
    ['only the shift moved', [at], [linkOf(7, ['a'], '10:00', '11:00', A)], [shift], []],
    ['no change', [at], [linkOf(7, ['a'], '10:00', '11:00', A)], [shiftOf(7, '10:00', '11:00', A)], []],
    ['a shift deleted by hand', [at], [{ ...link, shiftId: null }], [], []],
  ]
  for (const [what, sessions, links, shifts, verdicts] of NEWS)
    test(`${what}: ${verdicts[0] ?? 'nothing'}`, () => {
      const found = plan(sessions, links, shifts)
      assert.deepEqual(
        newsOf(found).map(({ verdict }) => verdict),
        verdicts,
      )
      if (verdicts.length) assert.match(newsDigest(found)!, /^[\w-]{22}$/)
      else assert.equal(newsDigest(found), null)
    })

  const digest = (more: Partial<Session> = {}) => newsDigest(plan([{ ...at, ...more }], [], []))
  const removed = (id: number) =>
    newsDigest(plan([], [linkOf(id, ['a'], '08:00', '09:00', A)], [shiftOf(id, '08:00', '09:00', A)]))
  test('changes with key, name and times, and not with the track', () => {
    const later = session('a', '10:30', '11:30')
    assert.equal(digest(), digest({ track: 'Music' }))
    const others: Partial<Session>[] = [{ key: 'b' }, { title: 'Other' }, { start: later.start }, { end: later.end }]
    assert.equal(new Set([digest(), ...others.map(digest)]).size, 5)
    assert.notEqual(digest(), newsDigest(plan([at], [link], [shift])))
  })
  test('changes with the shift that is removed', () => {
    assert.notEqual(removed(7), removed(8))
    assert.equal(removed(7), removed(7))
  })

  test('people of a shift are those confirmed and those who asked', () =>
    assert.equal(peopleOf({ ...shift, confirmed: 3, requested: 2 }), 5))
  test('the preview counts what can be applied first, and what is left out last', () =>
    assert.deepEqual(VERDICTS, ['new', 'changed', 'own', 'removed', 'deleted', 'error', 'outside', 'same', 'left_out']))
})

describe('a new shift', () => {
  const wish = wishesOf([session('a', '10:00', '11:00')], options(), ZONE).wishes[0]!
  test('has sign-up, needs, questions and meeting time of its pattern, and its deadline on the same day', () => {
    const pattern = input({
      times: times('2031-06-05T08:00+02:00', '2031-06-05T12:00+02:00', '2031-06-05T07:30+02:00'),
      flowSlug: 'request_confirm',
      flowConfiguration: { signup_until: '2031-06-04T18:00:00+02:00', minimum_age: 16 },
      questions: [4],
    })
    const made = shiftFor(wish, pattern, ZONE)
    assert.deepEqual(
      [made.label, made.times.meeting.toISOString().slice(11, 16), made.times.start, made.questions],
      ['Talk a (Hall)', '09:30', wish.start, [4]],
    )
    assert.deepEqual(made.flowConfiguration, { signup_until: '2031-06-06T18:00:00+02:00', minimum_age: 16 })
  })
  test('has the defaults of the form without one', () => {
    const made = shiftFor(wish, undefined, ZONE)
    assert.equal(made.structureSlug, 'uniform')
    assert.notEqual(made.flowSlug, '')
    assert.deepEqual(made.times, { meeting: wish.start, start: wish.start, end: wish.end })
  })
  test('that is moved keeps the distance of its meeting time and all else', () => {
    const stored = input({ label: 'Own', times: times('2031-06-07T08:00Z', '2031-06-07T09:00Z', '2031-06-07T07:45Z') })
    const moved = withParts(stored, wish, ['times'])
    assert.deepEqual([moved.label, moved.times.meeting.toISOString().slice(11, 16)], ['Own', '09:45'])
  })
  test('that is renamed keeps its times', () => {
    const stored = input({ label: 'Own' })
    assert.deepEqual(withParts(stored, wish, ['label']), { ...stored, label: 'Talk a (Hall)' })
  })
})
