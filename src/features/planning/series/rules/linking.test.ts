import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eventFields } from '#features/events/events/rules/event-fields.ts'
import { shiftFields } from '#features/events/events/rules/shift-fields.ts'
import type { PlannedEvent } from '#features/planning/planning/queries/events.ts'
import type { PlannedShift } from '#features/planning/planning/queries/shifts.ts'
import {
  advance,
  changesOf,
  dateOf,
  digestOf,
  type Effect,
  effectsOn,
  generatedFrom,
  isOver,
  keysOf,
  planDates,
  type SeriesEvent,
  shiftFor,
  targetsOf,
  withEventPart,
  withShiftPart,
} from './linking.ts'

const BERLIN = 'Europe/Berlin'

/** Local times in summer. */
const at = (date: string, time: string) => new Date(`${date}T${time}:00+02:00`)
const shift = (id: number, date: string, [from, to]: [string, string], more: Partial<PlannedShift> = {}): PlannedShift => ({
  id,
  eventId: Math.floor(id / 10),
  ...shiftFields.defaults,
  label: '',
  times: { meeting: at(date, from), start: at(date, from), end: at(date, to) },
  flowSlug: 'request_confirm',
  flowConfiguration: {},
  structureSlug: 'uniform',
  structureConfiguration: {},
  questions: [],
  confirmed: 0,
  requested: 0,
  ...more,
})
const eventOf = (id: number): PlannedEvent => ({
  id,
  ...eventFields.defaults,
  title: 'Run',
  location: 'Park',
  description: null,
  typeId: 1,
  active: true,
  cancelledAt: null,
  cancellationReason: null,
  start: null,
  groups: [1, 2],
  responsibleGroups: [3],
  responsibleUsers: [4],
})

/** An event as the series made it. The keys of its shifts are 1 and 2. */
function member(id: number, date: string, shifts?: PlannedShift[]): SeriesEvent {
  const own = shifts ?? [shift(10 * id + 1, date, ['08:00', '12:00']), shift(10 * id + 2, date, ['12:00', '16:00'])]
  const keys = own.map((each, index) => ({ id: each.id, key: index + 1, parts: {} }))
  const made = { date, event: eventOf(id), shifts: own, generated: { event: {}, shifts: keys } }
  return { ...made, generated: generatedFrom(made, BERLIN) }
}
const MAY = '2031-05-04'
const JUNE = '2031-06-01'
const withEvent = (one: SeriesEvent, more: Partial<PlannedEvent>): SeriesEvent => ({ ...one, event: { ...one.event, ...more } })
const withShift = (one: SeriesEvent, id: number, more: Partial<PlannedShift>): SeriesEvent => ({
  ...one,
  shifts: one.shifts.map((each) => (each.id === id ? { ...each, ...more } : each)),
})
const withoutShift = (one: SeriesEvent, id: number): SeriesEvent => ({
  ...one,
  shifts: one.shifts.filter((each) => each.id !== id),
})
const withAdded = (one: SeriesEvent, added: PlannedShift): SeriesEvent => ({ ...one, shifts: [...one.shifts, added] })

