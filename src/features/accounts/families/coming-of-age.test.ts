import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { authenticateSession } from '#features/access/sign-in/queries.ts'
import { setChildInCalendar } from '#features/accounts/users/commands/guardians.ts'
import { changeOwnDetails } from '#features/accounts/users/commands/own-details.ts'
import { getChildActor } from '#features/accounts/users/queries/guardians.ts'
import { peopleCondition } from '#features/accounts/users/queries/people.ts'
import { findRecipients } from '#features/accounts/users/queries/recipient.ts'
import { eventPath } from '#features/events/events/rules/slug.ts'
import { findCandidates } from '#features/messaging/messages/queries.ts'
import { viewersOf } from '#features/operations/privacy/queries/viewers.ts'
import { signUp } from '#features/staffing/participations/commands/sign-up.ts'
import { hashSecret } from '#platform/auth/secrets.ts'
import { noAddress } from '#platform/no-address.ts'
import { moveOnBoard } from '#test/support/board.ts'
import { contextAs } from '#test/support/command-context.ts'
import { NotificationOutbox } from '#test/support/notification-outbox.ts'
import { ANN, HELPERS, OLGA, PAUL, type Person } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld } from '#test/support/world.ts'
import { endGuardianshipsOfAge } from './jobs.ts'

const INSTANT = { flow: 'instant_confirmation', flowConfiguration: { user_can_decline_confirmed: true } }
const CALENDAR = 'a-calendar-of-ann-in-a-test-000000000000'
const DETAILS = { phone: null, shows_phone: false, emergency_name: null, emergency_phone: null }

