import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { starterUuid } from '#features/accounts/qualifications/rules/starters.ts'
import { getFlow } from '#features/staffing/staffing/flows/registry.ts'
import { getStructure } from '#features/staffing/staffing/structures/registry.ts'
import { ORGANISATIONS } from '#platform/features/modules.ts'
import { SOURCE_LANGUAGES } from '#platform/i18n/languages.ts'
import { chooseType, contentOfStarter, countNeeded, firstDayOn, getStarter, qualificationsOf } from './starter-content.ts'
import { STARTERS, STARTERS_OF, type Starter } from './starters.ts'

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/
const QUALIFICATIONS = new Map(
  STARTERS.flatMap((starter) => qualificationsOf(getStarter(starter))).map((name, index) => [starterUuid(name), index + 1]),
)
const HERE = {
  language: 'de',
  now: new Date('2026-05-20T17:30:00Z'),
  timeZone: 'Europe/Berlin',
  qualifications: QUALIFICATIONS,
  hasCompanions: true,
} as const
const shiftsOf = (starter: Starter, more: Partial<Parameters<typeof contentOfStarter>[1]> = {}) =>
  contentOfStarter(starter, { ...HERE, ...more }).shifts

describe('templates to begin with', () => {
  test('are there for every kind of organisation, each of them for some', () => {
    for (const kind of ORGANISATIONS) assert.ok(STARTERS_OF[kind].length >= 3, kind)
    assert.deepEqual(new Set(Object.values(STARTERS_OF).flat()), new Set(STARTERS))
  })

  test('have names of their own, in both languages', () => {
    for (const language of SOURCE_LANGUAGES) {
      const names = STARTERS.map((starter) => getStarter(starter).name[language])
      assert.equal(new Set(names).size, STARTERS.length, language)
      for (const starter of STARTERS) {
        const { name, description, types, shifts } = getStarter(starter)
        assert.ok(name[language] && description[language] && types[language].length, starter)
        // Several shifts are told apart by their labels and times.
        const shown = shifts.map(({ label, day, start }) => `${label[language]} ${day ?? 0} ${start}`)
        assert.equal(new Set(shown).size, shifts.length, starter)
        if (shifts.length > 1) for (const { label } of shifts) assert.ok(label[language], starter)
      }
    }
  })

  for (const starter of STARTERS)
    test(`${starter} has shifts that can be planned as they are`, () => {
      const { weekday, shifts } = getStarter(starter)
      assert.ok(weekday >= 1 && weekday <= 7 && shifts.length > 0)
      for (const { start, end, meeting = start, places } of shifts) {
        for (const time of [start, end, meeting]) assert.match(time, TIME)
        assert.ok(meeting <= start)
        for (const { min, max } of places) assert.ok(min >= 0 && max >= Math.max(min, 1))
      }
      for (const qualifications of [QUALIFICATIONS, new Map<string, number>()])
        for (const shift of shiftsOf(starter, { qualifications })) {
          const flow = getFlow(shift.flowSlug)!
          const times = { start: new Date(shift.start), end: new Date(shift.end) }
          assert.ok(new Date(shift.meeting) <= times.start && times.start < times.end)
          assert.ok(flow.readRules(shift.flowConfiguration, times, HERE.timeZone))
          const structure = getStructure(shift.structureSlug)!
          assert.equal(structure.configuration.safeParse(shift.structureConfiguration).success, true)
        }
    })

  test('say how many people they need', () => {
    assert.equal(countNeeded(getStarter('match')), 3)
    assert.equal(countNeeded(getStarter('training')), 0)
  })
})

