import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fieldsIn } from '#test/support/form-fields.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { ANN, BEN, HELPERS, PAUL } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld } from '#test/support/world.ts'

const at = (day: number, hour: number) => `2031-05-${String(day).padStart(2, '0')}T${String(hour).padStart(2, '0')}:00:00+02:00`
type Wish = { start: string; end: string; minimum?: number; isMedic?: boolean }

describe('filling open places', async () => {
  const world = await openWorld()
  const { write, read } = world.db
  const medic = await world.addQualification('Medic')
  await world.holds(ANN, medic)
  const paul = await browserOf(world, PAUL)
  const mix = { qualification_requirements: [{ qualification: medic.id, min_count: 1, max_count: 1 }] }
  const addShifts = async (...shifts: Wish[]) =>
    world.addEvent({
      title: 'Harbour run',
      seenBy: [HELPERS],
      responsible: [PAUL],
      shifts: shifts.map(({ start, end, minimum = 1, isMedic }) => ({
        start,
        end,
        meeting: start,
        flow: 'request_confirm',
        ...(isMedic
          ? { structure: 'qualification_mix', configuration: mix }
          : { structure: 'uniform', configuration: { minimum_number_of_participants: minimum } }),
      })),
    })
  const request = (shift: number, ...people: (typeof ANN)[]) =>
    Promise.all(people.map((who) => world.addParticipation({ who, shift, state: 0 })))
  const states = async (shift: number) => {
    const query = read.selectFrom('participation').select(['user_id', 'state']).where('shift_id', '=', shift)
    return (await query.orderBy('user_id').execute()).map(({ user_id, state }) => `${user_id}: ${state}`)
  }
  const state = (who: typeof ANN, value: number) => `${who.id}: ${value}`
  /** Submits the proposal as a browser does. */
  const apply = async (url: string, change: (value: string) => string = (value) => value) => {
    const fields = Object.entries(fieldsIn((await paul.get(url)).body, 'proposal'))
    return paul.post(url, { form: Object.fromEntries(fields.map(([name, value]) => [name, change(String(value))])) })
  }
  const runs = () => read.selectFrom('fill_run').selectAll().orderBy('id', 'desc').execute()

  test('proposes requesters for places that they are qualified for, and confirms them in one step', async () => {
    const day = { start: at(5, 8), end: at(5, 12) }
    const { id, shifts } = await addShifts({ ...day, isMedic: true }, day)
    const [first, second] = shifts as [number, number]
    for (const shift of shifts) await request(shift, ANN, BEN)
    const url = `/planning/fill/?event=${id}`
    const page = await paul.get(url)
    assert.equal(page.statusCode, 200)
    assert.deepEqual(checkMarkup(page.body), [])
    assert.match(page.body, /2 people proposed/)
    assert.match(page.body, /Requested to take part\. Only this person can take the place\./)
    assert.deepEqual(await states(first), [state(ANN, 0), state(BEN, 0)], 'nothing is written by looking')
    assert.equal((await apply(url)).statusCode, 303)
    assert.deepEqual(await states(first), [state(ANN, 1), state(BEN, 0)])
    assert.deepEqual(await states(second), [state(ANN, 0), state(BEN, 1)])
    const entries = await read.selectFrom('journal').select('changes').where('kind', '=', 'participation.moved').execute()
    assert.deepEqual(
      entries.map(({ changes }) => (changes as { cause?: string }).cause),
      ['auto_fill', 'auto_fill'],
    )
    assert.match((await paul.get(url)).body, /No places are open here/)
  })

  test('keeps the people whom the planner fixed and proposes the rest again', async () => {
    const { id, shifts } = await addShifts({ start: at(12, 8), end: at(12, 12) }, { start: at(12, 9), end: at(12, 13) })
    const [first, second] = shifts as [number, number]
    await request(first, ANN)
    for (const shift of shifts) await request(shift, BEN)
    const url = `/planning/fill/?event=${id}`
    const page = await paul.get(url)
    const fields = fieldsIn(page.body, 'proposal')
    const [name, before] = Object.entries(fields).find(([, value]) => String(value).startsWith(`${first}|`))!
    assert.match(String(before), new RegExp(`local-${ANN.id}`), 'Ben can take the second alone')
    const other = new RegExp(`value="(${first}\\|local-${BEN.id}\\|[^"]*)"`).exec(page.body)![1]!
    const sent = await paul.post(url, { form: { ...fields, [name]: other, fix: name, do: 'refill' } })
    assert.equal(sent.statusCode, 303)
    assert.deepEqual(await states(first), [state(ANN, 0), state(BEN, 0)], 'nothing is written')
    const again = await paul.get(String(sent.headers.location))
    assert.deepEqual(checkMarkup(again.body), [])
    const kept = fieldsIn(again.body, 'proposal')
    assert.match(String(kept[name]), new RegExp(`local-${BEN.id}`))
    assert.equal(kept.fix, name)
    const rest = Object.values(kept).find((value) => String(value).startsWith(`${second}|`))
    assert.match(String(rest), new RegExp(`local-${ANN.id}`), 'Ben cannot have both')
    await paul.post(String(sent.headers.location), { form: kept })
    assert.deepEqual(await states(first), [state(ANN, 0), state(BEN, 1)])
    assert.match(
      (await paul.get(`${url}&fix=local-999999@${first}-x`)).body,
      /1 person whom you wanted to keep does not fit any more/,
    )
  })

  test('restores what was there before, also people without a participation, and leaves later changes alone', async () => {
    const { id, shifts } = await addShifts({ start: at(6, 8), end: at(6, 12), minimum: 2 }, { start: at(7, 8), end: at(7, 12) })
    const [first, second] = shifts as [number, number]
    await request(first, ANN)
    await request(second, BEN)
    await apply(`/planning/fill/?event=${id}&pool=everyone`)
    assert.deepEqual(await states(first), [state(ANN, 1), state(PAUL, 1)], 'Ben has the other shift')
    assert.deepEqual(await states(second), [state(BEN, 1)])
    const later = await read.selectFrom('participation').selectAll().where('shift_id', '=', second).executeTakeFirstOrThrow()
    await world.db.write
      .insertInto('journal')
      .values({
        kind: 'participation.moved',
        at: new Date(world.now.getTime() + 1000),
        actor_kind: 'user',
        actor_id: PAUL.id,
        subject_kind: 'participation',
        subject_id: later.id,
        changes: '{}',
      })
      .execute()
    const [run] = await runs()
    const answer = await paul.post('/planning/fill/undo/', { form: { run: String(run!.id) } })
    assert.equal(answer.statusCode, 303)
    assert.deepEqual(await states(first), [state(ANN, 0)])
    assert.deepEqual(await states(second), [state(BEN, 1)], 'changed since')
    assert.ok((await runs())[0]!.undone_at)
    await paul.post('/planning/fill/undo/', { form: { run: String(run!.id) } })
    assert.deepEqual(await states(first), [state(ANN, 0)], 'a second click changes nothing')
  })

  test('proposes everybody who fits if nobody has requested, and says so', async () => {
    const { id, shifts } = await addShifts({ start: at(10, 8), end: at(10, 12) })
    const url = `/planning/fill/?event=${id}`
    const SAID = /Nobody has requested to take part: everybody who fits is proposed/
    const page = (await paul.get(url)).body
    assert.match(page, SAID)
    assert.match(page, /<option value="everyone" selected/)
    assert.match(page, /1 person proposed/)
    const chosen = (await paul.get(`${url}&pool=requested`)).body
    assert.doesNotMatch(chosen, SAID)
    assert.match(chosen, /0 people proposed/)
    await request(shifts[0]!, ANN)
    const requested = (await paul.get(url)).body
    assert.doesNotMatch(requested, SAID)
    assert.match(requested, /<option value="requested" selected/)
  })

  test('shows for a day what was filled last, with a button that undoes it', async () => {
    const { id, shifts } = await addShifts({ start: at(11, 8), end: at(11, 12) })
    await request(shifts[0]!, ANN)
    const url = `/planning/fill/?event=${id}`
    await apply(url)
    const [run] = await runs()
    const LAST = new RegExp(
      `class="notice tone-info fill-last".*1 person confirmed.*${ANN.name}: Harbour run.*name="run" value="${run!.id}"`,
      's',
    )
    assert.match((await paul.get(url)).body, LAST)
    assert.doesNotMatch((await (await browserOf(world, BEN)).get('/planning/fill/')).body, /fill-last/, 'only the own one')
    const appliedAt = (hours: number) =>
      write
        .updateTable('fill_run')
        .set({ applied_at: new Date(world.now.getTime() - hours * 3_600_000) })
        .where('id', '=', run!.id)
        .execute()
    await write.updateTable('fill_run').set({ undone_at: world.now }).where('id', '<>', run!.id).execute()
    await appliedAt(24)
    assert.match((await paul.get(url)).body, LAST)
    await appliedAt(24.01)
    assert.doesNotMatch((await paul.get(url)).body, /fill-last/)
    await appliedAt(1)
    await paul.post('/planning/fill/undo/', { form: { run: String(run!.id) } })
    assert.deepEqual(await states(shifts[0]!), [state(ANN, 0)])
    assert.doesNotMatch((await paul.get(url)).body, /fill-last/)
  })

  test('writes what the planner chose: a place can stay open', async () => {
    const { id, shifts } = await addShifts({ start: at(8, 8), end: at(8, 12) })
    await request(shifts[0]!, ANN)
    assert.equal((await apply(`/planning/fill/?event=${id}`, () => '')).statusCode, 303)
    assert.deepEqual(await states(shifts[0]!), [state(ANN, 0)])
  })

  test('leaves people alone who changed their mind after the proposal was shown', async () => {
    const { id, shifts } = await addShifts({ start: at(9, 8), end: at(9, 12) })
    const [participation] = await request(shifts[0]!, ANN)
    const url = `/planning/fill/?event=${id}`
    const form = Object.fromEntries(
      Object.entries(fieldsIn((await paul.get(url)).body, 'proposal')).map(([name, value]) => [name, String(value)]),
    )
    await write.updateTable('participation').set({ state: 2 }).where('id', '=', participation!).execute()
    await paul.post(url, { form })
    assert.deepEqual(await states(shifts[0]!), [state(ANN, 2)])
  })

  test('explains gaps, and proposes nobody who declined, is busy or would exceed a limit', async () => {
    const { id, shifts } = await addShifts(
      { start: at(12, 8), end: at(12, 16), minimum: 3 },
      { start: at(12, 18), end: at(12, 22) },
      { start: at(12, 10), end: at(12, 12) },
    )
    const [first, second, third] = shifts as [number, number, number]
    await world.addParticipation({ who: ANN, shift: first, state: 1 })
    await world.addParticipation({ who: BEN, shift: first, state: 2 })
    await request(second, ANN)
    await request(third, ANN)
    await write.insertInto('work_limit').values({ kind: 'rest_hours', value: 11, blocks: true }).execute()
    const url = `/planning/fill/?event=${id}`
    assert.match((await paul.get(`${url}&pool=everyone`)).body, /1 has declined/)
    const page = (await paul.get(url)).body
    assert.match(page, /1 would exceed a limit/)
    assert.match(page, /1 has another shift/)
    await write.deleteFrom('work_limit').execute()
    assert.doesNotMatch((await paul.get(url)).body, /exceed a limit/)
  })

  test('is only for people who plan the event', async () => {
    const { id, shifts } = await addShifts({ start: at(13, 8), end: at(13, 12) })
    const [participation] = await request(shifts[0]!, ANN)
    const ben = await browserOf(world, BEN)
    assert.equal((await ben.get(`/planning/fill/?event=${id}`)).statusCode, 404)
    assert.match((await ben.get('/planning/fill/?month=2031-05')).body, /No places are open here/)
    const field = `${shifts[0]}|local-${ANN.id}||`
    assert.equal((await ben.post('/planning/fill/', { form: { 'place-1-0': field } })).statusCode, 403)
    assert.deepEqual(await states(shifts[0]!), [state(ANN, 0)])
    await apply(`/planning/fill/?event=${id}`)
    const [run] = await runs()
    assert.equal((await ben.post('/planning/fill/undo/', { form: { run: String(run!.id) } })).statusCode, 403)
    assert.deepEqual(await states(shifts[0]!), [state(ANN, 1)])
    assert.ok(participation)
  })

  test('fills a month across events, in one transaction', async () => {
    const events = [
      await addShifts({ start: at(20, 8), end: at(20, 12) }),
      await addShifts({ start: at(21, 8), end: at(21, 12) }),
    ]
    for (const { shifts } of events) await request(shifts[0]!, ANN)
    const page = await paul.get('/planning/fill/?month=2031-05')
    assert.deepEqual(checkMarkup(page.body), [])
    const linked = async (who: typeof BEN) =>
      (await (await browserOf(world, who)).get('/events/calendar/?month=2031-05')).body.includes(
        '"/planning/fill/?month=2031-05"',
      )
    assert.deepEqual([await linked(PAUL), await linked(BEN)], [true, false], 'the calendar of people who plan leads here')
    await apply('/planning/fill/?month=2031-05')
    for (const { shifts } of events) assert.deepEqual(await states(shifts[0]!), [state(ANN, 1)])
    const [run] = await runs()
    const places = await read.selectFrom('fill_place').selectAll().where('run_id', '=', run!.id).execute()
    assert.ok(places.length >= 2)
  })

  test('prefers people who did less, by weights that administrators set', async () => {
    const stella = await browserOf(world, await world.addPerson({ name: 'Stella', isStaff: true }))
    assert.equal((await paul.get('/manage/fill/')).statusCode, 403)
    const past = await addShifts({ start: '2031-04-02T22:00:00+02:00', end: '2031-04-03T06:00:00+02:00' })
    await world.addParticipation({ who: BEN, shift: past.shifts[0]!, state: 1 })
    const { id, shifts } = await addShifts({ start: at(28, 8), end: at(28, 12) })
    await request(shifts[0]!, ANN, BEN)
    const chosen = async () =>
      String(Object.values(fieldsIn((await paul.get(`/planning/fill/?event=${id}`)).body, 'proposal'))[0])
    const before = await chosen()
    const form = { hours: '0', nights: '0', weekends: '0', refusals: '0' }
    assert.equal((await stella.post('/manage/fill/', { form: { ...form, nights: '101' } })).statusCode, 422)
    assert.equal((await stella.post('/manage/fill/', { form: { ...form, nights: '100' } })).statusCode, 303)
    assert.match(await chosen(), new RegExp(`local-${ANN.id}\\|`), 'Ben had a night')
    assert.match(before, /local-/)
    assert.match((await stella.get('/manage/log/')).body, /points for a fair distribution/)
  })
})
