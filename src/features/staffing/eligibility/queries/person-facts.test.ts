import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { makeKeyring } from '#platform/auth/secrets.ts'
import { ANN, BEN, HELPERS, NORD, OLGA, type Person } from '#test/support/people.ts'
import { openRecords } from '#test/support/records.ts'
import { UNKNOWN_PERSON } from '../rules/candidacy.ts'
import { loadSharedFacts, loadSignupFacts } from './eligibility.ts'
import { findEngagementsAtPartners, loadEngagements, NOBODY } from './engagements.ts'
import { loadBasis } from './person-facts.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const at = (time: string) => `2031-05-20T${time}:00Z`

describe('facts about a person', async () => {
  const world = await openRecords()
  const { write } = world.db
  const site = { url: '', timeZone: 'UTC', keyring: makeKeyring('k'.repeat(32)), tokenMaxDays: 1, added: () => [] }
  const medic = await world.addQualification('Medic')
  const driver = await world.addQualification('Driver')
  const { shifts } = await world.addEvent({ seenBy: [HELPERS], shifts: [{ start: at('10:00'), end: at('12:00') }] })
  const shift = shifts[0]!
  const who = (kind: 'local' | 'guest' | 'visitor', id: number) => ({ kind, id })
  const personOf = async (kind: 'local' | 'guest' | 'visitor', id: number) =>
    (await loadBasis(write, who(kind, id), [shift])).person

  test('are those of the person, whatever their kind', async () => {
    const until = new Date(at('11:00'))
    await world.holds(ANN, medic, until)
    await world.holds(ANN, driver)
    await world.holds(BEN, medic)
    const of = async (place: number) =>
      write.selectFrom('participation').select(['guest_id', 'visitor_id']).where('id', '=', place).executeTakeFirstOrThrow()
    const { guest_id: gus } = await of(
      await world.addParticipation({ who: { guest: { name: 'Gus', dateOfBirth: '2001-02-03' } }, shift }),
    )
    const { visitor_id: vic } = await of(
      await world.addParticipation({ who: { visitor: { name: 'Vic', dateOfBirth: '2002-03-04' }, of: NORD }, shift }),
    )
    await write
      .insertInto('guest_qualification')
      .values([
        { guest_id: gus!, qualification_id: medic.id, verified_at: world.now },
        { guest_id: gus!, qualification_id: driver.id, verified_at: null },
      ])
      .execute()
    await write.insertInto('visitor_qualification').values({ visitor_id: vic!, qualification_id: driver.id }).execute()
    const outside = { exists: true, isActive: true, isProvisional: false, groupIds: [], availability: null, savedAnswers: {} }
    const ann = await personOf('local', ANN.id)
    assert.deepEqual(
      { ...ann, grants: ann.grants.toSorted((a, b) => a.id - b.id) },
      {
        ...outside,
        dateOfBirth: ANN.dateOfBirth,
        groupIds: [HELPERS.id],
        grants: [
          { id: medic.id, until },
          { id: driver.id, until: null },
        ],
      },
    )
    const declared = { id: driver.id, until: null, isDeclared: true }
    const gusNow = async () => {
      const person = await personOf('guest', gus!)
      return { ...person, grants: person.grants.toSorted((a, b) => a.id - b.id) }
    }
    const expected = { ...outside, dateOfBirth: '2001-02-03', grants: [{ id: medic.id, until: null }] }
    assert.deepEqual(await gusNow(), { ...expected, grants: [...expected.grants, declared] })
    const decide = (values: { verified_at?: Date; rejected_at?: Date | null }) =>
      write.updateTable('guest_qualification').set(values).where('qualification_id', '=', driver.id).execute()
    await decide({ rejected_at: world.now })
    assert.deepEqual(await gusNow(), expected)
    assert.deepEqual(await personOf('visitor', vic!), {
      ...outside,
      dateOfBirth: '2002-03-04',
      grants: [{ id: driver.id, until: null }],
    })
    assert.deepEqual((await personOf('local', OLGA.id)).grants, [])
    await write.updateTable('guest').set({ email_confirmed_at: null }).where('id', '=', gus!).execute()
    assert.equal((await personOf('guest', gus!)).isProvisional, true)
    await world.setActive(BEN, false)
    assert.equal((await personOf('local', BEN.id)).isActive, false)
    await world.setActive(BEN, true)
    for (const kind of ['local', 'guest', 'visitor'] as const)
      assert.deepEqual(await personOf(kind, 999_999), { ...UNKNOWN_PERSON, exists: false, isActive: false })
  })

  test('contain confirmed shifts around the wanted ones, in order, without those that are given up', async () => {
    const facts = await loadSharedFacts(write, [shift], world.now)
    const margin = DAY_MS + (facts.settings.toleranceMinutes / 60) * HOUR_MS
    const [from, until] = [Date.parse(at('10:00')) - margin, Date.parse(at('12:00')) + margin]
    const put = async (
      start: number,
      end: number,
      { person = ANN as Person, state = 1, ...event }: { person?: Person; state?: number; cancelled?: boolean } = {},
    ) => {
      const times = { start: new Date(start).toISOString(), end: new Date(end).toISOString() }
      const made = await world.addEvent({ title: 'Fair', ...event, shifts: [times] })
      return {
        shift: made.shifts[0]!,
        event: made.id,
        place: await world.addParticipation({ who: person, shift: made.shifts[0]!, state: state as 1 }),
      }
    }
    const last = await put(until - 1, until + HOUR_MS)
    await put(until, until + HOUR_MS)
    await put(from - HOUR_MS, from)
    const first = await put(from - HOUR_MS, from + 1)
    const noon = Date.parse(at('12:00'))
    await put(noon, noon + HOUR_MS, { state: 0 })
    await put(noon, noon + HOUR_MS, { cancelled: true })
    await put(noon, noon + HOUR_MS, { person: BEN })
    const load = async (givenUp: number[] = [], person = who('local', ANN.id)) =>
      (await loadEngagements(write, person, [...facts.shifts.values()], { ...facts.settings, givenUp })).map(
        ({ shiftId }) => shiftId,
      )
    assert.deepEqual(await load(), [first.shift, last.shift])
    assert.deepEqual(await load([first.place]), [last.shift])
    assert.deepEqual(await load([], NOBODY), [])
    assert.deepEqual(await loadEngagements(write, who('local', ANN.id), [], { ...facts.settings, givenUp: [] }), [])
    const [row] = await loadEngagements(write, who('local', ANN.id), [...facts.shifts.values()], {
      ...facts.settings,
      givenUp: [],
    })
    assert.deepEqual(row, {
      shiftId: first.shift,
      eventId: first.event,
      eventTitle: 'Fair',
      start: new Date(from - HOUR_MS),
      end: new Date(from + 1),
      leaderShiftId: null,
    })
  })

  test('contain shifts at partners after the own ones, with the link of the partner', async () => {
    const { id: host } = await write
      .insertInto('federated_host')
      .values({ name: 'Sued', url: 'https://sued.example', access_token_sealed: 'x' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const moments = { start_time: new Date(at('08:00')), end_time: new Date(at('09:00')), fetched_at: world.now }
    const href = 'https://sued.example/1/'
    const { id: partner_event_id } = await write
      .insertInto('partner_event')
      .values({ host_id: host, remote_id: 1, title: 'Abroad', location: '', type_title: '', signup_url: href, ...moments })
      .returning('id')
      .executeTakeFirstOrThrow()
    const common = { partner_event_id, state: 1, ...moments }
    await write
      .insertInto('participation_abroad')
      .values([
        { user_id: BEN.id, remote_shift_id: 2, ...common, start_time: new Date(at('08:30')) },
        { user_id: BEN.id, remote_shift_id: 1, ...common },
        { user_id: BEN.id, remote_shift_id: 3, ...common, state: 0 },
        { user_id: BEN.id, remote_shift_id: 4, ...common, denied: true },
        { user_id: OLGA.id, remote_shift_id: 1, ...common },
      ])
      .execute()
    const row = (time: string, userId = BEN.id) => ({
      shiftId: 0,
      eventId: 0,
      userId,
      eventTitle: 'Abroad',
      start: new Date(at(time)),
      end: new Date(at('09:00')),
      leaderShiftId: null,
      partner: { host: 'Sued', href },
    })
    const span = (from: string, until: string) => ({ from: new Date(at(from)), until: new Date(at(until)) })
    assert.deepEqual(await findEngagementsAtPartners(write, [BEN.id], span('08:59', '09:00')), [row('08:00'), row('08:30')])
    assert.deepEqual(await findEngagementsAtPartners(write, [BEN.id], span('09:00', '10:00')), [])
    assert.deepEqual(await findEngagementsAtPartners(write, [BEN.id], span('07:00', '08:30')), [row('08:00')])
    assert.deepEqual(await findEngagementsAtPartners(write, [OLGA.id], span('07:00', '10:00')), [row('08:00', OLGA.id)])
    assert.deepEqual(await findEngagementsAtPartners(write, [], span('07:00', '10:00')), [])
    const { engagements } = await loadSignupFacts(write, who('local', BEN.id), [shift], { now: world.now, site })
    assert.deepEqual(
      engagements.map(({ eventTitle, partner }) => [eventTitle, partner?.href]),
      [
        ['Fair', undefined],
        ['Abroad', href],
        ['Abroad', href],
      ],
    )
  })

  test('count a qualification that expires during the shift for those who are confirmed, if the organisation only warns', async () => {
    const made = await world.addEvent({ shifts: [{ start: at('10:00'), end: at('12:00'), flow: 'instant_confirmation' }] })
    const person = await world.addPerson({ name: 'Zoe' })
    await world.holds(person, medic, new Date(at('11:00')))
    await world.addParticipation({ who: person, shift: made.shifts[0]!, state: 1 })
    const skillsIf = async (warns: boolean) => {
      await write.deleteFrom('setting').where('name', '=', 'expiring_qualification_warns').execute()
      await write
        .insertInto('setting')
        .values({ name: 'expiring_qualification_warns', value: JSON.stringify(warns) })
        .execute()
      const { people } = await loadSharedFacts(write, made.shifts, world.now)
      return people.get(made.shifts[0]!)!.map(({ skills }) => [...skills])
    }
    assert.deepEqual([await skillsIf(true), await skillsIf(false)], [[[medic.id]], [[]]])
  })
})

describe('what qualifications include', async () => {
  const world = await openRecords()
  const { read, write } = world.db
  const [nurse, medic, driver] = [
    await world.addQualification('Nurse'),
    await world.addQualification('Medic'),
    await world.addQualification('Driver'),
  ]
  const { shifts } = await world.addEvent({ seenBy: [HELPERS], shifts: [{ start: at('10:00'), end: at('12:00') }] })
  const include = (qualification_id: number, included_id: number) =>
    write.insertInto('qualification_inclusion').values({ qualification_id, included_id }).execute()
  const exclude = (included_id: number) =>
    write.deleteFrom('qualification_inclusion').where('included_id', '=', included_id).execute()
  const inclusionsOf = async (db: typeof read) =>
    Object.fromEntries(
      [...(await loadBasis(db, NOBODY, shifts)).inclusions].map(([id, ids]) => [id, [...ids].sort((a, b) => a - b)]),
    )
  const inTransaction = () => write.transaction().execute((tx) => inclusionsOf(tx))

  test('is the same for pages, which know it by the version of the catalogue, and for transactions, which read it', async () => {
    await include(nurse.id, medic.id)
    await include(medic.id, driver.id)
    const expected = {
      [nurse.id]: [nurse.id, medic.id, driver.id],
      [medic.id]: [medic.id, driver.id],
      [driver.id]: [driver.id],
    }
    assert.deepEqual(await inclusionsOf(read), expected)
    assert.deepEqual(await inTransaction(), expected)
  })
  test('is new at once', async () => {
    await inclusionsOf(read)
    await exclude(driver.id)
    assert.deepEqual((await inclusionsOf(read))[nurse.id], [nurse.id, medic.id])
    const trainee = await world.addQualification('Trainee')
    assert.deepEqual((await inclusionsOf(read))[trainee.id], [trainee.id])
  })
  test('would be out of date without the version that each change increments', async () => {
    await inclusionsOf(read)
    await sql`alter table qualification_inclusion disable trigger qualification_inclusion_catalogue`.execute(write)
    await exclude(medic.id)
    await sql`alter table qualification_inclusion enable trigger qualification_inclusion_catalogue`.execute(write)
    assert.deepEqual((await inclusionsOf(read))[nurse.id], [nurse.id, medic.id])
    assert.deepEqual((await inTransaction())[nurse.id], [nurse.id])
  })
  test('of a transaction is what it has changed itself, and nobody else sees it', async () => {
    await include(nurse.id, medic.id)
    const before = await inclusionsOf(read)
    await assert.rejects(
      write.transaction().execute(async (tx) => {
        await tx.insertInto('qualification_inclusion').values({ qualification_id: medic.id, included_id: driver.id }).execute()
        assert.deepEqual((await inclusionsOf(tx))[nurse.id], [nurse.id, medic.id, driver.id])
        throw new Error('undone')
      }),
      /undone/,
    )
    assert.deepEqual(await inclusionsOf(read), before)
  })
})