describe('what a template to begin with becomes', () => {
  test('a shift over midnight ends on the next day, and one of the second day begins then', () => {
    const shifts = shiftsOf('weekend')
    const span = ({ start, end }: { start: string; end: string }) => [start, end]
    assert.deepEqual(span(shifts[1]!), ['2026-05-29T20:00:00.000Z', '2026-05-30T05:00:00.000Z'])
    assert.deepEqual(span(shifts[2]!), ['2026-05-30T05:00:00.000Z', '2026-05-30T20:00:00.000Z'])
    assert.equal(shifts[0]!.meeting, '2026-05-29T13:30:00.000Z')
    assert.equal(shifts[1]!.meeting, shifts[1]!.start)
  })

  test('times are those of the place, also when the clocks change', () => {
    const [first, , second] = shiftsOf('weekend', { now: new Date('2026-10-14T10:00:00Z') })
    assert.equal(first!.start, '2026-10-23T14:00:00.000Z')
    assert.equal(second!.start, '2026-10-24T05:00:00.000Z')
    const sunday = shiftsOf('weekend', { now: new Date('2026-10-14T10:00:00Z') })[5]!
    assert.equal(sunday.start, '2026-10-25T06:00:00.000Z')
  })

  test('people sign up until it begins, and ask first where responsibles decide', () => {
    const [team] = shiftsOf('match')
    const [drill] = shiftsOf('drill')
    assert.deepEqual([team!.flowSlug, drill!.flowSlug], ['request_confirm', 'instant_confirmation'])
    assert.equal(drill!.flowConfiguration.signup_until, '2026-05-27T19:00:00+02:00')
    assert.deepEqual(
      [team!, drill!].map(({ flowConfiguration: { user_can_decline_confirmed: can } }) => can),
      [false, true],
    )
  })

  test('places are for qualifications that exist, and for everybody else', () => {
    const emt = QUALIFICATIONS.get(starterUuid('emt'))
    const responder = QUALIFICATIONS.get(starterUuid('first_responder'))
    const needs = (qualifications: ReadonlyMap<string, number>) => shiftsOf('match', { qualifications })[0]!
    assert.deepEqual(needs(QUALIFICATIONS).structureConfiguration.qualification_requirements, [
      { qualification: emt, min_count: 1, max_count: 1 },
      { qualification: responder, min_count: 2, max_count: 3 },
    ])
    const onlyOne = needs(new Map([[starterUuid('emt'), emt!]]))
    assert.deepEqual(
      (onlyOne.structureConfiguration.qualification_requirements as { qualification: unknown }[]).map((one) => one.qualification),
      [emt, null],
    )
    const none = needs(new Map())
    assert.deepEqual(
      [
        none.structureSlug,
        none.structureConfiguration.minimum_number_of_participants,
        none.structureConfiguration.maximum_number_of_participants,
      ],
      ['uniform', 3, 4],
    )
    assert.equal(shiftsOf('training')[0]!.structureConfiguration.minimum_number_of_participants, null)
  })

  test('people bring others only where the organisation uses that', () => {
    const bring = (hasCompanions: boolean) =>
      shiftsOf('working_day', { hasCompanions }).map(({ flowConfiguration }) => flowConfiguration.user_can_bring)
    assert.deepEqual(bring(true), [2, undefined, 2])
    assert.deepEqual(bring(false), [undefined, undefined, undefined])
  })

  test('it is in the language of the planner', () => {
    const titles = SOURCE_LANGUAGES.map((language) => {
      const { title, shifts } = contentOfStarter('match', { ...HERE, language })
      return [title, shifts[0]!.label]
    })
    assert.deepEqual(
      new Set(titles.flat()),
      new Set(['First aid at a match', 'Pitch team', 'Sanitätsdienst beim Spiel', 'Team am Spielfeld']),
    )
  })
})

describe('the first day', () => {
  const CASES: [weekday: number, now: string, expected: string][] = [
    [3, '2026-05-20T17:30:00Z', '2026-05-27'],
    [4, '2026-05-20T17:30:00Z', '2026-05-28'],
    [2, '2026-05-20T17:30:00Z', '2026-06-02'],
    // Already Thursday in Berlin.
    [3, '2026-05-20T22:30:00Z', '2026-06-03'],
  ]
  for (const [weekday, now, expected] of CASES)
    test(`on weekday ${weekday} after ${now} is ${expected}`, () =>
      assert.equal(firstDayOn(weekday, new Date(now), 'Europe/Berlin'), expected))
})

describe('the event type of a template to begin with', () => {
  const types = (...titles: string[]) => titles.map((title, id) => ({ id, title }))
  const CASES: [what: string, titles: string[], expected: string | undefined][] = [
    ['its own title', ['Dienst', 'Übung'], 'Übung'],
    ['a title in the other language', ['Dienst', 'training'], 'training'],
    ['the first title that fits', ['Ausbildung', ' ÜBUNGEN '], ' ÜBUNGEN '],
    ['the only type', ['Sonstiges'], 'Sonstiges'],
    ['none of several', ['Sonstiges', 'Dienst'], undefined],
    ['none of none', [], undefined],
  ]
  for (const [what, titles, expected] of CASES)
    test(`is ${what}`, () => assert.equal(chooseType(getStarter('drill'), types(...titles))?.title, expected))
})