// The zone of the instance is neither that of the server nor that of the database.
describe('guardians of a child who comes of age', async () => {
  const world = await openWorld({ timeZone: 'Pacific/Auckland' })
  const { write, read } = world.db
  const outbox = new NotificationOutbox(world)
  await write
    .updateTable('user_profile')
    .set({ calendar_token_hash: hashSecret(CALENDAR), calendar_token_sealed: 'x' })
    .where('id', '=', ANN.id)
    .execute()
  /** Sessions of the test go on, as those of people who come back every day. */
  async function moveTo(instant: string) {
    world.now = new Date(instant)
    const end = new Date(world.now.getTime() + 60 * 24 * 3_600_000)
    await write.updateTable('session').set({ created_at: world.now, last_seen_at: world.now, expires_at: end }).execute()
  }
  let count = 0
  let runs = 0
  async function addChild(dateOfBirth: string | null) {
    const name = `Kid ${++count} Keller`
    const child = await world.addPerson({ name, email: noAddress(`kid-${count}`), dateOfBirth } as never)
    await write.updateTable('user_profile').set({ email_invalid: true }).where('id', '=', child.id).execute()
    await write.insertInto('guardianship').values({ guardian_id: ANN.id, child_id: child.id, since: world.now }).execute()
    return child
  }
  /** A run on the days after, at no time of the former ones, which the child takes part in, and another shift that is free. */
  async function addRun(child: Person) {
    const at = (hours: number) => new Date(world.now.getTime() + hours * 3_600_000).toISOString()
    runs++
    const shifts = [10, 20]
      .map((hours) => hours + 20 * runs)
      .map((hours) => ({ start: at(hours), end: at(hours + 2), ...INSTANT }))
    const title = `Run ${runs}`
    const event = await world.addEvent({ title, seenBy: [HELPERS], responsible: [PAUL], shifts })
    await world.addParticipation({ who: child, shift: event.shifts[0]!, state: 1 })
    await write.insertInto('event_user_grant').values({ event_id: event.id, user_id: child.id, permission: 'view' }).execute()
    return { id: event.id, title, free: event.shifts[1]! }
  }
  const actingFor = async (child: Person) => {
    const session = (await world.sessionCookie(ANN)).split('=')[1]!
    const actor = (await authenticateSession(world.db)(session, world.now))!
    return getChildActor({ ...contextAs(world, ANN), actor }, child.id)
  }
  const isKept = async (child: Person) =>
    (await write.selectFrom('guardianship').select('child_id').where('child_id', '=', child.id).execute()).length === 1

  /** Everything that guardians reach, by name: whether Ann is the guardian of the child there. */
  async function reached(child: Person): Promise<Record<string, boolean>> {
    const run = await addRun(child)
    const browser = await browserOf(world, ANN)
    const shows = async (path: string) => (await browser.get(path)).body.includes(child.name)
    const opens = async (path: string) => (await browser.get(path)).statusCode === 200
    const post = async (path: string, form: Record<string, string>) => {
      const { statusCode, headers } = await browser.post(`/family/${child.id}/${path}`, { form })
      assert.ok(
        statusCode === 404 || (statusCode === 303 && !`${headers.location}`.startsWith('/accounts/')),
        `${path}: ${statusCode}`,
      )
      return statusCode === 303
    }
    const context = contextAs(world, OLGA)
    const found = {
      'page of the child': await opens(`/family/${child.id}/`),
      availability: await opens(`/family/${child.id}/availability/`),
      'event as the child': (await browser.get(`/family/${child.id}/events/${run.id}/`)).statusCode !== 404,
      'list of children': await shows('/family/'),
      'link on home': (await browser.get('/')).body.includes('Shifts of your children'),
      'event page': (await browser.get(eventPath(run.id, run.title))).body.includes(`/family/${child.id}/`),
      'own shifts': await shows('/my-shifts/'),
      menu: (await browser.get('/')).body.includes('href="/family/"'),
      'sign-up': await post(`shifts/${run.free}/signup/`, { quick: '1', from: 'event' }),
      details: await post('details/', { name: child.name, phone: '', emergency_name: '', emergency_phone: '' }),
      'choice of the calendar': await post('calendar/', { in_calendar: '1' }),
      calendar: (await world.nobody.get(`/calendar/${CALENDAR}/`, { unchecked: true })).text
        .replaceAll('\r\n ', '')
        .includes(child.name),
      'mails with news': (await findRecipients(context, child.id, 'news')).length === 1,
      'mails with links': (await findRecipients(context, child.id, 'access')).length === 1,
      'form for messages': (await findCandidates(context, run.id)).some(({ name, noMail }) => name === child.name && !noMail),
      'page for those who manage people': (
        await (await browserOf(world, OLGA)).get(`/manage/people/${child.id}/guardians/`)
      ).body.includes(ANN.name),
    }
    const one = async (from: ReturnType<typeof sql>) => (await sql`select from ${from}`.execute(write)).rows.length > 0
    const unattended = peopleCondition(context, { terms: [], state: 'unattended' })
    return {
      ...found,
      'who sees the child': await one(sql`(${viewersOf(child.id, context)}) v where v.reason = 'guardian'`),
      'who is looked after': !(await one(sql`user_profile u where u.id = ${child.id} and ${unattended}`)),
    }
  }
  const outcomes = (all: Record<string, boolean>) => ({
    open: Object.keys(all).filter((name) => all[name]),
    closed: Object.keys(all).filter((name) => !all[name]),
  })

  for (const [born, last, first] of [
    ['2013-05-10', '2031-05-09T11:59:59.999Z', '2031-05-09T12:00:00.000Z'],
    // 18 on 1 March, because 2034 has no 29 February.
    ['2016-02-29', '2034-02-28T10:59:59.999Z', '2034-02-28T11:00:00.000Z'],
  ] as const)
    test(`born on ${born}: everything is open until the birthday begins in the zone of the instance, and closed from then on`, async () => {
      await moveTo(last)
      const child = await addChild(born)
      assert.deepEqual(outcomes(await reached(child)).closed, [])
      await moveTo(first)
      assert.deepEqual(outcomes(await reached(child)).open, [])
      assert.ok(await isKept(child), 'the job has not run')
      await sql`insert into setting (name, value) values ('guardianship_stays', 'true')`.execute(write)
      assert.deepEqual(outcomes(await reached(child)).closed, [], 'the organisation keeps guardianships')
      await sql`delete from setting where name = 'guardianship_stays'`.execute(write)
      const job = { db: world.db, clock: { now: () => world.now }, site: world.app.site }
      assert.deepEqual([await endGuardianshipsOfAge(job), await isKept(child)], [1, false])
    })

  test('nothing ends for a child whose birth date is unknown', async () => {
    const child = await addChild(null)
    assert.deepEqual(outcomes(await reached(child)).closed, [])
    await write.deleteFrom('guardianship').where('child_id', '=', child.id).execute()
  })

  test('commands refuse a guardian who opened the page the day before', async () => {
    const [last, first] = [new Date('2031-05-09T11:59:59.999Z'), new Date('2031-05-09T12:00:00.000Z')]
    await moveTo(last.toISOString())
    const child = await addChild('2013-05-10')
    const { free } = await addRun(child)
    const actor = (await actingFor(child))!
    const as = (now: Date) => ({ ...contextAs(world, ANN), actor, now })
    const guardian = (now: Date) => ({ ...contextAs(world, ANN), now })
    for (const run of [
      () => signUp(as(first), { shiftId: free }),
      () => changeOwnDetails(as(first), DETAILS),
      () => setChildInCalendar(guardian(first), child.id, false),
    ])
      await assert.rejects(run(), { code: 'not_found' })
    await setChildInCalendar(guardian(last), child.id, false)
    assert.equal((await changeOwnDetails(as(last), DETAILS)).ok, true)
    assert.equal((await signUp(as(last), { shiftId: free })).ok, true)
    await write.deleteFrom('guardianship').where('child_id', '=', child.id).execute()
  })

  test('guardians get no notifications about the child any more, and do not see former ones', async () => {
    await moveTo('2031-05-09T11:59:59.999Z')
    const child = await addChild('2013-05-10')
    const confirm = async () => {
      const { free: shiftId } = await addRun(child)
      await world.addParticipation({ who: child, shift: shiftId, state: 0 })
      await moveOnBoard(contextAs(world, PAUL), { shiftId, who: { kind: 'local', id: child.id }, to: 1 })
      await outbox.readJournal()
      const { rows } = await sql`select from notification where user_id = ${ANN.id} and about_id = ${child.id}`.execute(read)
      const { body } = await (await browserOf(world, ANN)).get('/notifications/')
      return [rows.length, body.includes(child.name)]
    }
    assert.deepEqual(await confirm(), [1, true])
    await moveTo('2031-05-09T12:00:00.000Z')
    assert.deepEqual(await confirm(), [1, false])
  })
})
