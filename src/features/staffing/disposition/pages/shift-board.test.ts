import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { poster } from '#test/support/board-form.ts'
import type { ShiftOptions } from '#test/support/fixtures.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { ANN, BEN, HELPERS, OLGA, PAUL, type Person, VERA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'

const unchecked = true
const day = (hour: number) => `2031-05-04T${String(hour).padStart(2, '0')}:00:00+02:00`
const TEAMS = { teams: ['North', 'South'].map((title) => ({ uuid: title, title, min_count: 1, max_count: 2 })) }
const plain = (text: string) => text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')

describe('the board of a shift without JavaScript', async () => {
  const world = await openWorld()
  beforeEach(() => world.db.write.deleteFrom('participation').execute())

  async function addShift(wish: ShiftOptions = {}) {
    const { id, shifts } = await world.addEvent({
      title: 'Run',
      seenBy: [HELPERS],
      responsible: [PAUL],
      shifts: [{ label: 'Water', start: day(8), end: day(12), ...wish }],
    })
    return { event: id, shift: shifts[0]!, board: `/shifts/${shifts[0]}/disposition/` }
  }
  const open = (who: Person, path: string) => world.withSession(who).get(path, { unchecked })
  async function read(path: string): Promise<string> {
    const { status, text } = await open(PAUL, path)
    assert.equal(status, 200, path)
    assert.deepEqual(checkMarkup(text), [])
    return text
  }

  const post = poster(world)
  const card = (shift: number, who: Person, field: string) => `card.${shift}.local-${who.id}.${field}`
  const statesOn = async (shift: number) =>
    Object.fromEntries(
      (await world.db.read.selectFrom('participation').selectAll().where('shift_id', '=', shift).orderBy('id').execute()).map(
        ({ user_id, placeholder_name, state }) => [user_id ?? placeholder_name, state],
      ),
    )
  const columnOf = (text: string, id: string) =>
    plain(new RegExp(`<section class="board-column[^"]*" id="${id}"[\\s\\S]*?</section>`).exec(text)?.[0] ?? '')

  test('responsibles may open it, others get 403 if they see the event and 404 otherwise', async () => {
    const { board, event } = await addShift()
    for (const path of [board, `${board}state/`, `/events/${event}/board/`, `/events/${event}/board/state/`]) {
      assert.equal((await open(PAUL, path)).status, 200, path)
      assert.equal((await open(OLGA, path)).status, 200, path)
      assert.equal((await open(ANN, path)).status, 403, path)
      assert.equal((await open(VERA, path)).status, 404, path)
      assert.equal((await world.nobody.get(path, { unchecked })).status, 303, path)
    }
    assert.equal((await open(PAUL, '/shifts/987654/disposition/')).status, 404)
    const text = await read(board)
    assert.equal((await post(text, board, { do: 'save' }, ANN)).status, 403)
  })

  test('shows people by state with badges, hints and comments', async () => {
    const medic = await world.addQualification('Medic')
    const doctor = await world.addQualification('Doctor', [medic])
    const { shift, board } = await addShift({ configuration: { minimum_number_of_participants: 2, minimum_age: 30 } })
    const other = (await world.addEvent({ title: 'Fair', responsible: [PAUL], shifts: [{ start: day(10), end: day(11) }] }))
      .shifts[0]!
    const minor = await world.addPerson({ name: 'Mia', dateOfBirth: '2014-01-01' })
    const expiring = await world.addPerson({ name: 'Xenia', dateOfBirth: '1980-01-01' })
    await world.holds(ANN, doctor)
    await world.holds(ANN, medic)
    await world.holds(expiring, medic, new Date('2031-05-02T00:00:00Z'))
    await world.addParticipation({ who: ANN, shift: other, state: 1 })
    const comments = [
      { text: 'first', level: 1 as const },
      { text: 'only till ten', level: 0 as const, by: PAUL },
    ]
    await world.addParticipation({ who: ANN, shift, state: 0, end: day(11), comments })
    await world.addParticipation({ who: minor, shift, state: 1, start: day(5) })
    await world.addParticipation({ who: expiring, shift, state: 1 })
    await world.addParticipation({ who: BEN, shift, state: 4 })
    await world.addParticipation({ who: { guest: { name: 'Gus' } }, shift, state: 3 })
    const text = await read(board)
    const requested = columnOf(text, 'requested')
    assert.match(requested, /Requested 1 .*Ann.*Do.*own times 08:00–11:00.*At the same time: Fair, Sun 4 May 10:00–11:00/)
    assert.match(requested, /1 earlier comment.*first.*Paul: only till ten.*only for planners/)
    assert.ok(!requested.includes(' Me '), 'what a higher qualification includes is not said again')
    const confirmed = columnOf(text, 'confirmed')
    assert.match(confirmed, /Mia.*minor.*own times 05:00–12:00 Own times are outside the shift\. Younger than 30/)
    assert.ok(!requested.includes('outside the shift'))
    assert.match(confirmed, /Xenia.*Me expires before/)
    assert.match(columnOf(text, 'imported'), /Ben/)
    assert.match(columnOf(text, 'rejected'), /Gus.*guest/)
  })

  for (const [flow, isThere] of [
    ['request_confirm', true],
    ['instant_confirmation', false],
  ] as const)
    test(`the column of requests is ${isThere ? '' : 'not '}there in ${flow} without requests`, async () => {
      const { shift, board } = await addShift({ flow })
      assert.equal((await read(board)).includes('id="requested"'), isThere)
      await world.addParticipation({ who: ANN, shift, state: 0 })
      assert.ok((await read(board)).includes('id="requested"'))
    })

  test('one Save moves cards with details; what was not touched is not written', async () => {
    const { shift, board } = await addShift()
    await world.addParticipation({ who: ANN, shift, state: 0 })
    await world.addParticipation({ who: BEN, shift, state: 0 })
    await world.addParticipation({ who: VERA, shift, state: 1 })
    const { status, flash } = await post(await read(board), board, {
      do: 'save',
      [card(shift, ANN, 'to')]: '1',
      [card(shift, ANN, 'end')]: '2031-05-04T10:30',
      [card(shift, ANN, 'comment')]: 'see you',
      [card(shift, ANN, 'hidden')]: 'on',
      [card(shift, BEN, 'to')]: '3',
    })
    assert.deepEqual([status, flash], [303, '2 changes saved.'])
    assert.deepEqual(await statesOn(shift), { [ANN.id]: 1, [BEN.id]: 3, [VERA.id]: 1 })
    const text = await read(board)
    assert.match(columnOf(text, 'confirmed'), /Ann.*own times 08:00–10:30.*Paul: see you.*only for planners/)
    const rows = await world.db.read.selectFrom('participation').select('version').where('user_id', '=', VERA.id).execute()
    assert.deepEqual(rows, [{ version: 1 }])
    assert.deepEqual((await post(text, board, { do: 'save' })).flash, 'There were no changes to save.')
  })

  test('a stale card comes back side by side, no input is lost, and either version can be chosen', async () => {
    const { shift, board } = await addShift()
    await world.addParticipation({ who: ANN, shift, state: 0 })
    await world.addParticipation({ who: BEN, shift, state: 0 })
    const mine = await read(board)
    const theirs = await post(await read(board), board, { do: 'save', [card(shift, ANN, 'to')]: '3' }, OLGA)
    assert.equal(theirs.status, 303)
    const submitted = { [card(shift, ANN, 'to')]: '1', [card(shift, ANN, 'comment')]: 'welcome', [card(shift, BEN, 'to')]: '1' }
    const answer = await post(mine, board, { do: 'save', ...submitted })
    assert.equal(answer.status, 409)
    assert.deepEqual(await statesOn(shift), { [ANN.id]: 3, [BEN.id]: 1 })
    assert.match(
      columnOf(answer.text, 'confirmed'),
      /Ann.*not saved.*Changed by Olga.*Your version Confirmed · “welcome” Current version Rejected.*Keep mine.*Use current version/,
    )
    const again = await post(answer.text, board, { do: 'save' })
    assert.equal(again.status, 409, 'until somebody decides')

    const dropped = await post(answer.text, board, { do: `theirs local-${ANN.id}` })
    assert.match(columnOf(dropped.text, 'rejected'), /Ann/)
    assert.ok(!dropped.text.includes('welcome'))
    const kept = await post(answer.text, board, { do: `mine local-${ANN.id}` })
    assert.deepEqual(await statesOn(shift), { [ANN.id]: 3, [BEN.id]: 1 }, 'nothing is stored before the Save')
    const saved = await post(kept.text, board, { do: 'save' })
    assert.deepEqual([saved.status, await statesOn(shift)], [303, { [ANN.id]: 1, [BEN.id]: 1 }])
    assert.match(await read(board), /welcome/)
  })

  test('cards of participants have their phone number; people who are only being added have none', async () => {
    const { shift, board } = await addShift()
    await world.addParticipation({ who: ANN, shift, state: 0 })
    assert.match(await read(board), /href="tel:\+49405550001"/)
    const added = await post(await read(board), board, { do: `add local-${BEN.id}` })
    assert.match(columnOf(added.text, 'confirmed'), /Ben/)
    assert.doesNotMatch(added.text, /tel:\+49405550002/)
  })

  test('a new card lives in the form until Save, can be removed, and is stale if the person signs up in the meantime', async () => {
    const { shift, board } = await addShift()
    const searched = await post(await read(board), board, { do: 'search', q: 've' })
    assert.match(columnOf(searched.text, 'add'), /Vera/)
    assert.ok(!columnOf(searched.text, 'add').includes('Ben'))
    const added = await post(searched.text, board, { do: `add local-${VERA.id}` })
    assert.match(columnOf(added.text, 'confirmed'), /Vera.*new, not saved/)
    assert.ok(!columnOf(added.text, 'add').includes('Vera'))
    assert.deepEqual(await statesOn(shift), {})
    const off = await post(added.text, board, { do: `off local-${VERA.id}` })
    assert.ok(!columnOf(off.text, 'confirmed').includes('Vera'))

    await world.addParticipation({ who: VERA, shift, state: 0 })
    const stale = await post(added.text, board, { do: 'save' })
    assert.equal(stale.status, 409)
    assert.match(columnOf(stale.text, 'confirmed'), /Vera.*Your version Confirmed Current version Requested/)
    assert.deepEqual(await statesOn(shift), { [VERA.id]: 0 })
    const kept = await post(stale.text, board, { do: `mine local-${VERA.id}` })
    assert.equal((await post(kept.text, board, { do: 'save' })).status, 303)
    assert.deepEqual(await statesOn(shift), { [VERA.id]: 1 })
  })

  test('a person without an account is added by a unique name', async () => {
    const { shift, board } = await addShift()
    const first = await post(await read(board), board, { do: 'add-placeholder', placeholder: ' Driver & “co” ' })
    assert.match(columnOf(first.text, 'confirmed'), /Driver &amp; “co”.*placeholder/)
    const twice = await post(first.text, board, { do: 'add-placeholder', placeholder: 'Driver & “co”' })
    assert.equal(twice.status, 422)
    assert.match(columnOf(twice.text, 'add'), /is already on the board/)
    assert.equal((await post(first.text, board, { do: 'add-placeholder', placeholder: '  ' })).status, 422)
    assert.equal((await post(twice.text, board, { do: 'save', placeholder: '' })).status, 303)
    assert.deepEqual(await statesOn(shift), { 'Driver & “co”': 1 })
  })

  test('finds people who fit, who are free, and who hold a qualification or one that includes it', async () => {
    const medic = await world.addQualification('Nurse')
    const chief = await world.addQualification('Chief', [medic])
    const names = ['Zoe Fit', 'Zoe Busy', 'Zoe Young', 'Zoe Chief', 'Zoe Hidden']
    const [fit, busy, young, boss] = await Promise.all(
      names.map((name) =>
        world.addPerson({
          name,
          isVisible: name !== 'Zoe Hidden',
          dateOfBirth: name === 'Zoe Young' ? '2020-01-01' : '1980-01-01',
        }),
      ),
    )
    await world.holds(fit!, medic)
    await world.holds(boss!, chief)
    const { board } = await addShift({ configuration: { minimum_age: 18 } })
    const other = (await world.addEvent({ title: 'Elsewhere', shifts: [{ start: day(11), end: day(13) }] })).shifts[0]!
    await world.addParticipation({ who: busy!, shift: other, state: 1 })
    const text = await read(board)
    const found = async (filter: Record<string, string>) => {
      const answer = await post(text, board, { do: 'search', q: 'zoe', ...filter })
      return [...columnOf(answer.text, 'add').matchAll(/Zoe (\w+) (?!\w* ?hidden)/g)]
        .map(([, name]) => name)
        .filter((name, i, all) => all.indexOf(name) === i)
        .sort()
    }
    assert.deepEqual(await found({}), ['Busy', 'Chief', 'Fit', 'Young'])
    assert.deepEqual(await found({ fits: 'on' }), ['Busy', 'Chief', 'Fit'])
    assert.deepEqual(await found({ fits: 'on', free: 'on' }), ['Chief', 'Fit'])
    assert.deepEqual(await found({ skill: String(medic.id) }), ['Chief', 'Fit'])
    assert.deepEqual(await found({ skill: String(chief.id) }), ['Chief'])
    assert.ok(young)
  })

  test('of an event that the planner cannot see, it says only when the person is busy', async () => {
    const { shift, board } = await addShift()
    const other = (await world.addEvent({ title: 'Secret drill', shifts: [{ start: day(10), end: day(11) }] })).shifts[0]!
    await world.addParticipation({ who: ANN, shift: other, state: 1 })
    await world.addParticipation({ who: BEN, shift: other, state: 1 })
    await world.addParticipation({ who: ANN, shift, state: 0 })
    const text = await read(board)
    const answers = [text]
    for (const form of [{ do: 'search', q: 'ben' }, { do: 'suggest' }]) answers.push((await post(text, board, form)).text)
    for (const answer of answers) {
      assert.match(plain(answer), /Busy: Sun 4 May 10:00–11:00|at that time: Sun 4 May 10:00–11:00/)
      assert.ok(!answer.includes('Secret'))
    }
    const seen = await world.withSession(OLGA).get(board, { unchecked })
    assert.match(plain(seen.text), /At the same time: Secret drill, Sun 4 May 10:00–11:00/)
  })

  test('finds people by their address only for planners who may see people', async () => {
    const { board } = await addShift()
    const searched = async (who: Person, q: string) => {
      const { text } = await open(who, board)
      return columnOf((await post(text, board, { do: 'search', q }, who)).text, 'add')
    }
    assert.doesNotMatch(await searched(PAUL, 'ben@a.example'), /Ben/)
    assert.match(await searched(PAUL, 'ben'), /Ben/)
    assert.match(await searched(OLGA, 'ben@a.example'), /Ben/)
  })

  test('confirming in named teams requires a team, and unsaved changes are kept', async () => {
    const { shift, board } = await addShift({ structure: 'named_teams', configuration: TEAMS })
    await world.addParticipation({ who: ANN, shift, state: 0, data: { preferred_team_uuid: 'South' } })
    await world.addParticipation({ who: BEN, shift, state: 0 })
    const text = await read(board)
    assert.match(columnOf(text, 'confirmed'), /North 0 of 2 1 missing.*South 0 of 2 1 missing/)
    assert.match(columnOf(text, 'requested'), /Ann.*Wish: South/)
    const refused = await post(text, board, { do: 'save', [card(shift, BEN, 'to')]: '1', [card(shift, ANN, 'to')]: '1:North' })
    assert.equal(refused.status, 422)
    assert.match(refused.text, /1 change saved\. One card could not be saved/)
    assert.match(columnOf(refused.text, 'confirmed'), /Ben.*Choose a team before confirming/)
    assert.deepEqual(await statesOn(shift), { [ANN.id]: 1, [BEN.id]: 0 })
    const saved = await post(refused.text, board, { do: 'save', [card(shift, BEN, 'to')]: '1:South' })
    assert.equal(saved.status, 303)
    assert.match(columnOf(await read(board), 'confirmed'), /North 1 of 2.*Ann.*South 1 of 2.*Ben/)
  })

  test('suggests people for open places with the reason and confirms all that fit, without storing anything', async () => {
    const medic = await world.addQualification('Paramedic')
    await world.holds(BEN, medic)
    const { shift, board } = await addShift({
      structure: 'qualification_mix',
      configuration: {
        qualification_requirements: [
          { qualification: medic.id, min_count: 1, max_count: 1 },
          { qualification: null, min_count: 0, max_count: 1 },
        ],
      },
    })
    await world.addParticipation({ who: ANN, shift, state: 0 })
    await world.addParticipation({ who: BEN, shift, state: 0 })
    await world.addParticipation({ who: VERA, shift, state: 0 })
    const text = await read(board)
    assert.match(columnOf(text, 'confirmed'), /Paramedic 0 of 1 1 missing Paramedic/)
    const suggested = await post(text, board, { do: 'suggest' })
    assert.match(suggested.text, /1 person fills an open place/)
    assert.match(columnOf(suggested.text, 'confirmed'), /Ben.*Suggested: Paramedic\. Needed here as Paramedic\./)
    assert.match(columnOf(suggested.text, 'requested'), /Ann/)
    const all = await post(text, board, { do: 'confirm-all' })
    assert.match(all.text, /2 requests fit and have a place/)
    assert.match(columnOf(all.text, 'requested'), /Not suggested: All places that this person qualifies for are taken/)
    assert.deepEqual(await statesOn(shift), { [ANN.id]: 0, [BEN.id]: 0, [VERA.id]: 0 })
    assert.equal((await post(all.text, board, { do: 'save' })).flash, '2 changes saved.')
  })

  test('the ETag of the state changes when somebody else saves', async () => {
    const { shift, board } = await addShift()
    await world.addParticipation({ who: ANN, shift, state: 0 })
    const { body, headers } = await open(PAUL, `${board}state/`)
    assert.ok((await read(board)).includes(`data-state="${body.state}"`))
    const ask = () => world.withSession(PAUL).get(`${board}state/`, { unchecked, headers: { 'if-none-match': headers.etag! } })
    assert.equal((await ask()).status, 304)
    await post(await read(board), board, { do: 'save', [card(shift, ANN, 'to')]: '1' }, OLGA)
    assert.equal((await ask()).status, 200)
  })

  test('rejects invalid fields', async () => {
    const { shift, board } = await addShift()
    await world.addParticipation({ who: ANN, shift, state: 0 })
    const text = await read(board)
    for (const [fields, status] of [
      [{ do: 'save', [card(shift, ANN, 'to')]: '4' }, 422],
      [{ do: 'save', [card(shift, ANN, 'to')]: '1', [card(shift, ANN, 'start')]: 'soon' }, 422],
      [{ do: 'save', [card(shift, ANN, 'was')]: 'x', [card(shift, ANN, 'to')]: '1' }, 409],
      [{ do: 'save', [`card.${shift}.local-99999.to`]: '1' }, 422],
      [{ do: 'add nobody' }, 404],
      [{ do: 'dance', 'card.1.x.y': 'z' }, 200],
    ] as [Record<string, string>, number][])
      assert.equal((await post(text, board, fields)).status, status, JSON.stringify(fields))
    assert.deepEqual(await statesOn(shift), { [ANN.id]: 0 })
  })
})