describe('what was changed in an event of a series', () => {
  const made = member(1, MAY)
  const late = { meeting: at(MAY, '08:00'), start: at(MAY, '08:00'), end: at(MAY, '13:00') }
  const CASES: [what: string, now: SeriesEvent, expected: string[]][] = [
    ['nothing', made, []],
    ['the title', withEvent(made, { title: 'Walk' }), ['event-title']],
    ['place and description', withEvent(made, { location: 'Hall', description: '' }), ['event-location', 'event-description']],
    ['the type', withEvent(made, { typeId: 2 }), ['event-type_id']],
    ['groups in another order', withEvent(made, { groups: [2, 1, 2] }), []],
    [
      'groups and responsible people',
      withEvent(made, { groups: [1], responsibleGroups: [], responsibleUsers: [5] }),
      ['event-groups', 'event-responsible_groups', 'event-responsible_users'],
    ],
    ['what the series does not set', withEvent(made, { active: false }), []],
    ['people who signed up', withShift(made, 11, { confirmed: 3, requested: 1 }), []],
    ['a label', withShift(made, 11, { label: 'Early' }), ['shift-1-label']],
    ['times', withShift(made, 12, { times: late }), ['shift-2-times']],
    ['the flow', withShift(made, 11, { flowSlug: 'manual' }), ['shift-1-flow']],
    ['a setting of the flow', withShift(made, 11, { flowConfiguration: { signup_until: 'P1D' } }), ['shift-1-flow']],
    ['the structure', withShift(made, 11, { structureConfiguration: { minimum_age: 16 } }), ['shift-1-structure']],
    ['questions', withShift(made, 12, { questions: [7] }), ['shift-2-questions']],
    ['a new shift', withAdded(made, shift(19, MAY, ['20:00', '22:00'])), ['added-19']],
    ['a deleted shift', withoutShift(made, 11), ['removed-1']],
  ]
  for (const [what, now, expected] of CASES)
    test(what, () => {
      assert.deepEqual(
        changesOf(now, BERLIN).map(({ id }) => id),
        expected,
      )
    })

  test('a part that the series did not know when it made the event is not a change', () => {
    const { generated } = made
    const { title: _title, ...event } = generated.event
    const shifts = generated.shifts.map(({ parts: { label: _label, ...parts }, ...each }) => ({ ...each, parts }))
    assert.deepEqual(changesOf({ ...made, generated: { event, shifts } }, BERLIN), [])
  })

  test('a change says which shift it is about', () => {
    const now = withShift(withoutShift(made, 12), 11, { label: 'Early' })
    assert.deepEqual(changesOf(withAdded(now, shift(19, MAY, ['20:00', '22:00'])), BERLIN), [
      { id: 'shift-1-label', kind: 'shift', key: 1, part: 'label', shift: now.shifts[0] },
      { id: 'added-19', kind: 'added', key: 19, shift: shift(19, MAY, ['20:00', '22:00']) },
      { id: 'removed-2', kind: 'removed', key: 2 },
    ])
    assert.deepEqual(changesOf(withEvent(made, { title: 'Walk' }), BERLIN), [{ id: 'event-title', kind: 'event', part: 'title' }])
  })
})

describe('equal shifts on different days', () => {
  const partsOf = (date: string, more: (id: number) => Partial<PlannedShift>, id = 1) => {
    const shifts = [shift(10 * id + 1, date, ['08:00', '12:00'], more(id)), shift(10 * id + 2, date, ['12:00', '16:00'])]
    return member(id, date, shifts).generated.shifts.map(({ parts }) => parts)
  }
  const flow = (flowConfiguration: object, flowSlug = 'request_confirm') => ({
    flowSlug,
    flowConfiguration: { ...flowConfiguration },
  })
  const CASES: [what: string, inMay: Partial<PlannedShift>, inJune: Partial<PlannedShift>, areEqual: boolean][] = [
    ['times of day', {}, {}, true],
    ['relative deadlines', flow({ signup_until: 'P1D' }), flow({ signup_until: 'P1D' }), true],
    ['other relative deadlines', flow({ signup_until: 'P1D' }), flow({ signup_until: 'P2D' }), false],
    [
      'a fixed deadline on the day before, in two notations',
      flow({ signup_until: '2031-05-03T18:00:00+02:00' }),
      flow({ signup_until: '2031-05-31T18:00' }),
      true,
    ],
    [
      'a fixed opening on the day before',
      flow({ signup_from: '2031-05-03T16:00:00Z' }),
      flow({ signup_from: '2031-05-31T16:00:00Z' }),
      true,
    ],
    [
      'a fixed time for late changes on the day before',
      flow({ late_change_asks_again: '2031-05-03T16:00:00Z' }),
      flow({ late_change_asks_again: '2031-05-31T16:00:00Z' }),
      true,
    ],
    [
      'the same fixed deadline for both',
      flow({ signup_until: '2031-05-03T18:00:00+02:00' }),
      flow({ signup_until: '2031-05-03T18:00:00+02:00' }),
      false,
    ],
    ['a deadline that is no time', flow({ signup_until: 'soon' }), flow({ signup_until: 'soon' }), true],
    ['two that are no times', flow({ signup_until: 'soon' }), flow({ signup_until: 'now' }), false],
    ['other texts are not times', flow({ note: '2031-05-03T18:00' }), flow({ note: '2031-05-31T18:00' }), false],
    ['a deadline that is a number', flow({ signup_until: 5 }), flow({ signup_until: 5 }), true],
    ['the shift that leads', flow({ leader_shift_id: 12 }, 'coupled'), flow({ leader_shift_id: 22 }, 'coupled'), true],
    ['another shift that leads', flow({ leader_shift_id: 12 }, 'coupled'), flow({ leader_shift_id: 21 }, 'coupled'), false],
    ['a leader of another event', flow({ leader_shift_id: 99 }, 'coupled'), flow({ leader_shift_id: null }, 'coupled'), true],
    ['labels', { label: 'A' }, { label: 'B' }, false],
  ]
  for (const [what, inMay, inJune, areEqual] of CASES)
    test(`${what}: ${areEqual ? 'equal' : 'different'}`, () => {
      const [may, june] = [partsOf(MAY, () => inMay, 1), partsOf(JUNE, () => inJune, 2)]
      areEqual ? assert.deepEqual(may, june) : assert.notDeepEqual(may, june)
    })

  test('the same local times in winter', () => {
    const winter = shift(21, MAY, ['08:00', '12:00'], {
      times: {
        meeting: new Date('2031-12-07T07:00:00Z'),
        start: new Date('2031-12-07T07:00:00Z'),
        end: new Date('2031-12-07T11:00:00Z'),
      },
    })
    const summer = member(1, MAY, [shift(11, MAY, ['08:00', '12:00'])])
    assert.deepEqual(member(2, '2031-12-07', [winter]).generated.shifts[0]!.parts, summer.generated.shifts[0]!.parts)
  })

  test('a digest changes with every value, and not with people', () => {
    const made = member(1, MAY)
    const before = digestOf(made, BERLIN)
    assert.match(before, /^[\w-]{12}$/)
    assert.equal(digestOf(withShift(made, 11, { confirmed: 5 }), BERLIN), before)
    assert.notEqual(digestOf(withShift(made, 11, { label: 'x' }), BERLIN), before)
  })
})

