import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import type { Person } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { loadSharedFacts } from './eligibility.ts'
import { findFreePeople, loadFactsOfPeople, seesEvent } from './free-people.ts'

const DAY = '2031-05-20'
const DAY_MS = 24 * 3_600_000
const at = (time: string) => `${DAY}T${time}:00Z`
const SPAN = { start: at('10:00'), end: at('12:00') }

describe('people who are free for a shift', async () => {
  const world = await openWorld()
  const { write } = world.db
  const medic = await world.addQualification('Medic')
  const doctor = await world.addQualification('Doctor', [medic])
  const driver = await world.addQualification('Driver')
  const team = await world.addGroup('Team', [])
  const addMember = async (name: string, rest: Partial<Person> = {}) => {
    const person = await world.addPerson({ name, ...rest })
    await write.insertInto('user_group_member').values({ group_id: team.id, user_id: person.id }).execute()
    return person
  }
  type Wish = { ways?: number[][]; most?: number; leftOut?: number }
  const find = async (ids: number[], { ways = [[]], most = 50, leftOut }: Wish = {}) => {
    const shared = await loadSharedFacts(write, ids, world.now)
    const wanted = ids.map((id) => ({ id, ways }))
    const choice = { mostPerShift: most, ...(leftOut === undefined ? {} : { isLeftOut: sql<boolean>`u.id = ${leftOut}` }) }
    return findFreePeople({ db: write, now: world.now, site: world.app.site }, shared, wanted, choice)
  }
  const namesFor = async (shift: number, wish: Wish = {}) =>
    (await find([shift], wish)).get(shift)!.people.map(({ name }) => name)
  const addShift = async (options: object = {}) =>
    (await world.addEvent({ seenBy: [team], shifts: [{ ...SPAN, ...options }] })).shifts[0]!
  /** A shift of another event, with its own times. */
  const place = async (
    who: Person,
    from: string,
    until: string,
    { state = 1, ...event }: { state?: number; cancelled?: boolean } = {},
  ) => {
    const { shifts } = await world.addEvent({ ...event, shifts: [{ start: at(from), end: at(until) }] })
    await world.addParticipation({ who, shift: shifts[0]!, state: state as 1 })
  }
  const cannot = (who: Person) =>
    write.insertInto('day_period').values({ user_id: who.id, kind: 'cannot', first_day: DAY, last_day: DAY }).execute()
  const makeProgram = (who: Person) =>
    write
      .updateTable('user_profile')
      .set({ is_service_account: true, is_visible: false, email_invalid: true })
      .where('id', '=', who.id)
      .execute()
  const clear = () => write.deleteFrom('user_group_member').where('group_id', '=', team.id).execute()

  const SEEN: [why: string, see: (who: Person, event: number) => Promise<unknown>, sees: boolean][] = [
    ['nothing', async () => {}, false],
    [
      'a group of the event',
      (who, event) => world.addGroup('A', [who]).then((group) => world.grantsEvent(group, event, 'view')),
      true,
    ],
    ['another group', (who) => world.addGroup('B', [who]), false],
    ['a grant of the event', (who, event) => world.grantsEvent(who, event, 'view'), true],
    ['the responsibility for the event', (who, event) => world.grantsEvent(who, event, 'change'), true],
    ['a permission for all events', (who) => world.grants(who, 'view_event'), true],
    ['a group with this permission', (who) => world.addGroup('C', [who], ['view_event']), true],
    ['another permission', (who) => world.grants(who, 'view_user'), false],
    ['a group with another permission', (who) => world.addGroup('D', [who], ['view_user']), false],
    ['being staff', (who) => write.updateTable('user_profile').set({ is_staff: true }).where('id', '=', who.id).execute(), true],
    [
      'being administrator',
      (who) => write.updateTable('user_profile').set({ is_superuser: true }).where('id', '=', who.id).execute(),
      true,
    ],
  ]
  for (const [why, see, sees] of SEEN)
    test(`a person with ${why} ${sees ? 'sees' : 'does not see'} the event`, async () => {
      const made = await world.addEvent({ shifts: [SPAN] })
      const other = await world.addEvent({ shifts: [SPAN] })
      const who = await world.addPerson({ name: 'Zoe' })
      await see(who, made.id)
      assert.equal((await namesFor(made.shifts[0]!)).includes('Zoe'), sees)
      const asked = async (id: number) =>
        (
          await sql<{
            sees: boolean
          }>`select ${seesEvent(sql`${id}::bigint`)} as sees from user_profile u where u.id = ${who.id}`.execute(write)
        ).rows[0]!.sees
      assert.equal(await asked(made.id), sees)
      const isForAll = sees && !/of the event|for the event/.test(why)
      assert.equal(await asked(other.id), isForAll, 'of another event')
      await write.deleteFrom('user_profile').where('id', '=', who.id).execute()
    })

  const PEOPLE: [
    what: string,
    rest: Partial<Person>,
    change: (who: Person, shift: number) => Promise<unknown>,
    isFound: boolean,
  ][] = [
    ['an account', {}, async () => {}, true],
    ['a closed account', { isActive: false }, async () => {}, false],
    ['a hidden profile', { isVisible: false }, async () => {}, false],
    ['the account of a program', {}, (who) => makeProgram(who), false],
    ['a request', {}, (who, shift) => world.addParticipation({ who, shift, state: 0 }), false],
    ['a refusal', {}, (who, shift) => world.addParticipation({ who, shift, state: 2 }), false],
    ['a shift that ends at the beginning', {}, (who) => place(who, '09:00', '10:00'), true],
    ['a shift that ends later', {}, (who) => place(who, '09:00', '10:01'), false],
    ['a shift that begins at the end', {}, (who) => place(who, '12:00', '13:00'), true],
    ['a shift that begins earlier', {}, (who) => place(who, '11:59', '13:00'), false],
    ['a request at that time', {}, (who) => place(who, '10:00', '12:00', { state: 0 }), true],
    ['a shift of a cancelled event', {}, (who) => place(who, '10:00', '12:00', { cancelled: true }), true],
    ['no time on that day', {}, (who) => cannot(who), false],
    [
      'no time, but only before',
      { isVisible: true },
      async (who) => {
        await write
          .insertInto('day_period')
          .values({ user_id: who.id, kind: 'cannot', first_day: '2031-05-18', last_day: '2031-05-19' })
          .execute()
      },
      true,
    ],
  ]
  for (const [what, rest, change, isFound] of PEOPLE)
    test(`a person with ${what} is ${isFound ? '' : 'not '}free`, async () => {
      await clear()
      const who = await addMember('Zoe', rest)
      const shift = await addShift()
      await change(who, shift)
      assert.deepEqual(await namesFor(shift), isFound ? ['Olga', 'Zoe'] : ['Olga'])
      if (isFound) assert.deepEqual(await namesFor(shift, { leftOut: who.id }), ['Olga'])
    })

  test('a place at a partner is one, unless it was denied or is only a request', async () => {
    await clear()
    const who = await addMember('Zoe')
    const shift = await addShift()
    const { id: host } = await write
      .insertInto('federated_host')
      .values({ name: 'Sued', url: 'https://sued.example', access_token_sealed: 'x' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const moments = { start_time: new Date(at('10:00')), end_time: new Date(at('12:00')), fetched_at: world.now }
    const texts = { title: 'Fair', location: '', type_title: '', signup_url: 'https://sued.example/1/' }
    const { id: event } = await write
      .insertInto('partner_event')
      .values({ host_id: host, remote_id: 1, ...texts, ...moments })
      .returning('id')
      .executeTakeFirstOrThrow()
    const isFree = async (values: object) => {
      await write.deleteFrom('participation_abroad').execute()
      await write
        .insertInto('participation_abroad')
        .values({ user_id: who.id, partner_event_id: event, remote_shift_id: 1, state: 1, ...moments, ...values })
        .execute()
      return (await namesFor(shift)).includes('Zoe')
    }
    assert.equal(await isFree({}), false)
    assert.equal(await isFree({ state: 0 }), true)
    assert.equal(await isFree({ denied: true }), true)
    assert.equal(await isFree({ start_time: new Date(at('12:00')), end_time: new Date(at('13:00')) }), true)
    await write.deleteFrom('participation_abroad').execute()
  })

  test('a shift that follows this one does not conflict, one that follows another does', async () => {
    await clear()
    const who = await addMember('Zoe')
    const { id: event, shifts } = await world.addEvent({
      seenBy: [team],
      shifts: [SPAN, { start: at('14:00'), end: at('15:00') }],
    })
    const [shift, other] = shifts as [number, number]
    const follow = async (leader: number) => {
      await write.deleteFrom('participation').where('user_id', '=', who.id).execute()
      const flowConfiguration = { leader_shift_id: String(leader) }
      const id = await addShift({ start: at('12:00'), end: at('13:00'), flow: 'coupled', flowConfiguration })
      await write.updateTable('shift').set({ event_id: event }).where('id', '=', id).execute()
      await world.addParticipation({ who, shift: id, state: 1 })
      const shared = await loadSharedFacts(write, [shift], world.now)
      const facts = (await loadFactsOfPeople({ db: write, now: world.now, site: world.app.site }, shared, [who.id])).get(who.id)!
      return facts.engagements.map(({ shiftId, leaderShiftId }) => [shiftId === id, leaderShiftId])
    }
    assert.deepEqual(await follow(shift), [[true, String(shift)]])
    assert.deepEqual(await follow(other), [[true, String(other)]])
  })

  /** More people than the database looks at one by one; their profiles are hidden. */
  let crowd: { id: number }[] | undefined
  const gather = async (isThere: boolean) => {
    if (isThere)
      crowd ??= (
        await sql<{ id: number }>`
          insert into user_profile (email, display_name, is_visible, created_at)
          select 'crowd' || n || '@a.example', 'Crowd', false, ${world.now} from generate_series(1, 2001) n returning id`.execute(
          write,
        )
      ).rows
    if (isThere)
      await sql`insert into user_group_member (group_id, user_id)
        select ${team.id}::bigint, id from unnest(${crowd!.map(({ id }) => id)}::bigint[]) id`.execute(write)
  }

  describe('with qualifications', () => {
    const END = new Date(at('12:00'))
    const CASES: [what: string, held: typeof medic | undefined, until: Date | null, ways: number[][], isFound: boolean][] = [
      ['nothing, where nothing is needed', undefined, null, [[]], true],
      ['nothing', undefined, null, [[medic.id]], false],
      ['what is needed', medic, null, [[medic.id]], true],
      ['what includes it', doctor, null, [[medic.id]], true],
      ['what is included', medic, null, [[doctor.id]], false],
      ['another one', driver, null, [[medic.id]], false],
      ['one of two ways', driver, null, [[medic.id], [driver.id]], true],
      ['half of a way', medic, null, [[medic.id, driver.id]], false],
      ['nothing, where one way needs nothing', undefined, null, [[medic.id], []], true],
      ['one until the end', medic, END, [[medic.id]], true],
      ['one until before the end', medic, new Date(END.getTime() - 1), [[medic.id]], false],
      ['one that has ended', medic, new Date(world.now.getTime() - 1), [[medic.id]], false],
    ]
    for (const isCrowded of [false, true])
      for (const [what, held, until, ways, isFound] of CASES)
        test(`a person with ${what} is ${isFound ? '' : 'not '}found${isCrowded ? ' among thousands' : ''}`, async () => {
          await clear()
          await gather(isCrowded)
          const who = await addMember('Zoe')
          // Sees no event.
          const outsider = await world.addPerson({ name: 'Max' })
          for (const each of held ? [who, outsider] : []) await world.holds(each, held!, until)
          const shift = await addShift()
          assert.deepEqual(
            (await namesFor(shift, { ways })).filter((name) => name !== 'Olga'),
            isFound ? ['Zoe'] : [],
          )
        })
    test('a shift of which nothing is missing gets nobody', async () => {
      const shift = await addShift()
      assert.deepEqual(await namesFor(shift, { ways: [] }), [])
    })
  })

  for (const isCrowded of [false, true])
    test(`people are found by id, up to a number for each shift${isCrowded ? ', among thousands' : ''}`, async () => {
      await clear()
      await gather(isCrowded)
      const [zoe, max] = [await addMember('Zoe'), await addMember('Max')]
      const [first, second] = [await addShift(), await addShift()]
      await world.addParticipation({ who: zoe, shift: second, state: 0 })
      const found = async (most: number) => {
        const all = await find([first, second], { most })
        return [first, second].map((id) => {
          const { people, isCut } = all.get(id)!
          return [people.map(({ id: one }) => one), isCut]
        })
      }
      const rest = [3, max.id]
      assert.deepEqual(await found(3), [
        [[3, zoe.id, max.id], false],
        [rest, false],
      ])
      assert.deepEqual(await found(2), [
        [[3, zoe.id], true],
        [rest, false],
      ])
    })

  test('facts of people are theirs alone, and not of closed accounts and programs', async () => {
    await clear()
    const zoe = await addMember('Zoe', { dateOfBirth: '1990-02-03' })
    const max = await addMember('Max')
    const closed = await addMember('Cleo', { isActive: false })
    const program = await addMember('Till')
    await makeProgram(program)
    await world.holds(zoe, medic, new Date(at('12:00')))
    await world.holds(zoe, driver)
    await cannot(zoe)
    const shift = await addShift()
    // A day before and after the shifts, not at that moment.
    const far = [
      ['2031-05-19T09:00:00Z', '2031-05-19T10:00:00Z'],
      ['2031-05-19T09:00:00Z', '2031-05-19T10:00:01Z'],
      ['2031-05-21T11:59:59Z', '2031-05-21T13:00:00Z'],
      ['2031-05-21T12:00:00Z', '2031-05-21T13:00:00Z'],
    ] as const
    const others: number[] = []
    for (const [start, end] of far) {
      const { shifts } = await world.addEvent({ title: 'Elsewhere', shifts: [{ start, end }] })
      await world.addParticipation({ who: zoe, shift: shifts[0]!, state: 1 })
      others.push(shifts[0]!)
    }
    const shared = await loadSharedFacts(write, [shift], world.now)
    const facts = await loadFactsOfPeople({ db: write, now: world.now, site: world.app.site }, shared, [
      zoe.id,
      max.id,
      closed.id,
      program.id,
    ])
    assert.deepEqual(new Set(facts.keys()), new Set([zoe.id, max.id]))
    const { person, who, own, answers, engagements } = facts.get(zoe.id)!
    assert.deepEqual([who, own, answers], [{ kind: 'local', id: zoe.id }, new Map(), new Map()])
    assert.deepEqual(
      { ...person, grants: person.grants.toSorted((a, b) => a.id - b.id) },
      {
        exists: true,
        isActive: true,
        isProvisional: false,
        dateOfBirth: '1990-02-03',
        groupIds: [team.id],
        availability: { weekly: [], periods: [{ kind: 'cannot', first: DAY, last: DAY }], busy: [] },
        grants: [
          { id: medic.id, until: new Date(at('12:00')) },
          { id: driver.id, until: null },
        ],
        savedAnswers: {},
      },
    )
    const tolerance = shared.settings.toleranceMinutes
    assert.deepEqual(
      engagements.map(({ shiftId, eventTitle, start, end, leaderShiftId }) => [shiftId, eventTitle, start, end, leaderShiftId]),
      far
        .map(([start, end], index) => [others[index]!, 'Elsewhere', new Date(start), new Date(end), null] as const)
        .filter(
          ([, , start, end]) =>
            end.getTime() > Date.parse(at('10:00')) - DAY_MS - tolerance * 60_000 &&
            start.getTime() < Date.parse(at('12:00')) + DAY_MS + tolerance * 60_000,
        ),
    )
    assert.deepEqual([facts.get(max.id)!.engagements, facts.get(max.id)!.person.grants], [[], []])
    assert.equal((await loadFactsOfPeople({ db: write, now: world.now, site: world.app.site }, shared, [])).size, 0)
  })
})
