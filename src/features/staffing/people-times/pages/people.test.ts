import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fieldsIn } from '#test/support/form-fields.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { ANN, BEN, HELPERS, OLGA, PAUL, type Person, PLANNERS, VERA } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld } from '#test/support/world.ts'

const PEOPLE = '/planning/people/'
const at = (day: number, hour: number) => `2031-05-${String(day).padStart(2, '0')}T${String(hour).padStart(2, '0')}:00:00+02:00`
const plain = (html: string): string =>
  html
    .replaceAll(/<svg.*?<\/svg>/gs, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

describe('people by day', async () => {
  const world = await openWorld()
  const { write } = world.db
  const medic = await world.addQualification('Medic')
  const doctor = await world.addQualification('Doctor', [medic])
  await world.holds(BEN, doctor)
  await world.addPerson({ name: 'Hidden Hanna', isVisible: false })
  await world.addPerson({ name: 'Closed Carl', isActive: false })
  const secret = await world.addGroup('Secret', [VERA])
  const shift = (day: number, from: number, until: number, label = '') => ({ start: at(day, from), end: at(day, until), label })
  const own = await world.addEvent({
    title: 'Harbour run',
    seenBy: [HELPERS],
    responsible: [PAUL],
    shifts: [shift(6, 8, 12, 'Morning'), shift(7, 8, 12), shift(8, 8, 12)],
  })
  const seen = await world.addEvent({ title: 'Public fair', seenBy: [PLANNERS], responsible: [OLGA], shifts: [shift(6, 14, 18)] })
  const hidden = await world.addEvent({
    title: 'Secret party',
    seenBy: [HELPERS],
    responsible: [OLGA],
    shifts: [shift(7, 14, 18)],
  })
  await world.addParticipation({ who: ANN, shift: own.shifts[0]!, state: 1 })
  await world.addParticipation({ who: BEN, shift: own.shifts[0]!, state: 0 })
  await world.addParticipation({ who: ANN, shift: seen.shifts[0]!, state: 1 })
  await world.addParticipation({ who: BEN, shift: seen.shifts[0]!, state: 0 })
  await world.addParticipation({ who: ANN, shift: hidden.shifts[0]!, state: 1 })
  await world.addParticipation({ who: BEN, shift: own.shifts[2]!, state: 2 })

  const read = async (who: Person, query = '?day=2031-05-06') => {
    const { status, text } = await world.withSession(who).get(PEOPLE + query, { unchecked: true })
    assert.equal(status, 200, world.logLines.slice(-2).join())
    assert.deepEqual(checkMarkup(text), [])
    return text
  }
  const namesIn = (text: string) => [...text.matchAll(/<th scope="row">([^<]+)/g)].map(([, name]) => name!.trim())
  const rowOf = (text: string, { id }: Person) => new RegExp(`<tr id="person-${id}">(.*?)</tr>`, 's').exec(text)![1]!
  /** Of the week from Monday 5 May. */
  const cellsOf = (text: string, who: Person) =>
    rowOf(text, who)
      .split('<td')
      .slice(1)
      .map((cell) => plain(`<td${cell}`))

  test('shows where people are: titles only of events that the planner sees, requests only of those that they plan', async () => {
    const text = await read(PAUL)
    assert.deepEqual(cellsOf(text, ANN).slice(0, 4), [
      'free',
      '08:00–12:00 Harbour run, Morning 14:00–18:00 Public fair',
      '14:00–18:00 busy elsewhere',
      'free',
    ])
    assert.deepEqual(cellsOf(text, BEN).slice(0, 4), ['free', '? 08:00–12:00 Harbour run, Morning requested', 'free', 'free'])
    assert.doesNotMatch(text, /Secret party/)
    assert.match(await read(OLGA), /Secret party/)
  })

  test('is for people who plan', async () => {
    for (const [who, status] of [
      [ANN, 403],
      [VERA, 403],
      [PAUL, 200],
      [OLGA, 200],
    ] as const)
      for (const path of [PEOPLE, `${PEOPLE}assign/?at=${BEN.id}.2031-05-06`])
        assert.equal((await world.withSession(who).get(path, { unchecked: true })).status, status, `${who.name} ${path}`)
    await world.grantsEvent(VERA, seen.id, 'change')
    assert.deepEqual(namesIn(await read(VERA)), namesIn(await read(PAUL)), 'plans one event')
    await write.deleteFrom('event_user_grant').where('user_id', '=', VERA.id).execute()
  })

  test('lists active people whom boards offer, by name, and finds them by name, group and qualification', async () => {
    const names = async (query: string, who = PAUL) => namesIn(await read(who, `?day=2031-05-06&${query}`))
    assert.deepEqual(await names(''), ['Ann', 'Ben', 'Olga', 'Paul', 'Vera'])
    assert.deepEqual(await names('q=EN'), ['Ben'])
    assert.deepEqual(await names(`group=${HELPERS.id}`), ['Ann', 'Ben'])
    assert.deepEqual(await names(`skill=${medic.id}`), ['Ben'])
    assert.deepEqual(await names(`skill=${medic.id}&q=ann`), [])
    assert.deepEqual((await names(`group=${secret.id}`)).length, 5, 'a group that he does not know')
    assert.deepEqual(await names(`group=${secret.id}`, OLGA), ['Vera'])
    assert.doesNotMatch(await read(PAUL), /Secret/)
    assert.match(await read(PAUL, '?q=nobody'), /Nobody matches these filters/)
    await write
      .updateTable('qualification_grant')
      .set({ expires_at: new Date(at(5, 0)) })
      .execute()
    assert.deepEqual(await names(`skill=${medic.id}`), ['Ben'], 'valid on the first day of the week')
    await write
      .updateTable('qualification_grant')
      .set({ expires_at: new Date('2031-05-04T21:59:59Z') })
      .execute()
    assert.deepEqual(await names(`skill=${medic.id}`), [])
    await write.updateTable('qualification_grant').set({ expires_at: null }).execute()
  })

  test('lists 200 people on a page, and leads from a page beyond the last to the last', async () => {
    for (let number = 1; number <= 201; number++) await world.addPerson({ name: `Crowd ${String(number).padStart(3, '0')}` })
    const query = '?day=2031-05-06&q=crowd'
    const first = await read(PAUL, query)
    assert.deepEqual([namesIn(first).length, namesIn(first).at(-1)], [200, 'Crowd 200'])
    assert.match(first, /page=2/)
    assert.deepEqual(namesIn(await read(PAUL, `${query}&page=2`)), ['Crowd 201'])
    const beyond = await world.withSession(PAUL).get(`${PEOPLE}${query}&page=9`, { unchecked: true })
    assert.deepEqual([beyond.status, /page=(\d+)/.exec(beyond.headers.location ?? '')?.[1]], [303, '2'])
    await write.updateTable('user_profile').set({ is_active: false }).where('display_name', 'like', 'Crowd %').execute()
  })

  test('shows absences, and who is over a limit as boards judge it', async () => {
    await write
      .insertInto('day_period')
      .values({ user_id: BEN.id, kind: 'cannot', first_day: '2031-05-08', last_day: '2031-05-09' })
      .execute()
    await write
      .insertInto('weekly_time')
      .values({ user_id: BEN.id, kind: 'cannot', weekday: 7, from_minute: 480, until_minute: 720 })
      .execute()
    await write.insertInto('work_limit').values({ kind: 'rest_hours', value: 11, blocks: true }).execute()
    const text = await read(PAUL)
    assert.deepEqual(cellsOf(text, BEN).slice(3), ['– not available', '– not available', 'free', '– not available 08:00–12:00'])
    assert.match(cellsOf(text, ANN)[1]!, /^! 08:00–12:00 Harbour run, Morning over a limit ! 14:00/)
    assert.match(plain(rowOf(text, ANN)), /^Ann/)
    const byHours = plain(rowOf(await read(PAUL, '?view=day&day=2031-05-11'), BEN))
    assert.equal(byHours, 'Ben 00:00–08:00 free 08:00–12:00 not available 12:00–24:00 free')
    await write.deleteFrom('work_limit').execute()
    await write.deleteFrom('weekly_time').execute()
    await write.deleteFrom('day_period').execute()
    assert.doesNotMatch(cellsOf(await read(PAUL), ANN)[1]!, /!/)
  })

  test('shows shifts at partners', async () => {
    const { id: host_id } = await write
      .insertInto('federated_host')
      .values({ name: 'Nord', url: 'https://nord.example', access_token_sealed: 's', speaks_turnout: true })
      .returning('id')
      .executeTakeFirstOrThrow()
    const times = { start_time: new Date(at(9, 8)), end_time: new Date(at(9, 10)), fetched_at: world.now }
    const { id: partner_event_id } = await write
      .insertInto('partner_event')
      .values({
        host_id,
        remote_id: 1,
        title: 'Regatta',
        location: '',
        type_title: 'Race',
        signup_url: 'https://nord.example/1',
        ...times,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await write
      .insertInto('participation_abroad')
      .values({ partner_event_id, user_id: VERA.id, remote_shift_id: 1, state: 1, shift_label: '', ...times })
      .execute()
    assert.equal(cellsOf(await read(PAUL), VERA)[4], '08:00–10:00 Regatta (at Nord)')
  })

  test('has a month, and days that are over cannot be chosen', async () => {
    const text = await read(PAUL, '?view=month&day=2031-05-20')
    assert.equal(cellsOf(text, ANN).length, 31)
    assert.deepEqual([...text.matchAll(/value="(\d+\.[\d-]+)"/g)].length, 5, 'buttons on the chosen day alone')
    assert.match(text, /<th scope="col"[^>]* data-day="2031-05-06"><a href="[^"]*day=2031-05-06">/)
    assert.match(rowOf(text, ANN), /title="08:00–12:00 Harbour run, Morning; 14:00–18:00 Public fair"/)
    const week = await read(PAUL, '?day=2031-05-01')
    const buttons = [...rowOf(week, ANN).matchAll(/value="(\d+\.[\d-]+)"/g)].map(([, value]) => value)
    assert.deepEqual(
      buttons,
      ['01', '02', '03', '04'].map((day) => `${ANN.id}.2031-05-${day}`),
      'the first of May is a Thursday',
    )
  })

  describe('assigning', async () => {
    const paul = await browserOf(world, PAUL)
    const assignPath = (who: Person, day: string, back = '') =>
      `${PEOPLE}assign/?back=${encodeURIComponent(back)}&at=${who.id}.${day}`
    const stateOf = async (who: Person, shiftId: number) => {
      const query = world.db.read.selectFrom('participation').select(['id', 'state']).where('shift_id', '=', shiftId)
      return (await query.where('user_id', '=', who.id).executeTakeFirst())?.state
    }
    const confirm = async (who: Person, day: string, shiftId: number, more: Record<string, string> = {}, back = '') => {
      const url = assignPath(who, day, back)
      const { body } = await paul.get(url)
      return paul.post(url, { form: { ...fieldsIn(body, `offer-${shiftId}`), ...more } })
    }
    const lastEntry = () =>
      world.db.read.selectFrom('journal').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()
    const undo = (entry: number) => paul.post(`${PEOPLE}undo/`, { form: { entry: String(entry), back: 'view=month' } })

    test('offers shifts of the day that the planner plans, and says what speaks against the person', async () => {
      const { body } = await paul.get(assignPath(ANN, '2031-05-07'))
      assert.deepEqual(checkMarkup(body), [])
      assert.match(body, /Ann, Wed 7 May/)
      assert.match(plain(body), /On this day 14:00–18:00 busy elsewhere/)
      assert.match(body, /1 shift that fits/)
      assert.match(body, new RegExp(`offer-${own.shifts[1]}"`))
      assert.doesNotMatch(body, /Secret party|Public fair/)
      const sixth = (await paul.get(assignPath(ANN, '2031-05-06'))).body
      assert.match(sixth, /You plan no shift on this day/, 'she is confirmed in the only one')
      assert.match((await paul.get(assignPath(BEN, '2031-05-06'))).body, /Ben has requested this shift/)
      assert.match((await paul.get(assignPath(BEN, '2031-05-08'))).body, /Ben has declined this shift/)
    })

    test('refuses people who are not listed, and leads back from what is no day', async () => {
      const { rows } = await world.db.readPool.query<{ id: number }>(
        "select id from user_profile where display_name in ('Hidden Hanna', 'Closed Carl')",
      )
      assert.equal(rows.length, 2)
      for (const cell of [...rows.map(({ id }) => `${id}.2031-05-06`), '999.2031-05-06'])
        assert.equal((await paul.get(`${PEOPLE}assign/?at=${cell}`)).statusCode, 404, cell)
      for (const cell of [`${ANN.id}.2031-05-32`, 'x', '']) {
        const answer = await paul.get(`${PEOPLE}assign/?at=${cell}`)
        assert.deepEqual([answer.statusCode, answer.headers.location], [303, PEOPLE], cell)
      }
    })

    test('confirms the person, leads back to the table, and can be undone', async () => {
      const shiftId = own.shifts[1]!
      const answer = await confirm(BEN, '2031-05-07', shiftId, {}, 'view=month&q=Ben')
      assert.equal(answer.statusCode, 303)
      assert.equal(answer.headers.location, `/planning/people/?view=month&q=Ben#person-${BEN.id}`)
      assert.equal(await stateOf(BEN, shiftId), 1)
      const page = (await paul.get('/planning/people/?view=month&q=Ben')).body
      assert.match(page, /Ben is confirmed: Harbour run, 08:00–12:00/)
      const entry = await lastEntry()
      assert.equal(entry.kind, 'participation.moved')
      const undone = await undo(entry.id)
      assert.equal(undone.headers.location, '/planning/people/?view=month')
      assert.equal(await stateOf(BEN, shiftId), undefined)
      await undo(entry.id)
      assert.match((await paul.get(PEOPLE)).body, /Taken back/, 'a second click')
    })

    test('restores a request, refuses after a minute, and leaves later changes alone', async () => {
      const shiftId = own.shifts[0]!
      const start = world.now
      await confirm(BEN, '2031-05-06', shiftId)
      const first = await lastEntry()
      await undo(first.id)
      assert.equal(await stateOf(BEN, shiftId), 0)
      await confirm(BEN, '2031-05-06', shiftId)
      const second = await lastEntry()
      world.now = new Date(start.getTime() + 60_000)
      const ben = await browserOf(world, BEN)
      assert.equal((await ben.post(`${PEOPLE}undo/`, { form: { entry: String(second.id) } })).statusCode, 404)
      world.now = new Date(start.getTime() + 60_001)
      await undo(second.id)
      assert.equal(await stateOf(BEN, shiftId), 1, 'too late')
      assert.match((await paul.get(PEOPLE)).body, /can no longer be taken back/)
      world.now = start
      const journal = { kind: 'participation.moved', at: start, subject_kind: 'participation', subject_id: second.subject_id }
      await write
        .insertInto('journal')
        .values({ ...journal, changes: '{}', actor_kind: 'system' })
        .execute()
      await undo(second.id)
      assert.equal(await stateOf(BEN, shiftId), 1)
      assert.match((await paul.get(PEOPLE)).body, /has changed this since/)
      await write.updateTable('participation').set({ state: 0 }).where('id', '=', second.subject_id!).execute()
    })

    test('asks for a reason beyond a limit that refuses, keeps what was typed, and stores it', async () => {
      await write.insertInto('work_limit').values({ kind: 'rest_hours', value: 23, blocks: true }).execute()
      const shiftId = own.shifts[1]!
      const refused = await confirm(ANN, '2031-05-07', shiftId)
      assert.equal(refused.statusCode, 422)
      assert.deepEqual(checkMarkup(refused.body), [])
      assert.match(refused.body, /enter a reason and save again/)
      assert.match(refused.body, /<details class="pt-others" open>/)
      assert.equal(await stateOf(ANN, shiftId), undefined)
      const long = await confirm(ANN, '2031-05-07', shiftId, { reason: 'x'.repeat(256) })
      assert.equal(long.statusCode, 422)
      assert.match(long.body, /at most 255 characters/)
      assert.match(long.body, new RegExp(`value="${'x'.repeat(256)}"`))
      assert.equal((await confirm(ANN, '2031-05-07', shiftId, { reason: ' Nobody else can ' })).statusCode, 303)
      assert.equal(await stateOf(ANN, shiftId), 1)
      const comment = await world.db.read.selectFrom('participation_comment').selectAll().executeTakeFirstOrThrow()
      assert.deepEqual([comment.text, comment.visible_for], ['Nobody else can', 0])
      await undo((await lastEntry()).id)
      await write.deleteFrom('work_limit').execute()
    })

    test('refuses what somebody else has changed meanwhile', async () => {
      const shiftId = own.shifts[1]!
      const url = assignPath(BEN, '2031-05-07')
      const form = fieldsIn((await paul.get(url)).body, `offer-${shiftId}`)
      await world.addParticipation({ who: BEN, shift: shiftId, state: 2 })
      const answer = await paul.post(url, { form })
      assert.equal(answer.statusCode, 409)
      assert.match(answer.body, /Someone else has changed this/)
      assert.equal(await stateOf(BEN, shiftId), 2)
    })

    test('changes nothing in events of others', async () => {
      const url = assignPath(BEN, '2031-05-07')
      const form = { shift: String(hidden.shifts[0]), version: '' }
      assert.equal((await paul.post(url, { form })).statusCode, 404)
      assert.equal((await paul.post(url, { form: { ...form, shift: String(seen.shifts[0]) } })).statusCode, 403)
      assert.equal(await stateOf(BEN, hidden.shifts[0]!), undefined)
    })

    test('asks which team, those first that the person is qualified for', async () => {
      const teams = [
        { title: 'Boat', min: 1, max: 2, uuid: '1b2c' },
        { title: 'Shore', min: 1, max: 2, uuid: '3d4e' },
      ]
      const made = await world.addEvent({
        title: 'Teams',
        seenBy: [HELPERS],
        responsible: [PAUL],
        shifts: [{ ...shift(9, 8, 12), structure: 'named_teams', configuration: { teams } }],
      })
      const { body } = await paul.get(assignPath(BEN, '2031-05-09'))
      assert.match(body, new RegExp(`<select id="place-${made.shifts[0]}"`))
      assert.equal((await confirm(BEN, '2031-05-09', made.shifts[0]!, { place: '3d4e' })).statusCode, 303)
      const stored = await world.db.read
        .selectFrom('participation')
        .select('structure_data')
        .where('shift_id', '=', made.shifts[0]!)
        .executeTakeFirstOrThrow()
      assert.match(JSON.stringify(stored.structure_data), /3d4e/)
    })
  })
})