describe('what a change does to another event of the series', () => {
  const source = member(1, MAY)
  const target = member(2, JUNE)
  const walk = withEvent(source, { title: 'Walk' })
  const labelled = withShift(source, 11, { label: 'Early' })
  const shorter = withoutShift(source, 11)
  const none = withoutShift(shorter, 12)
  const effects = (from: SeriesEvent, to: SeriesEvent, overwrite = false) =>
    effectsOn(to, { source: from, changes: changesOf(from, BERLIN), overwrite, timeZone: BERLIN })
  const print = (effect: Effect) => `${effect.does}${effect.does === 'blocked' ? ` by ${effect.because}` : ''}`
  const unknown = (to: SeriesEvent): SeriesEvent => ({ ...to, generated: { event: {}, shifts: to.generated.shifts } })

  const CASES: [what: string, from: SeriesEvent, to: SeriesEvent, expected: string[], overwritten?: string[]][] = [
    ['a new title', walk, target, ['apply']],
    ['a title that the event has already', walk, withEvent(target, { title: 'Walk' }), ['same']],
    ['a title that was changed there', walk, withEvent(target, { title: 'Hike' }), ['differs'], ['apply']],
    ['a title that the series did not know there', walk, unknown(withEvent(target, { title: 'Hike' })), ['apply']],
    ['another change there does not matter', walk, withEvent(target, { location: 'Hall' }), ['apply']],
    ['a label', labelled, target, ['apply']],
    ['a label that the shift has already', labelled, withShift(target, 21, { label: 'Early' }), ['same']],
    ['a label that was changed there', labelled, withShift(target, 21, { label: 'First' }), ['differs'], ['apply']],
    ['a shift that is not there any more', labelled, withoutShift(target, 21), ['blocked by no_shift']],
    ['a new shift', withAdded(source, shift(19, MAY, ['20:00', '22:00'])), target, ['apply']],
    [
      'a new shift that was added there before',
      withAdded(source, shift(19, MAY, ['20:00', '22:00'])),
      { ...target, generated: { ...target.generated, shifts: [{ id: 21, key: 19, parts: {} }] } },
      // The second shift of the target is not known to the series then.
      ['same'],
    ],
    ['a deleted shift', shorter, target, ['apply']],
    ['a shift that is deleted there, too', shorter, withoutShift(target, 21), ['same']],
    ['a deleted shift that has confirmed people there', shorter, withShift(target, 21, { confirmed: 1 }), ['blocked by people']],
    [
      'a deleted shift that has as many requests there',
      shorter,
      withShift(target, 21, { confirmed: 1, requested: 1 }),
      ['blocked by people'],
    ],
    ['a deleted shift that was changed there', shorter, withShift(target, 21, { label: 'First' }), ['differs'], ['apply']],
    ['a deleted shift that is the last one there', shorter, withoutShift(target, 22), ['blocked by last_shift']],
    ['all shifts: one stays', none, target, ['apply', 'blocked by last_shift']],
    [
      'a shift that stays does not count as deleted',
      none,
      withShift(target, 21, { confirmed: 1 }),
      ['blocked by people', 'apply'],
    ],
  ]
  for (const [what, from, to, expected, overwritten = expected] of CASES)
    test(what, () => {
      assert.deepEqual(effects(from, to).map(print), expected)
      assert.deepEqual(effects(from, to, true).map(print), overwritten)
    })

  test('an effect names the shift of that event', () => {
    const shiftsOf = (from: SeriesEvent, to: SeriesEvent) => effects(from, to).map((effect) => effect.shift?.id)
    assert.deepEqual(shiftsOf(labelled, target), [21])
    assert.deepEqual(shiftsOf(shorter, target), [21])
    assert.deepEqual(shiftsOf(walk, target), [undefined])
  })

  test('what was applied is known to the series, everything else stays', () => {
    const changed = withShift(withEvent(walk, { location: 'Hall' }), 12, { label: 'Late', questions: [7] })
    const now = generatedFrom(withAdded(withoutShift(changed, 11), shift(19, MAY, ['20:00', '22:00'])), BERLIN)
    const done = changesOf(withAdded(withoutShift(changed, 11), shift(19, MAY, ['20:00', '22:00'])), BERLIN)
      .filter(({ id }) => id !== 'event-location' && id !== 'shift-2-questions')
      .map((change): Effect => ({ change, does: 'apply' }))
    const { generated } = source
    const second = generated.shifts[1]!
    const copy = structuredClone(generated)
    assert.deepEqual(advance(generated, now, done), {
      event: { ...generated.event, title: now.event.title },
      shifts: [
        { ...second, parts: { ...second.parts, label: now.shifts.find(({ key }) => key === 2)!.parts.label } },
        now.shifts.find(({ key }) => key === 19),
      ],
    })
    assert.deepEqual(generated, copy, 'the former value is not changed')
  })

  test('a change of a shift that is gone in the meantime changes nothing', () => {
    const change = { id: '', kind: 'shift', key: 1, part: 'label', shift: source.shifts[0]! } as const
    const added = { id: '', kind: 'added', key: 5, shift: source.shifts[0]! } as const
    const { generated } = source
    const without = { ...generated, shifts: generated.shifts.slice(1) }
    assert.deepEqual(advance(generated, without, [{ change, does: 'apply' }]), generated)
    assert.deepEqual(advance(without, generated, [{ change, does: 'apply' }]), without)
    assert.deepEqual(advance(generated, generated, [{ change: added, does: 'apply' }]), generated)
  })
})

