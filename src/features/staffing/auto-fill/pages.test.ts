import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { BOARD_GUARD } from '#features/staffing/disposition/commands/board.ts'
import { contextAs } from '#test/support/command-context.ts'
import { fieldsIn } from '#test/support/form-fields.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { ANN, BEN, HELPERS, NORD, PAUL } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld } from '#test/support/world.ts'
import { applyProposal, undoRun } from './commands.ts'
import { searchProposal } from './queries/searching.ts'
import type { ChosenPerson } from './rules/chosen.ts'
import type { ProposalInput } from './rules/proposal.ts'
import { writeFormer } from './schema.ts'

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
    assert.match(page.body, new RegExp(`href="/events/${id}-harbour-run/"[^>]*>Harbour run<`), 'the way back to the event')
    const ofShift = (await paul.get(`/planning/fill/?shift=${first}`)).body
    assert.match(ofShift, new RegExp(`href="/shifts/${first}/disposition/"[^>]*>Harbour run`))
    assert.match((await paul.get('/planning/fill/?month=2031-05')).body, /<nav class="breadcrumb"[\s\S]*?href="\/planning\/"/)
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

  test('says what differs from the proposal before, and goes back to it', async () => {
    const { id, shifts } = await addShifts(
      { start: at(14, 8), end: at(14, 12), minimum: 2 },
      { start: at(14, 9), end: at(14, 13) },
    )
    const [first, second] = shifts as [number, number]
    await request(first, ANN)
    const url = `/planning/fill/?event=${id}`
    const before = await paul.get(url)
    assert.doesNotMatch(before.body, /fill-compare/, 'nothing to compare with')
    const was = /name="was" value="([^"]+)"/.exec(before.body)![1]!
    const now = await paul.get(`${url}&pool=everyone&was=${was}`)
    assert.deepEqual(checkMarkup(now.body), [])
    assert.match(now.body, /Different from the former proposal in 2 shifts/)
    assert.match(
      now.body,
      /Before<\/dt><dd>1 person proposed · 2 places stay open<.*Now<\/dt><dd>3 people proposed · 0 places stay open</,
    )
    assert.match(now.body, new RegExp(`New: (${BEN.name}|${PAUL.name}) · Open places: 1 before, 0 now`))
    const back = /href="([^"]*take=[^"]*)"/.exec(now.body)![1]!.replaceAll('&amp;', '&')
    const former = await paul.get(back)
    assert.match(former.body, /<option value="requested" selected/)
    assert.match(former.body, new RegExp(`No longer: (${BEN.name}|${PAUL.name})`), 'people who are not considered now have names')
    const people = (page: { body: string }, shift: number) =>
      Object.values(fieldsIn(page.body, 'proposal')).filter((value) => String(value).startsWith(`${shift}|`))
    for (const shift of [first, second]) assert.deepEqual(people(former, shift), people(before, shift))
    const same = await paul.get(`${url}&was=${was}`)
    assert.match(same.body, /<details ><summary>The same people as in the former proposal/)
    assert.doesNotMatch(same.body, /take=/)
  })

  test('goes back to what the planner chose by hand, and names nobody who could not be proposed', async () => {
    const { id, shifts } = await addShifts({ start: at(15, 8), end: at(15, 12) })
    const [shift] = shifts as [number]
    await request(shift, ANN, BEN)
    const url = `/planning/fill/?event=${id}`
    const page = await paul.get(url)
    const fields = fieldsIn(page.body, 'proposal')
    const [name, proposed] = Object.entries(fields).find(([, value]) => String(value).startsWith(`${shift}|`))!
    const chosen = [ANN, BEN].find((who) => !String(proposed).includes(`local-${who.id}|`))!
    const other = new RegExp(`value="(${shift}\\|local-${chosen.id}\\|[^"]*)"`).exec(page.body)![1]!
    const sent = await paul.post(url, { form: { ...fields, [name]: other, do: 'refill' } })
    const again = await paul.get(String(sent.headers.location))
    assert.match(again.body, new RegExp(`No longer: ${chosen.name}`))
    const back = /href="([^"]*take=[^"]*)"/.exec(again.body)![1]!.replaceAll('&amp;', '&')
    assert.equal(fieldsIn((await paul.get(back)).body, 'proposal')[name], other)
    const hidden = await world.addPerson({ name: 'Hidden Heron' })
    const placeId = name.slice('place-'.length, -2)
    const forged = writeFormer({
      pool: 'everyone',
      isOptionalFilled: false,
      fixed: [],
      people: [{ placeId, who: { kind: 'local', id: hidden.id } }],
    })
    const told = (await paul.get(`${url}&was=${forged}`)).body
    assert.doesNotMatch(told, /Hidden Heron/)
    assert.match(told, /No longer: another person/)
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

  test('locks the people and events of a run while it is undone, and counts what stays', async () => {
    const made = [
      await addShifts({ start: at(20, 8), end: at(20, 12), minimum: 3 }),
      await addShifts({ start: at(21, 8), end: at(21, 12) }),
    ]
    const [first, second] = made.map(({ shifts }) => shifts[0]!) as [number, number]
    const { id: ann } = await request(second, ANN).then(([id]) => ({ id: id! }))
    const places = [ann]
    for (const who of [{ guest: { name: 'Gina' } }, { visitor: { name: 'Vic' }, of: NORD }, { placeholder: 'Tom' }])
      places.push(await world.addParticipation({ who, shift: first, state: 0 }))
    const rows = await write.selectFrom('participation').selectAll().where('id', 'in', places).orderBy('id').execute()
    const context = contextAs(world, PAUL)
    const chosen = rows.flatMap(({ shift_id, user_id, guest_id, visitor_id, version }): ChosenPerson[] => {
      const who = user_id
        ? ({ kind: 'local', id: user_id } as const)
        : guest_id
          ? ({ kind: 'guest', id: guest_id } as const)
          : visitor_id && ({ kind: 'visitor', id: visitor_id } as const)
      return who ? [{ shiftId: shift_id, who, version, place: undefined }] : []
    })
    const { runId, outcomes } = await applyProposal(context, chosen)
    assert.deepEqual(
      outcomes.map(({ kind }) => kind),
      ['saved', 'saved', 'saved'],
    )
    // A person without an account whose row is part of the run cannot be locked.
    await write.insertInto('fill_place').values({ run_id: runId!, participation_id: places[3]!, entry_id: 0 }).execute()
    const locked: unknown[] = []
    const guard: typeof BOARD_GUARD = {
      ...BOARD_GUARD,
      lockPeople: async (tx, people) => {
        locked.push(...people.map(({ kind, id }) => `${kind} ${id}`).sort())
        await BOARD_GUARD.lockPeople(tx, people)
      },
      lockEvent: async (tx, eventId, options) => {
        locked.push(eventId)
        return BOARD_GUARD.lockEvent(tx, eventId, options)
      },
    }
    assert.deepEqual(await undoRun(context, runId!, guard), { undone: 3, changed: 1 })
    assert.deepEqual(locked, [
      ...chosen.flatMap(({ who }) => ('kind' in who ? [`${who.kind} ${who.id}`] : [])).sort(),
      ...made.map(({ id }) => id).sort((a, b) => a - b),
    ])
    const states = await read.selectFrom('participation').select(['id', 'state']).where('id', 'in', places).execute()
    assert.deepEqual(new Set(states.map(({ state }) => state)), new Set([0]))
  })

  test('is undone for a day, by people who plan all of its events', async () => {
    const { shifts } = await addShifts({ start: at(22, 8), end: at(22, 12) })
    const [participation] = await request(shifts[0]!, ANN)
    const { version } = await read
      .selectFrom('participation')
      .select('version')
      .where('id', '=', participation!)
      .executeTakeFirstOrThrow()
    const who = { kind: 'local', id: ANN.id } as const
    const { runId } = await applyProposal(contextAs(world, PAUL), [{ shiftId: shifts[0]!, who, version, place: undefined }])
    const later = (ms: number) => ({ ...contextAs(world, PAUL), now: new Date(world.now.getTime() + ms) })
    await assert.rejects(undoRun(contextAs(world, ANN), runId!), { code: 'permission_denied' })
    await assert.rejects(undoRun(contextAs(world, PAUL), runId! + 1_000), { code: 'not_found' })
    assert.equal(await undoRun(later(24 * 3_600_000 + 1), runId!), 'late')
    assert.deepEqual(await states(shifts[0]!), [state(ANN, 1)])
    assert.deepEqual(await undoRun(later(24 * 3_600_000), runId!), { undone: 1, changed: 0 })
    assert.deepEqual(await states(shifts[0]!), [state(ANN, 0)])
    assert.deepEqual(await applyProposal(contextAs(world, PAUL), []), { runId: undefined, outcomes: [] })
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

  test('folds many shifts, those with open places or warnings first, and sends the fields of all', async () => {
    const days = Array.from({ length: 9 }, (_, day) => ({
      start: at(1 + day, 18),
      end: at(1 + day, 20),
      minimum: day % 8 === 0 ? 2 : 1,
    }))
    const { id, shifts } = await addShifts(...days)
    await request(shifts[1]!, ANN)
    const url = `/planning/fill/?event=${id}&pool=requested`
    const { body } = await paul.get(url)
    assert.deepEqual(checkMarkup(body), [])
    const form = body.slice(body.indexOf('id="proposal"'))
    const [problems, complete] = form.split('<details class="fold" >') as [string, string]
    assert.match(problems, /2 shifts with open places or warnings/)
    assert.match(complete, /7 shifts with a person for every place/)
    assert.deepEqual(
      [problems, complete].map((part) => part.match(/<details class="shift-row">/g)?.length),
      [2, 7],
    )
    assert.doesNotMatch(form, /class="card"/)
    assert.match(complete, new RegExp(`fill-names">${ANN.name}<`))
    assert.equal((await apply(url)).statusCode, 303)
    for (const shift of shifts) assert.deepEqual(await states(shift), [state(ANN, 1)])
    assert.match((await paul.get(`/planning/fill/?event=${id}`)).body, /class="card"/, 'few shifts are cards')
  })

  test('keeps limits that refuse for two places of one person, in the proposal and when it is saved', async (t) => {
    const { id, shifts } = await addShifts({ start: at(26, 8), end: at(26, 12) }, { start: at(26, 14), end: at(26, 18) })
    const [first, second] = shifts as [number, number]
    for (const shift of shifts) await request(shift, ANN)
    const url = `/planning/fill/?event=${id}`
    const form = fieldsIn((await paul.get(url)).body, 'proposal')
    const proposed = (fields: typeof form) => Object.values(fields).filter((value) => String(value).includes(`local-${ANN.id}`))
    assert.equal(proposed(form).length, 2)
    await write.insertInto('work_limit').values({ kind: 'hours_per_week', value: 6, blocks: true }).execute()
    t.after(() => write.deleteFrom('work_limit').execute())
    assert.equal(proposed(fieldsIn((await paul.get(url)).body, 'proposal')).length, 1)
    const sent = await paul.post(url, { form })
    assert.deepEqual([...(await states(first)), ...(await states(second))], [state(ANN, 1), state(ANN, 0)])
    const { body } = await paul.get(String(sent.headers.location))
    assert.match(body, /1 person was confirmed\. 1 person would exceed a working time limit and was not confirmed\./)
    assert.doesNotMatch(body, /changed in the meantime/)
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
    const fill = `event=${id}&was=x`
    const changed = await stella.post(`/manage/fill/?${new URLSearchParams({ fill })}`, { form: { ...form, nights: '99' } })
    assert.equal(changed.headers.location, `/planning/fill/?${fill}`, 'back to the proposal from which she came')
    assert.match(before, /local-/)
    assert.match((await stella.get('/manage/log/')).body, /points for a fair distribution/)
  })
})

describe('a search for a proposal that takes long', async () => {
  const world = await openWorld({ progressAfterMs: 0 })
  const { id, shifts } = await world.addEvent({
    title: 'Harbour run',
    seenBy: [HELPERS],
    responsible: [PAUL],
    shifts: [
      {
        start: at(5, 8),
        end: at(5, 12),
        meeting: at(5, 8),
        flow: 'request_confirm',
        structure: 'uniform',
        configuration: { minimum_number_of_participants: 1 },
      },
    ],
  })
  await world.addParticipation({ who: ANN, shift: shifts[0]!, state: 0 })
  const paul = await browserOf(world, PAUL)
  const url = `/planning/fill/?event=${id}`
  const until = async (text: RegExp) => {
    for (let attempt = 0; attempt < 500; attempt++) {
      const page = await paul.get(url)
      if (text.test(page.body)) return page
    }
    throw new Error(`${text} does not appear`)
  }

  test('shows how far it is, is stopped, and shows its result when it is asked for again', async () => {
    // Searches wait for each other: this one ends when the test says so.
    const hold = new AbortController()
    const endless = { length: Number.POSITIVE_INFINITY, slice: () => [] } as unknown as ProposalInput['candidates']
    const input = { shifts: [], places: [], candidates: endless, timeZone: 'Europe/Berlin' }
    const held = searchProposal(input, { signal: hold.signal, cpuLimitMs: Number.POSITIVE_INFINITY })
    const searching = await until(/Looking for the best proposal/)
    assert.equal(searching.statusCode, 200)
    assert.deepEqual(checkMarkup(searching.body), [])
    assert.match(searching.body, /<meta http-equiv="refresh" content="1">/)
    assert.equal(searching.headers['cache-control'], 'no-store')
    assert.match((await paul.get(url)).body, /Looking for the best proposal/, 'the same search goes on')

    const stopped = await paul.post(`/planning/fill/cancel/?event=${id}`)
    assert.deepEqual([stopped.statusCode, stopped.headers.location], [303, `/events/${id}/board/`])
    assert.match((await paul.get(`/events/${id}/board/`)).body, /The search was stopped\. Nothing has changed\./)
    assert.match((await paul.get(url)).body, /Checking who fits/, 'another search begins')
    hold.abort()
    await assert.rejects(held, { name: 'AbortError' })
    assert.doesNotMatch((await until(/1 person proposed/)).body, /http-equiv="refresh"/)
  })

  test('is stopped towards the places that are open', async () => {
    for (const [query, location] of [
      [`shift=${shifts[0]}`, `/shifts/${shifts[0]}/disposition/`],
      ['month=2031-05', '/planning/'],
    ])
      assert.equal((await paul.post(`/planning/fill/cancel/?${query}`)).headers.location, location)
  })
})
