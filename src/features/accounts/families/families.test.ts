import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { authenticateSession, getAccount } from '#features/access/sign-in/queries.ts'
import { addGuardian, endGuardianship } from '#features/accounts/users/commands/guardians.ts'
import { getChildActor } from '#features/accounts/users/queries/guardians.ts'
import { findRecipients } from '#features/accounts/users/queries/recipient.ts'
import { GUARD } from '#features/staffing/participations/commands/locks.ts'
import { signUp } from '#features/staffing/participations/commands/sign-up.ts'
import type { Actor } from '#platform/auth/actor.ts'
import { noAddress } from '#platform/no-address.ts'
import { contextAs } from '#test/support/command-context.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { ANN, BEN, HELPERS, OLGA, type Person } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld } from '#test/support/world.ts'
import { endGuardianshipsOfAge } from './jobs.ts'

const plain = (text: string) => text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')
const at = (date: number, hour: number) => `2031-05-0${date}T${String(hour).padStart(2, '0')}:00:00+02:00`
const INSTANT = { flow: 'instant_confirmation', flowConfiguration: { user_can_decline_confirmed: true } }

describe('families', async () => {
  const world = await openWorld()
  const { write, read } = world.db
  const youth = await world.addGroup('Youth', [])
  async function addChild(name: string, more: { username?: string; dateOfBirth?: string; groups?: boolean } = {}) {
    const key = `${name.toLowerCase().replaceAll(/\W+/g, '-')}`
    const child = await world.addPerson({ name, email: noAddress(key), dateOfBirth: more.dateOfBirth ?? '2020-03-04' } as never)
    await write
      .updateTable('user_profile')
      .set({ email_invalid: true, username: more.username ?? null })
      .where('id', '=', child.id)
      .execute()
    await write.insertInto('user_group_member').values({ group_id: youth.id, user_id: child.id }).execute()
    return child
  }
  const mia = await addChild('Mia Keller')
  const tom = await addChild('Tom Keller', { username: 'tom.k' })
  const other = await addChild('Nora Fremd')
  const link = (guardian: Person, child: Person) =>
    write
      .insertInto('guardianship')
      .values({ guardian_id: guardian.id, child_id: child.id, since: world.now })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  for (const child of [mia, tom]) await link(ANN, child)
  await link(BEN, other)
  const addEvent = (seenBy = [HELPERS, youth]) =>
    world.addEvent({ title: 'Run', seenBy, shifts: [{ start: at(4, 8), end: at(4, 12), ...INSTANT }] })
  const stateOf = async (child: Person, shift: number) =>
    (
      await read
        .selectFrom('participation')
        .select('state')
        .where('user_id', '=', child.id)
        .where('shift_id', '=', shift)
        .executeTakeFirst()
    )?.state
  const actorOf = async (person: Person): Promise<Actor> => {
    const session = (await world.sessionCookie(person)).split('=')[1]!
    return (await authenticateSession(world.db)(session, world.now))!
  }
  const childActor = async (guardian: Person, child: Person) =>
    getChildActor({ ...contextAs(world, guardian), actor: await actorOf(guardian) }, child.id)

  test('a parent signs up two children on the event page, one declines, and the journal names parent and child', async () => {
    const { id, shifts } = await addEvent()
    const [shift] = shifts as [number]
    const browser = await browserOf(world, ANN)
    const page = await browser.get(`/events/${id}-run/`)
    assert.deepEqual(checkMarkup(page.body), [])
    assert.match(plain(page.body), /Your children .*Mia Keller .*Sign up .*Tom Keller .*Sign up/)
    assert.doesNotMatch(page.body, /Nora/)
    for (const child of [mia, tom]) {
      const answer = await browser.post(`/family/${child.id}/shifts/${shift}/signup/`, { form: { quick: '1', from: 'event' } })
      assert.deepEqual([answer.statusCode, await stateOf(child, shift)], [303, 1])
    }
    assert.equal(await stateOf(ANN, shift), undefined)
    const declined = await browser.post(`/family/${tom.id}/shifts/${shift}/decline/`, { form: { sure: '1', from: 'event' } })
    assert.deepEqual([declined.statusCode, await stateOf(tom, shift), await stateOf(mia, shift)], [303, 2, 1])
    const { rows } = await sql<{ kind: string; actor_id: number; child: number }>`
      select kind, actor_id, (changes->>'acted_for_id')::int as child from journal where event_id = ${id} order by id`.execute(
      read,
    )
    assert.deepEqual(
      rows.filter(({ kind }) => kind.startsWith('participation.')),
      [
        { kind: 'participation.signed_up', actor_id: ANN.id, child: mia.id },
        { kind: 'participation.signed_up', actor_id: ANN.id, child: tom.id },
        { kind: 'participation.declined', actor_id: ANN.id, child: tom.id },
      ],
    )
    const home = plain((await browser.get('/')).body)
    assert.match(home, /Shifts of your children 1 /)
    const own = await browser.get('/my-shifts/')
    assert.match(plain(own.body), /All My own Mia Keller Tom Keller .*Run .*Mia Keller/)
    assert.ok(own.body.includes(`/family/${mia.id}/events/${id}/#shift-${shift}`))
    assert.deepEqual(checkMarkup(own.body), [])
    assert.match(plain((await browser.get(`/my-shifts/?who=${mia.id}`)).body), /Shifts of your children .*Run .*Mia Keller/)
    assert.match(plain((await browser.get(`/my-shifts/?who=${tom.id}`)).body), /Tom Keller has no upcoming shifts/)
    assert.doesNotMatch((await browser.get('/my-shifts/?who=me')).body, /events\/\d+\/#shift/)
    assert.doesNotMatch((await (await browserOf(world, OLGA)).get('/my-shifts/')).body, /My own/)
    for (const path of ['/family/', `/family/${mia.id}/`, `/family/${mia.id}/propose/`, `/family/${mia.id}/availability/`]) {
      const { statusCode, body } = await browser.get(path)
      assert.equal(statusCode, 200, path)
      assert.deepEqual(checkMarkup(body), [])
    }
  })

  test('an event that only the child sees is shown as the child sees it', async () => {
    const { id, shifts } = await addEvent([youth])
    const browser = await browserOf(world, ANN)
    assert.equal((await browser.get(`/events/${id}-run/`)).statusCode, 404)
    const page = await browser.get(`/family/${tom.id}/events/${id}/`)
    assert.equal(page.statusCode, 200)
    assert.match(plain(page.body), /This is about Tom Keller\./)
    assert.ok(page.body.includes(`/family/${tom.id}/shifts/${shifts[0]}/signup/`))
  })

  const ADDRESSED = { en: /\b(you|your|yours|yourself)\b/i, de: /\b(du|dich|dir|dein|deine[mnrs]?)\b/i }
  for (const language of ['en', 'de'] as const)
    test(`texts about a child name the child, in ${language}`, async () => {
      await write.updateTable('user_profile').set({ preferred_language: language }).where('id', '=', ANN.id).execute()
      const browser = await browserOf(world, ANN)
      const mainOf = (body: string) => /<main[\s\S]*<\/main>/.exec(body)![0]
      const check = (what: string, text: string, says: RegExp = /Tom Keller/) => {
        assert.match(text, says, what)
        assert.doesNotMatch(text, ADDRESSED[language], what)
      }
      const request = { start: at(6, 8), end: at(6, 12), flow: 'request_confirm', flowConfiguration: {} }
      const strict = { start: at(7, 8), end: at(7, 12), ...INSTANT, minimumAge: 16 }
      const times = { start: at(4, 8), end: at(4, 12), ...INSTANT }
      const shiftsOf = (seenBy: (typeof youth)[]) =>
        world.addEvent({ title: 'Walk', seenBy, shifts: [times, request, strict as never] })
      const { id, shifts } = await shiftsOf([HELPERS, youth])
      const familyOf = async () =>
        [...(await browser.get(`/events/${id}-walk/`)).body.matchAll(/<li id="row-family-(\d+)-[\s\S]*?<\/li>/g)]
          .filter(([, child]) => Number(child) === tom.id)
          .map(([row]) => plain(row))
          .join(' ')
      check('the rows of the event page', await familyOf())
      for (const shift of shifts) {
        const page = await browser.get(`/family/${tom.id}/shifts/${shift}/signup/`)
        check('the form for a sign-up', plain(mainOf(page.body)))
      }
      for (const shift of shifts.slice(0, 2)) {
        await browser.post(`/family/${tom.id}/shifts/${shift}/signup/`, { form: { quick: '1', from: 'event' } })
        const page = await browser.get(`/family/`)
        const toast = /<[^>]*class="[^"]*(?:flash|toast|notice)[^"]*"[\s\S]*?<\/p>/.exec(page.body)![0]
        check('the message after the sign-up', plain(toast))
        check('the form for changes', plain(mainOf((await browser.get(`/family/${tom.id}/shifts/${shift}/signup/`)).body)))
        check('the form for a decline', plain(mainOf((await browser.get(`/family/${tom.id}/shifts/${shift}/decline/`)).body)))
      }
      check('the rows of the event page afterwards', await familyOf())
      const hidden = await shiftsOf([youth])
      check('the event as the child sees it', plain(mainOf((await browser.get(`/family/${tom.id}/events/${hidden.id}/`)).body)))
      const own = (await browser.get(`/my-shifts/?who=${tom.id}`)).body
      // The heading speaks to the parent: the shifts of their children.
      check(
        'my shifts',
        plain(/<ul class="event-list[\s\S]*?<\/ul>/.exec(own)?.[0] ?? mainOf(own).replaceAll(/<h2[\s\S]*?<\/h2>/g, '')),
      )
      const form = /<form[^>]*action="\/family\/\d+\/details\/"[\s\S]*?<\/form>/.exec(
        (await browser.get(`/family/${tom.id}/`)).body,
      )![0]
      check('the details of the child', plain(form))
      await write.deleteFrom('participation').where('user_id', '=', tom.id).execute()
      await write.updateTable('user_profile').set({ preferred_language: 'en' }).where('id', '=', ANN.id).execute()
    })

  test('nobody acts for a person who is not their child, on any page', async () => {
    const { id, shifts } = await addEvent()
    const browser = await browserOf(world, ANN)
    const paths = ['', 'details/', 'propose/', 'availability/', 'end/', `events/${id}/`, `shifts/${shifts[0]}/signup/`]
    for (const path of paths) assert.equal((await browser.get(`/family/${other.id}/${path}`)).statusCode, 404, path)
    const posts: [string, Record<string, string>][] = [
      [`shifts/${shifts[0]}/signup/`, { quick: '1' }],
      [`shifts/${shifts[0]}/decline/`, { sure: '1' }],
      [`shifts/${shifts[0]}/undo/`, { entry: '1' }],
      ['details/', { name: 'Taken', phone: '', emergency_name: '', emergency_phone: '' }],
      ['calendar/', {}],
      ['end/', {}],
      ['availability/days/', { days_kind: 'cannot', first: '2031-05-04', last: '2031-05-04' }],
    ]
    for (const [path, form] of posts)
      assert.equal((await browser.post(`/family/${other.id}/${path}`, { form })).statusCode, 404, path)
    assert.equal(await stateOf(other, shifts[0]!), undefined)
    // The twin: the guardian can.
    const own = await browserOf(world, BEN)
    assert.equal((await own.get(`/family/${other.id}/`)).statusCode, 200)
  })

  test('a guardianship gives no power: administrators and people with permissions have no guardians', async () => {
    const context = contextAs(world, OLGA)
    const attempt = (child: Person, guardian: Person) =>
      addGuardian(context, { childId: child.id, guardian: guardian.email, endsAtAge: false })
    assert.deepEqual(await attempt(OLGA, ANN), { ok: false, reason: 'child_has_powers' })
    const powerful = await addChild('Power Kid')
    await link(ANN, powerful)
    assert.ok(await childActor(ANN, powerful))
    await write.insertInto('user_permission').values({ user_id: powerful.id, permission: 'change_user' }).execute()
    assert.equal(await childActor(ANN, powerful), undefined)
    const acting = await childActor(ANN, mia)
    assert.ok(acting?.kind === 'user' && acting.permissions.size === 0 && !acting.isStaff && acting.by?.userId === ANN.id)
  })

  test('a sign-up that began before the guardianship ended is refused, and only the check under the lock refuses it', async () => {
    const late = await addChild('Late Kid')
    for (const isChecked of [true, false]) {
      await link(ANN, late)
      const { shifts } = await addEvent()
      const acting = (await childActor(ANN, late))!
      await endGuardianship(contextAs(world, OLGA), { guardianId: ANN.id, childId: late.id })
      const guard = isChecked ? GUARD : { ...GUARD, checkActing: async () => {} }
      const attempt = signUp({ ...contextAs(world, ANN), actor: acting }, { shiftId: shifts[0]! }, guard)
      if (isChecked) await assert.rejects(attempt, { code: 'not_found' })
      else assert.equal((await attempt).ok, true)
      assert.equal(await stateOf(late, shifts[0]!), isChecked ? undefined : 1)
    }
  })

  test('guardianships end at 18, and stay if the organisation says so', async () => {
    const grown = await addChild('Grown Kid', { dateOfBirth: '2013-05-01' })
    const young = await addChild('Young Kid', { dateOfBirth: '2013-05-03' })
    for (const child of [grown, young]) await link(ANN, child)
    const job = { db: world.db, clock: { now: () => world.now }, site: contextAs(world, OLGA).site }
    await sql`insert into setting (name, value) values ('guardianship_stays', 'true')`.execute(write)
    assert.equal(await endGuardianshipsOfAge(job), 0)
    await sql`delete from setting where name = 'guardianship_stays'`.execute(write)
    assert.equal(await endGuardianshipsOfAge(job), 1)
    assert.equal(await childActor(ANN, grown), undefined)
    assert.ok(await childActor(ANN, young))
    const { rows } = await sql<{
      cause: string
    }>`select changes->>'cause' as cause from journal where kind = 'guardianship.ended' and subject_id = ${grown.id}`.execute(
      read,
    )
    assert.deepEqual(rows, [{ cause: 'age' }])
  })

  test('mails of a child go to the guardians once per mailbox, and links that open the account to the address first', async () => {
    await write.updateTable('user_profile').set({ contact_email: ANN.email.toUpperCase() }).where('id', '=', mia.id).execute()
    const boxes = async (child: Person, purpose: 'news' | 'access') =>
      (await findRecipients(contextAs(world, OLGA), child.id, purpose)).map(({ email, name, about, isGuardian }) => [
        email.toLowerCase(),
        name,
        about,
        isGuardian,
      ])
    assert.deepEqual(await boxes(mia, 'news'), [[ANN.email.toLowerCase(), ANN.name, mia.name, true]])
    await link(BEN, mia)
    assert.deepEqual(
      (await boxes(mia, 'news')).map(([email]) => email),
      [ANN.email, BEN.email].map((email) => email.toLowerCase()),
    )
    assert.deepEqual(await boxes(mia, 'access'), [[ANN.email.toLowerCase(), mia.name, mia.name, false]])
    assert.deepEqual(
      (await boxes(tom, 'access')).map(([email]) => email),
      [ANN.email.toLowerCase()],
    )
    assert.deepEqual(await boxes(ANN, 'news'), [[ANN.email.toLowerCase(), ANN.name, undefined, false]])
  })

  test('an address and a user name lead to one account and one counter; unknown names are answered alike', async () => {
    await write.updateTable('user_profile').set({ username: 'ann.one' }).where('id', '=', ANN.id).execute()
    const [byName, byMail, unknown] = [
      await getAccount(read, 'ANN.one'),
      await getAccount(read, ANN.email),
      await getAccount(read, 'nobody.here'),
    ]
    assert.deepEqual([byName.userId, byMail.userId, byName.lowerEmail], [ANN.id, ANN.id, byMail.lowerEmail])
    assert.deepEqual(unknown, { lowerEmail: 'nobody.here', userId: null, passwordHash: null })
  })

  test('people add children only if the organisation allows it', async () => {
    const browser = await browserOf(world, ANN)
    assert.doesNotMatch((await browser.get('/family/')).body, /Add a child/)
    const form = { name: 'Ida Keller', date_of_birth: '2022-02-02' }
    assert.equal((await browser.post('/family/', { form })).statusCode, 403)
    await sql`insert into setting (name, value) values ('people_add_children', 'true'), ('children_group', '"Youth"')`.execute(
      write,
    )
    const added = await browser.post('/family/', { form })
    assert.equal(added.statusCode, 303)
    assert.match(plain((await browser.get(String(added.headers.location))).body), /Ida Keller .*9 years old .*Youth/)
  })
})