describe('values that are taken from one event to another', () => {
  const [one, other] = [
    eventOf(1),
    { ...eventOf(2), title: 'Walk', groups: [9], typeId: 9, responsibleGroups: [9], responsibleUsers: [9] },
  ]
  for (const [part, name] of [
    ['title', 'title'],
    ['groups', 'groups'],
    ['type_id', 'typeId'],
    ['responsible_groups', 'responsibleGroups'],
    ['responsible_users', 'responsibleUsers'],
  ] as const)
    test(`only the ${part} of the event`, () =>
      assert.deepEqual(withEventPart(one, part, other), { ...one, [name]: other[name] }))

  test('only one part of the shift', () => {
    const former = shift(11, MAY, ['08:00', '12:00'])
    const flow = { flowSlug: 'manual', flowConfiguration: { no_selfservice_explanation: 'x' } }
    const structure = { structureSlug: 'named_teams', structureConfiguration: { teams: [] } }
    const from = { ...former, ...flow, ...structure, label: 'Late' }
    assert.deepEqual(withShiftPart(former, 'flow', from), { ...former, ...flow })
    assert.deepEqual(withShiftPart(former, 'structure', from), { ...former, ...structure })
    assert.deepEqual(withShiftPart(former, 'label', from), { ...former, label: 'Late' })
  })

  test('a shift is moved to the day of the other event, and follows the counterpart of its leader', () => {
    const [source, target] = [member(1, MAY), member(2, JUNE)]
    const moved = shiftFor(source.shifts[0]!, source, target, BERLIN)
    assert.deepEqual(moved.times.start, at(JUNE, '08:00'))
    assert.deepEqual(moved.flowConfiguration, {})
    const follow = (leader: number, to = target) =>
      shiftFor(
        { ...source.shifts[0]!, flowSlug: 'coupled', flowConfiguration: { leader_shift_id: leader, odd: 1 } },
        source,
        to,
        BERLIN,
      ).flowConfiguration
    assert.deepEqual(follow(12), { leader_shift_id: 22, odd: 1 })
    assert.deepEqual(follow(12, withoutShift(target, 22)), { leader_shift_id: null, odd: 1 })
  })

  test('shifts that the series does not know have their id as key', () => {
    assert.deepEqual(
      [...keysOf(withAdded(member(1, MAY), shift(19, MAY, ['20:00', '22:00'])))],
      [
        [11, 1],
        [12, 2],
        [19, 19],
      ],
    )
  })
})

