import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fieldsIn } from '#test/support/form-fields.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { ANN, HELPERS, PAUL } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld } from '#test/support/world.ts'

describe('the page of the shift table', async () => {
  const world = await openWorld()
  const paul = await browserOf(world, PAUL)
  const addEvent = (shifts = [{ label: 'A' }, { label: 'B' }]) =>
    world.addEvent({ title: 'Fair', seenBy: [HELPERS], responsible: [PAUL], shifts })
  const pageOf = (id: number) => `/events/${id}/shifts/`
  const fieldsOf = async (page: string) => fieldsIn((await paul.get(page)).body)
  const labels = async (id: number) =>
    (
      await world.db.read
        .selectFrom('shift')
        .select('label')
        .where('event_id', '=', id)
        .orderBy('start_time')
        .orderBy('id')
        .execute()
    ).map(({ label }) => label)

  test('shows the shifts as rows with their cells', async () => {
    const { id } = await addEvent()
    const { body, statusCode: status } = await paul.get(pageOf(id))
    assert.equal(status, 200)
    checkMarkup(body)
    assert.match(body, /name="r0-label" value="A"/)
    assert.match(body, /name="r1-label" value="B"/)
    assert.match(body, /Nothing to save yet/)
  })
  test('pastes, keeps what was typed, and saves', async () => {
    const { id } = await addEvent()
    const page = pageOf(id)
    const typed = {
      ...(await fieldsOf(page)),
      'r0-label': 'A2',
      paste: 'Date\tTime\tTask\tPeople\n1 Jun 2031\t8–12\tBar\t3\nx\t12–16\tBar\t2',
    }
    const pasted = await paul.post(page, { form: { ...typed, do: 'paste' } })
    assert.match(pasted.body, /2 rows were added below/)
    assert.match(pasted.body, /name="r0-label" value="A2"/)
    assert.match(pasted.body, /This is not a date/)
    const refused = await paul.post(page, { form: { ...fieldsIn(pasted.body), do: 'save' } })
    assert.equal(refused.statusCode, 422)
    checkMarkup(refused.body)
    assert.match(refused.body, /href="#field-r3-date">Row 4, Date: This is not a date/)
    assert.deepEqual(await labels(id), ['A', 'B'])
    const saved = await paul.post(page, { form: { ...fieldsIn(refused.body), 'r3-date': '1.6.2031', do: 'save' } })
    assert.equal(saved.statusCode, 303)
    assert.deepEqual(await labels(id), ['A2', 'B', 'Bar', 'Bar'])
    const after = await paul.get(page)
    assert.match(after.body, /3 shifts are saved\. Nobody is notified/)
    assert.match(after.body, /Paul saved the table/)
    const step = /name="step" value="(\d+)"/.exec(after.body)![1]!
    assert.equal((await paul.post(`${page}undo/`, { form: { step } })).statusCode, 303)
    assert.deepEqual(await labels(id), ['A', 'B'])
  })
  test('reads “tomorrow” from today in the time zone of the instance, also for an event of next year', async () => {
    const { id } = await world.addEvent({ responsible: [PAUL], shifts: [{ start: '2032-03-01T08:00:00Z' }] })
    const before = world.now
    // In Berlin it is the 2nd already.
    world.now = new Date('2031-05-01T23:00:00Z')
    try {
      const typed = { ...(await fieldsOf(pageOf(id))), paste: 'Date\tTime\tTask\nmorgen\t8–12\tBar' }
      const pasted = await paul.post(pageOf(id), { form: { ...typed, do: 'paste' } })
      assert.equal((await paul.post(pageOf(id), { form: { ...fieldsIn(pasted.body), do: 'save' } })).statusCode, 303)
    } finally {
      world.now = before
    }
    const starts = await world.db.read
      .selectFrom('shift')
      .select('start_time')
      .where('label', '=', 'Bar')
      .where('event_id', '=', id)
      .execute()
    assert.deepEqual(
      starts.map(({ start_time }) => start_time.toISOString()),
      ['2031-05-03T06:00:00.000Z'],
    )
  })
  for (const step of ['save', 'preview'])
    test(`${step} adds pasted text that is no row yet, and saves nothing`, async () => {
      const { id } = await addEvent()
      const typed = { ...(await fieldsOf(pageOf(id))), 'r0-label': 'A2', paste: '1 Jun 2031\t8–12\tBar\t3' }
      const { statusCode, body } = await paul.post(pageOf(id), { form: { ...typed, do: step } })
      assert.equal(statusCode, 200)
      assert.match(body, /One row was added below|1 row was added below/)
      assert.deepEqual(await labels(id), ['A', 'B'])
      await paul.post(pageOf(id), { form: { ...fieldsIn(body), do: 'save' } })
      assert.deepEqual(await labels(id), ['A2', 'B', 'Bar'])
    })
  test('asks before people are affected', async () => {
    const { id, shifts } = await addEvent()
    await world.addParticipation({ who: ANN, shift: shifts[0]! })
    const page = pageOf(id)
    const asked = await paul.post(page, { form: { ...(await fieldsOf(page)), 'r0-start': '6:00', do: 'save' } })
    assert.equal(asked.statusCode, 200)
    checkMarkup(asked.body)
    assert.match(asked.body, /What saving does/)
    assert.match(asked.body, /Ann/)
    assert.match(asked.body, /Save and notify one person/)
    assert.equal((await paul.post(page, { form: { ...fieldsIn(asked.body), do: 'save' } })).statusCode, 303)
    assert.match((await paul.get(page)).body, /name="r0-start" value="06:00"/)
  })
  test('keeps what both planners typed after a conflict', async () => {
    const { id } = await addEvent()
    const page = pageOf(id)
    const mine = { ...(await fieldsOf(page)), 'r0-label': 'Mine', 'r1-label': 'Also mine' }
    await paul.post(page, { form: { ...(await fieldsOf(page)), 'r0-label': 'Theirs', do: 'save' } })
    const refused = await paul.post(page, { form: { ...mine, do: 'save' } })
    assert.equal(refused.statusCode, 409)
    checkMarkup(refused.body)
    assert.match(refused.body, /Now saved by someone else: title Theirs/)
    assert.match(refused.body, /name="r0-label" value="Mine"/)
    assert.equal((await paul.post(page, { form: { ...fieldsIn(refused.body), do: 'save' } })).statusCode, 303)
    assert.deepEqual(await labels(id), ['Mine', 'Also mine'])
  })
  test('is for those who plan the event', async () => {
    const { id } = await addEvent()
    const ann = await browserOf(world, ANN)
    assert.equal((await ann.get(pageOf(id))).statusCode, 403)
    assert.equal((await ann.post(pageOf(id), { form: { do: 'save' } })).statusCode, 403)
    assert.equal((await ann.post(`${pageOf(id)}undo/`, { form: { step: '1' } })).statusCode, 403)
    assert.equal((await ann.get(pageOf(99999))).statusCode, 404)
  })
  test('is reached from the event, its form and a new event', async () => {
    const { id } = await addEvent()
    assert.match((await paul.get(`/events/${id}-fair/`)).body, new RegExp(`href="${pageOf(id)}"`))
    assert.match((await paul.get(`/events/${id}/edit/`)).body, new RegExp(`href="${pageOf(id)}"`))
    const form = fieldsIn((await paul.get('/events/new/?type=1')).body)
    const made = await paul.post('/events/new/', { form: { ...form, title: 'Festival', location: 'Park', do: 'draft:shifts/' } })
    assert.equal(made.statusCode, 303)
    assert.match(String(made.headers.location), /^\/events\/\d+\/shifts\/$/)
  })
})
