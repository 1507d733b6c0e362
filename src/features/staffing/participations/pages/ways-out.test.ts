import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkMarkup } from '#test/support/markup.ts'
import { ANN, BEN, HELPERS, PAUL } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld } from '#test/support/world.ts'

const plain = (text: string) => text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')
const at = (date: number, hour: number) => `2031-05-0${date}T${String(hour).padStart(2, '0')}:00:00+02:00`
const INSTANT = { flow: 'instant_confirmation', configuration: { maximum_number_of_participants: 1 } }

describe('a person who cannot sign up', async () => {
  const world = await openWorld()
  const browser = await browserOf(world, ANN)
  const addEvent = (shifts: object[]) =>
    world.addEvent({ title: 'Run', seenBy: [HELPERS], responsible: [PAUL], shifts: shifts as never })
  const read = async (path: string) => {
    const { statusCode, body } = await browser.get(path)
    assert.equal(statusCode, 200, path)
    assert.deepEqual(checkMarkup(body), [])
    return body
  }

  test('for a full shift sees the next shift with places and who decides', async () => {
    const { id, shifts } = await addEvent([
      { start: at(4, 8), end: at(4, 12), ...INSTANT },
      { start: at(5, 8), end: at(5, 12), label: 'Late', ...INSTANT },
    ])
    await world.addParticipation({ who: BEN, shift: shifts[0]! })
    for (const path of [`/events/${id}-run/`, `/shifts/${shifts[0]}/signup/`]) {
      const body = await read(path)
      assert.match(
        plain(body),
        /All places that you qualify for are taken\. A place is free here: Mon 5 May 08:00–12:00, Late \./,
      )
      assert.ok(body.includes(`href="/shifts/${shifts[1]}/signup/"`))
      assert.match(plain(body), /Paul decides about exceptions\./)
    }
    await world.addParticipation({ who: BEN, shift: shifts[1]! })
    assert.match(
      plain(await read(`/shifts/${shifts[0]}/signup/`)),
      /No other shift of this event has a place for you at the moment/,
    )
  })

  test('because of their age sees from when on they are old enough', async () => {
    await world.db.write.updateTable('user_profile').set({ date_of_birth: '2015-06-04' }).where('id', '=', ANN.id).execute()
    const { id } = await addEvent([{ start: at(4, 8), end: at(4, 12), configuration: { minimum_age: 16 } }])
    assert.match(
      plain(await read(`/events/${id}-run/`)),
      /at least 16 years old on the day of the shift\. You can take part in shifts from 4 June 2031 on\..*Paul decides/,
    )
    await world.db.write.updateTable('user_profile').set({ date_of_birth: ANN.dateOfBirth }).where('id', '=', ANN.id).execute()
  })

  test('until the end, because a qualification expires, can choose an earlier end', async () => {
    const medic = await world.addQualification('Medic')
    await world.holds(ANN, medic, new Date('2031-05-04T21:59:59.999Z'))
    const night = { start: at(4, 20), end: at(5, 4), configuration: { required_qualification_ids: [medic.id] } }
    const { id, shifts } = await addEvent([night])
    const [shift] = shifts as [number]
    const page = await read(`/events/${id}-run/`)
    assert.match(plain(page), /Your qualification is valid until .*4 May.*23:59.*Choose an end that is not later\./)
    const form = await read(`/shifts/${shift}/signup/`)
    assert.match(form, /name="end"[^>]*value="2031-05-04T23:59"|value="2031-05-04T23:59"[^>]*name="end"/)
    const send = (end: string) =>
      browser.post(`/shifts/${shift}/signup/`, { form: { doing: 'sign-up', start: '2031-05-04T20:00', end, comment: '' } })
    assert.equal((await send('2031-05-05T04:00')).statusCode, 422)
    assert.equal((await send('2031-05-04T23:59')).statusCode, 303)
    const { state, individual_end_time } = await world.db.read
      .selectFrom('participation')
      .select(['state', 'individual_end_time'])
      .where('shift_id', '=', shift)
      .executeTakeFirstOrThrow()
    assert.deepEqual([state, individual_end_time?.toISOString()], [0, '2031-05-04T21:59:00.000Z'])
  })

  test('is refused if times are fixed', async () => {
    const cook = await world.addQualification('Cook')
    await world.holds(ANN, cook, new Date('2031-05-04T21:59:59.999Z'))
    const { id } = await addEvent([
      {
        start: at(4, 20),
        end: at(5, 4),
        configuration: { required_qualification_ids: [cook.id] },
        flowConfiguration: { user_can_customize_signup_times: false },
      },
    ])
    assert.match(plain(await read(`/events/${id}-run/`)), /For this shift you need Cook, valid until the end\./)
  })

  test('at a time that the change of clocks skips or repeats is asked for another, or which one', async () => {
    const { shifts } = await addEvent([{ start: '2031-10-26T00:00:00+02:00', end: '2031-10-26T08:00:00+01:00' }])
    const [shift] = shifts as [number]
    const send = (fields: Record<string, string>) =>
      browser.post(`/shifts/${shift}/signup/`, {
        form: { doing: 'sign-up', start: '2031-10-26T02:30', end: '2031-10-26T08:00', comment: '', ...fields },
      })
    const asked = await send({})
    assert.equal(asked.statusCode, 422)
    assert.deepEqual(checkMarkup(asked.body), [])
    assert.match(asked.body, /this time occurs twice.*name="start_which"/s)
    assert.equal((await send({ start_which: 'later' })).statusCode, 303)
    const stored = await world.db.read
      .selectFrom('participation')
      .select('individual_start_time')
      .where('shift_id', '=', shift)
      .executeTakeFirstOrThrow()
    assert.equal(stored.individual_start_time?.toISOString(), '2031-10-26T01:30:00.000Z')
    assert.match(await read(`/shifts/${shift}/signup/`), /name="start_which"/)
    const spring = await addEvent([{ start: '2031-03-30T00:00:00+01:00', end: '2031-03-30T08:00:00+02:00' }])
    world.now = new Date('2031-03-01T10:00:00Z')
    const refused = await browser.post(`/shifts/${spring.shifts[0]}/signup/`, {
      form: { doing: 'sign-up', start: '2031-03-30T02:30', end: '2031-03-30T08:00', comment: '' },
    })
    assert.equal(refused.statusCode, 422)
    assert.match(refused.body, /this time does not exist/)
  })
})