describe('the events that a change is for', () => {
  const [april, may, june] = [member(3, '2031-04-06'), member(1, MAY), member(2, JUNE)]
  const ids = (some: SeriesEvent[]) => some.map(({ event }) => event.id)

  test('an event is over when its last shift has ended', () => {
    assert.deepEqual(
      ['12:00', '15:59', '16:00'].map((time) => isOver(may, at(MAY, time))),
      [false, false, true],
    )
    assert.equal(isOver({ ...may, shifts: [] }, at(JUNE, '12:00')), false)
    assert.equal(isOver(withoutShift(may, 12), at(MAY, '12:00')), true)
  })

  test('the following ones, or all, without those that are over', () => {
    const targets = (scope: 'following' | 'all', now: Date) => ids(targetsOf([april, may, june], may, scope, now))
    assert.deepEqual(targets('following', at('2031-01-01', '08:00')), [2])
    assert.deepEqual(targets('all', at('2031-01-01', '08:00')), [3, 2])
    assert.deepEqual(targets('all', at('2031-05-01', '08:00')), [2])
    const second = { ...member(5, MAY), date: MAY }
    assert.deepEqual(ids(targetsOf([may, second], may, 'following', at('2031-01-01', '08:00'))), [5])
  })

  test('the day of an event is the local day of its first shift', () => {
    const late = shift(12, MAY, ['00:30', '04:00'])
    assert.equal(dateOf([shift(11, '2031-05-05', ['08:00', '12:00']), late], BERLIN), MAY)
    assert.equal(dateOf([late, shift(11, '2031-05-05', ['08:00', '12:00'])], BERLIN), MAY)
    assert.equal(dateOf([], BERLIN), undefined)
  })

  test('new dates get events; events without a date go if nobody signed up', () => {
    const july = withShift(member(4, '2031-07-06'), 41, { requested: 1 })
    const august = withShift(member(6, '2031-08-03'), 61, { confirmed: 1, requested: 1 })
    const members = [april, may, june, july, august]
    const plan = (mayDelete: boolean) => {
      const { added, removed, kept } = planDates(members, [MAY, '2031-05-11'], { now: at('2031-05-01', '08:00'), mayDelete })
      return { added, removed: ids(removed), kept: ids(kept) }
    }
    assert.deepEqual(plan(true), { added: ['2031-05-11'], removed: [2], kept: [4, 6] })
    assert.deepEqual(plan(false), { added: ['2031-05-11'], removed: [], kept: [2, 4, 6] })
  })
})
