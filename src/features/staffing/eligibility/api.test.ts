import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import type { Json } from '#test/support/api-response.ts'
import type { ShiftOptions } from '#test/support/fixtures.ts'
import { ANN, BEN, HELPERS } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'

const day = (hour: number, date = 4) => `2031-05-0${date}T${String(hour).padStart(2, '0')}:00:00+02:00`
const codes = (reasons: { code: string }[]) => reasons.map(({ code }) => code)

describe('eligibility as data', async () => {
  const world = await openWorld()
  const { write } = world.db
  const ann = world.as(ANN, 'ME_READ', 'ME_WRITE')
  beforeEach(async () => {
    await write.deleteFrom('participation').execute()
    await write.deleteFrom('setting').execute()
  })
  async function addShifts(...shifts: ShiftOptions[]): Promise<number[]> {
    const usual = { start: day(8), end: day(12), meeting: day(7) }
    return (await world.addEvent({ seenBy: [HELPERS], shifts: shifts.map((shift) => ({ ...usual, ...shift })) })).shifts
  }
  const get = async (shift: number) => (await ann.get(`/api/shifts/${shift}/eligibility/`)).body

  test('tells what the caller may do, and the rules of the shift', async () => {
    const [shift] = await addShifts({ flowConfiguration: { signup_until: day(8, 3), user_can_customize_signup_times: true } })
    await write.insertInto('setting').values({ name: 'individual_times_tolerance_minutes', value: '30' }).execute()
    const { event, ...found } = await get(shift!)
    assert.equal(typeof event, 'number')
    assert.deepEqual(found, {
      shift,
      participation: null,
      state: null,
      sign_up: { allowed: true, reasons: [] },
      decline: { allowed: true, reasons: [] },
      change: { allowed: false, reasons: [{ code: 'not_in', detail: 'You are not signed up for this shift.' }] },
      state_after_sign_up: { value: 0, label: 'requested' },
      needed: [],
      warnings: [],
      opens_at: null,
      closes_at: day(8, 3),
      times: {
        can_choose: true,
        earliest: '2031-05-04T06:30:00+02:00',
        latest: '2031-05-04T12:30:00+02:00',
        qualified_until: null,
      },
      places: null,
      questions: [],
    })
  })

  test('names the own participation and its state', async () => {
    const [shift] = await addShifts({ flow: 'instant_confirmation' })
    const id = await world.addParticipation({ who: ANN, shift: shift!, state: 1 })
    const { participation, state, sign_up, decline, change } = await get(shift!)
    assert.deepEqual([participation, state], [id, { value: 1, label: 'confirmed' }])
    assert.deepEqual(
      [codes(sign_up.reasons), codes(decline.reasons), codes(change.reasons)],
      [['already_in'], ['may_not_leave'], ['may_not_leave']],
    )
  })

  test('a sign-up is refused for exactly the reasons that it lists', async () => {
    const medic = await world.addQualification('Medic')
    const configuration = { minimum_age: 60, qualification_requirements: [{ qualification: medic.id, min_count: 1 }] }
    const [shift] = await addShifts({
      structure: 'qualification_mix',
      configuration,
      flowConfiguration: { signup_from: day(0, 3) },
    })
    const { sign_up } = await get(shift!)
    assert.equal(sign_up.allowed, false)
    assert.deepEqual(codes(sign_up.reasons), ['not_open_yet', 'too_young', 'not_qualified'])
    assert.deepEqual((await ann.post(`/api/shifts/${shift}/signup/`, {})).body.errors, sign_up.reasons)
  })

  test('lists what an empty object lacks, with values that a sign-up accepts', async () => {
    const teams = [
      { uuid: 'red', title: 'Red', max_count: 1 },
      { uuid: 'blue', title: 'Blue' },
      { uuid: 'green', title: 'Green' },
    ]
    const [shift, busy] = await addShifts(
      { flow: 'instant_confirmation', structure: 'named_teams', configuration: { choose_preferred_team: true, teams } },
      { start: day(11), end: day(14) },
    )
    await world.addParticipation({ who: BEN, shift: shift!, state: 1, data: { dispatched_team_uuid: 'red' } })
    await world.addParticipation({ who: ANN, shift: busy!, state: 1 })
    const values = { name: 'Size', text: 'Size?', kind: 'single', choices: JSON.stringify(['S', 'M']), required: true }
    const { id } = await write.insertInto('question').values(values).returning('id').executeTakeFirstOrThrow()
    await write.insertInto('shift_question').values({ shift_id: shift!, question_id: id }).execute()
    const { sign_up, needed, places, questions }: Json = await get(shift!)
    assert.equal(sign_up.allowed, true)
    assert.deepEqual(
      needed.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code]),
      [
        ['/start_time', 'partial_conflict'],
        ['/wish', 'wish_needed'],
        ['/answers', 'answers_needed'],
      ],
    )
    assert.deepEqual(places, {
      kind: 'team',
      required: true,
      wish: null,
      options: [
        { wish: 'blue', title: 'Blue' },
        { wish: 'green', title: 'Green' },
      ],
      full: ['Red'],
      unqualified: [],
    })
    assert.deepEqual(questions, [
      { id, kind: 'single', name: 'Size', text: 'Size?', description: '', choices: ['S', 'M'], required: true, answer: null },
    ])
    const body = { end_time: day(11), wish: 'green', answers: { [id]: 'M' } }
    assert.equal((await ann.post(`/api/shifts/${shift}/signup/`, body)).status, 201)
    const after = await get(shift!)
    assert.deepEqual([after.needed, after.places.wish, after.questions[0].answer], [[], 'green', 'M'])
  })

  test('warns about short rests', async () => {
    await write.insertInto('work_limit').values({ kind: 'rest_hours', value: 11, blocks: false }).execute()
    const [shift, before] = await addShifts({}, { start: day(4), end: day(6), meeting: day(4) })
    await world.addParticipation({ who: ANN, shift: before!, state: 1 })
    const { sign_up, warnings } = await get(shift!)
    assert.equal(sign_up.allowed, true)
    assert.deepEqual(codes(warnings), ['short_rest'])
    assert.match(warnings[0].detail, /Harbour run/)
  })

  test('a broken configuration is a reason, not a failure', async () => {
    const [shift] = await addShifts({ flow: 'unheard_of', structure: 'unheard_of' })
    const { sign_up, state_after_sign_up, closes_at } = await get(shift!)
    assert.deepEqual([codes(sign_up.reasons), state_after_sign_up, closes_at], [['configuration_broken'], null, null])
  })

  test('shifts that the caller does not see are not found', async () => {
    const { shifts } = await world.addEvent({ seenBy: [BEN], shifts: [{}] })
    assert.equal(await ann.status(`/api/shifts/${shifts[0]}/eligibility/`), 404)
  })
})
