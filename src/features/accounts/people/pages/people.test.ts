import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { actorOf, contextOf } from '#test/support/command-context.ts'
import { journalOf } from '#test/support/journal.ts'
import { findJobs, openAccountMailOutbox } from '#test/support/mail-outbox.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { ANN, BEN, HELPERS, OLGA, PAUL, type Person, PLANNERS, VERA } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { NOW, openWorld } from '#test/support/world.ts'
import { grantQualification } from '../commands/grants.ts'

const PEOPLE = '/manage/people/'
const FORM = { name: 'Nora New', email: 'nora@a.example', language: 'en', is_visible: 'on' }

describe('managing people', async () => {
  const world = await openWorld({ hasMail: true })
  const stella = await world.addPerson({ name: 'Stella', isStaff: true })
  const hanna = await world.addPerson({ name: 'Hanna', permissions: ['view_user', 'add_user', 'change_user', 'delete_user'] })
  const robot = await world.addPerson({ name: 'Robot', isVisible: false })
  await world.db.write.insertInto('user_group_member').values({ group_id: HELPERS.id, user_id: hanna.id }).execute()
  const [staff, hr, viewer, volunteer] = await Promise.all([stella, hanna, VERA, ANN].map((who) => browserOf(world, who)))

  const row = (id: number) => world.db.read.selectFrom('user_profile').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const groupsOf = async (id: number) =>
    (
      await world.db.read
        .selectFrom('user_group_member')
        .select('group_id')
        .where('user_id', '=', id)
        .orderBy('group_id')
        .execute()
    ).map(({ group_id }) => group_id)
  const formOf = async (person: Person, groups: number[] = []) => {
    const { display_name, email, phone, date_of_birth, preferred_language, is_staff, is_visible } = await row(person.id)
    return {
      name: display_name,
      email,
      language: preferred_language,
      groups: groups.map(String),
      phone: phone ?? '',
      date_of_birth: date_of_birth ?? '',
      ...(is_staff ? { is_staff: 'on' } : {}),
      ...(is_visible ? { is_visible: 'on' } : {}),
    }
  }

  /** Until a statement waits for a lock. */
  async function untilBlocked(): Promise<void> {
    for (;;) {
      const { rows } = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(world.db.read)
      if (rows.length) return
    }
  }

  test('every page and action requires its permission', async () => {
    const ben = `${PEOPLE}${BEN.id}/`
    const TABLE: [method: 'get' | 'post', path: string, viewer: number, hr: number][] = [
      ['get', PEOPLE, 200, 200],
      ['get', `${PEOPLE}export/`, 200, 200],
      ['get', `${PEOPLE}new/`, 403, 200],
      ['get', ben, 200, 200],
      ['get', `${ben}deactivate/`, 403, 200],
      ['get', `${ben}revoke/`, 403, 200],
      ['get', `${ben}delete/`, 403, 200],
      ['post', `${PEOPLE}new/`, 403, 422],
      ['post', ben, 403, 422],
      ['post', `${ben}grant/`, 403, 422],
      ['post', `${ben}withdraw/`, 403, 400],
      ['post', `${ben}send-link/`, 403, 303],
      ['post', `${ben}reactivate/`, 403, 303],
    ]
    for (const [method, path, forViewer, forHr] of TABLE) {
      const form = path === ben ? { form: { ...(await formOf(BEN)), email: 'bad' } } : {}
      assert.equal((await volunteer![method](path, form)).statusCode, 403, `volunteer ${method} ${path}`)
      const looked = await viewer![method](path, path === ben ? { form: await formOf(BEN) } : form)
      assert.equal(looked.statusCode, forViewer, `viewer ${method} ${path}`)
      assert.equal((await hr![method](path, form)).statusCode, forHr, `hr ${method} ${path}`)
    }
    for (const what of ['deactivate', 'revoke', 'delete'])
      for (const browser of [viewer!, volunteer!]) assert.equal((await browser.post(`${ben}${what}/`)).statusCode, 403)
    assert.ok((await row(BEN.id)).is_active)
  })

  test('unknown, invalid and hidden ids are not found', async () => {
    for (const id of ['0', '99999', '999999999999999999', 'me', '-1', '1e3', String(robot.id)])
      for (const what of ['', 'deactivate/', 'revoke/', 'delete/'])
        assert.equal((await hr!.get(`${PEOPLE}${id}/${what}`)).statusCode, 404, id + what)
    assert.equal((await hr!.post(`${PEOPLE}${robot.id}/`, { form: await formOf(robot) })).statusCode, 404)
    assert.equal((await hr!.post(`${PEOPLE}${robot.id}/deactivate/`)).statusCode, 404)
    assert.equal((await staff!.get(`${PEOPLE}${robot.id}/`)).statusCode, 200)
  })

  test('the list can be searched and filtered, and its markup is valid', async () => {
    const medic = await world.addQualification('Medic')
    const doctor = await world.addQualification('Doctor', [medic])
    await world.holds(BEN, doctor)
    await world.holds(PAUL, medic, new Date(world.now.getTime() - 1000))
    const names = async (query: string, browser = hr!) => {
      const { body, statusCode } = await browser.get(`${PEOPLE}?${query}`)
      assert.equal(statusCode, 200)
      assert.deepEqual(checkMarkup(body), [])
      return [...body.matchAll(/href="\/manage\/people\/\d+\/">([^<]+)</g)].map(([, name]) => name)
    }
    assert.deepEqual(await names(''), ['Ann', 'Ben', 'Hanna', 'Olga', 'Paul', 'Stella', 'Vera'])
    assert.deepEqual(await names('q=BEN%40'), ['Ben'])
    assert.deepEqual(await names('q=%25'), [])
    assert.deepEqual(await names(`group=${HELPERS.id}`), ['Ann', 'Ben', 'Hanna'])
    assert.deepEqual(await names(`qualification=${medic.id}`), ['Ben'])
    assert.deepEqual(await names('state=administrators'), ['Olga', 'Stella'])
    assert.deepEqual(await names('state=inactive'), [])
    assert.ok(!(await names('state=hidden')).includes('Robot'))
    assert.deepEqual(await names('state=hidden', staff!), ['Robot'])
    assert.deepEqual(await names('q=%00&page=0&group=x&state=%27'), await names(''))
    assert.equal((await hr!.get(`${PEOPLE}?page=9`)).headers.location, PEOPLE)
  })

  test('the export escapes formulas', async () => {
    await world.addPerson({ name: '=HYPERLINK("x")', email: 'formula@a.example' })
    const { body, headers } = await viewer!.get(`${PEOPLE}export/?q=formula`)
    assert.match(String(headers['content-disposition']), /attachment/)
    assert.match(body, /^\uFEFFName,.*\r\n"'=HYPERLINK\(""x""\)",formula@a\.example,/)
  })

  test('new people get a welcome mail; errors are shown beside their fields', async () => {
    const bad = await hr!.post(`${PEOPLE}new/`, { form: { name: ' ', email: 'x', language: 'xx', date_of_birth: '2031-02-30' } })
    assert.equal(bad.statusCode, 422)
    assert.deepEqual(checkMarkup(bad.body), [])
    for (const says of [/Please enter a name/, /enter a complete email/, /enter a valid date/]) assert.match(bad.body, says)
    const future = await hr!.post(`${PEOPLE}new/`, { form: { ...FORM, date_of_birth: '2031-05-02' } })
    assert.match(future.body, /in the future/)
    const taken = await hr!.post(`${PEOPLE}new/`, { form: { ...FORM, email: 'BEN@a.example' } })
    assert.match(taken.body, /already has this email address/)
    const made = await hr!.post(`${PEOPLE}new/`, { form: { ...FORM, groups: String(HELPERS.id), date_of_birth: '2015-05-01' } })
    const id = Number(/(\d+)\/$/.exec(String(made.headers.location))![1])
    assert.deepEqual(await groupsOf(id), [HELPERS.id])
    assert.ok(
      (await findJobs(world.db, 'account_mail')).some(({ payload }) => payload.kind === 'welcome' && payload.userId === id),
    )
    assert.deepEqual(
      (await journalOf(world, 'user', id)).map(({ kind }) => kind),
      ['user.created', 'user.welcomed'],
    )
    const page = await hr!.get(`${PEOPLE}${id}/`)
    assert.match(page.body, /minor<.*no password yet/s)
    assert.deepEqual(checkMarkup(page.body), [])
  })

  test('only staff appoint staff and hide people; nobody assigns groups of others', async () => {
    for (const [form, says] of [
      [{ ...FORM, email: 'a1@a.example', is_staff: 'on' }, /Only administrators may appoint/],
      [{ ...FORM, email: 'a2@a.example', groups: String(PLANNERS.id) }, /may not add people to/],
      [{ name: 'A', email: 'a3@a.example', language: 'en' }, /Only administrators may hide/],
    ] as const) {
      const answer = await hr!.post(`${PEOPLE}new/`, { form })
      assert.equal(answer.statusCode, 422)
      assert.match(answer.body, says)
    }
    const own = await hr!.post(`${PEOPLE}${hanna.id}/`, { form: { ...(await formOf(hanna, [HELPERS.id])), is_staff: 'on' } })
    assert.equal(own.statusCode, 422)
    assert.equal((await row(hanna.id)).is_staff, false)
    const join = await hr!.post(`${PEOPLE}${hanna.id}/`, { form: await formOf(hanna, [HELPERS.id, PLANNERS.id]) })
    assert.equal(join.statusCode, 422)
    assert.deepEqual(await groupsOf(hanna.id), [HELPERS.id])
  })

  test('memberships in groups of others are shown as locked and stay', async () => {
    assert.match((await hr!.get(`${PEOPLE}${PAUL.id}/`)).body, /Locked: Planners\./)
    await hr!.post(`${PEOPLE}${PAUL.id}/`, { form: await formOf(PAUL, [HELPERS.id]) })
    assert.deepEqual(await groupsOf(PAUL.id), [HELPERS.id, PLANNERS.id])
    await hr!.post(`${PEOPLE}${PAUL.id}/`, { form: await formOf(PAUL) })
    assert.deepEqual(await groupsOf(PAUL.id), [PLANNERS.id])
  })

  test('changing an e-mail address requires every right of the account', async () => {
    const change = async (browser: typeof hr, person: Person, groups: number[], email: string) =>
      (await browser!.post(`${PEOPLE}${person.id}/`, { form: { ...(await formOf(person, groups)), email } })).statusCode
    assert.equal(await change(hr, BEN, [HELPERS.id], 'benjamin@a.example'), 303)
    assert.equal(await change(hr, PAUL, [PLANNERS.id], 'mine@evil.example'), 422)
    assert.equal(await change(hr, stella, [], 'mine@evil.example'), 422)
    assert.equal(await change(hr, OLGA, [], 'mine@evil.example'), 422)
    assert.equal(await change(staff, OLGA, [], 'mine@evil.example'), 422)
    assert.equal(await change(staff, PAUL, [PLANNERS.id], 'paul2@a.example'), 303)
    assert.deepEqual([(await row(PAUL.id)).email, (await row(OLGA.id)).email], ['paul2@a.example', OLGA.email])
  })

  test('saving a form that is outdated shows a conflict and keeps the input; saving again overwrites', async () => {
    const person = await world.addPerson({ name: 'Carla' })
    const path = `${PEOPLE}${person.id}/`
    const seenIn = (body: string) =>
      /name="seen" value="([^"]*)"/.exec(body)![1]!.replaceAll('&quot;', '"').replaceAll('&amp;', '&')
    const [first, second] = [await staff!.get(path), await hr!.get(path)]
    const saved = await staff!.post(path, { form: { ...(await formOf(person)), phone: '+4940111111', seen: seenIn(first.body) } })
    assert.equal(saved.statusCode, 303)
    const form = { ...(await formOf(person)), name: 'Clara', phone: '+4940222222' }
    const late = await hr!.post(path, { form: { ...form, seen: seenIn(second.body) } })
    assert.equal(late.statusCode, 409)
    assert.match(late.body, /Someone else has changed this person in the meantime/)
    assert.match(late.body, /value="\+4940222222"/)
    assert.equal((await row(person.id)).phone, '+4940111111')
    assert.equal((await hr!.post(path, { form: { ...form, seen: seenIn(late.body) } })).statusCode, 303)
    assert.deepEqual([(await row(person.id)).display_name, (await row(person.id)).phone], ['Clara', '+4940222222'])
  })

  test('a changed address is announced at the former one, which does not learn the new one', async () => {
    const person = await world.addPerson({ name: 'Elsa', email: 'elsa@old.example' })
    const path = `${PEOPLE}${person.id}/`
    const outbox = openAccountMailOutbox(() => world.db, { now: () => world.now }, 'https://a.example')
    const save = async (email: string) => {
      outbox.sent.length = 0
      assert.equal((await staff!.post(path, { form: { ...(await formOf(person)), email } })).statusCode, 303)
      await outbox.deliver()
      return outbox.sent.map(({ to }) => to)
    }
    await outbox.deliver()
    assert.deepEqual(await save('elsa@new.example'), ['elsa@old.example'])
    assert.match(outbox.sent[0]!.subject, /The email address of your account at .* was changed/)
    assert.doesNotMatch(JSON.stringify(outbox.sent[0]), /new\.example/)
    assert.deepEqual(await save('Elsa@new.example'), [], 'the same address in other letters')
    await world.db.write.updateTable('user_profile').set({ email_invalid: true }).where('id', '=', person.id).execute()
    assert.deepEqual(await save('elsa@third.example'), [], 'an address that accepts no mails')
  })

  test('a qualification that is deleted while it is granted is reported as unknown', async () => {
    const person = await world.addPerson({ name: 'Dora' })
    const context = contextOf(world, actorOf(OLGA))
    const grant = async (transacted: boolean) => {
      const { id } = await world.addQualification('Doomed')
      const deleted = Promise.withResolvers<void>()
      const begun = Promise.withResolvers<void>()
      const deletion = world.db.write.transaction().execute(async (tx) => {
        await tx.deleteFrom('qualification').where('id', '=', id).execute()
        begun.resolve()
        await deleted.promise
      })
      await begun.promise
      const input = { userId: person.id, qualificationId: id, until: null }
      const granting = transacted
        ? grantQualification(context, input)
        : world.db.write.insertInto('qualification_grant').values({ user_id: person.id, qualification_id: id }).execute()
      granting.catch(() => {})
      await untilBlocked()
      deleted.resolve()
      await deletion
      return granting
    }
    assert.deepEqual(await grant(true), { ok: false, reason: 'unknown' })
    await assert.rejects(grant(false), { code: '23503' }, 'without the retry, the foreign key fails')
  })

  test('the journal records old and new values, personal data separately; saving without changes records nothing', async () => {
    const before = (await journalOf(world, 'user', BEN.id)).length
    await staff!.post(`${PEOPLE}${BEN.id}/`, {
      form: { ...(await formOf(BEN, [HELPERS.id])), language: 'de', phone: '+4940555111' },
    })
    const entries = await journalOf(world, 'user', BEN.id)
    const last = entries.at(-1)!
    assert.equal(last.kind, 'user.changed')
    assert.equal(last.actor_id, stella.id)
    assert.equal(last.person_id, BEN.id)
    assert.deepEqual(last.changes, { preferred_language: ['en', 'de'] })
    assert.deepEqual((last.personal as Record<string, unknown>).phone, [BEN.phone, '+4940555111'])
    await staff!.post(`${PEOPLE}${BEN.id}/`, { form: { ...(await formOf(BEN, [HELPERS.id])), phone: '+4940555111' } })
    assert.equal((await journalOf(world, 'user', BEN.id)).length, before + 1)
  })

  test('a new qualification without a day is valid for its usual period; without one it has no end', async () => {
    const held = async (id: number) => {
      const grants = world.db.read.selectFrom('qualification_grant').select('expires_at').where('qualification_id', '=', id)
      return (await grants.executeTakeFirst())?.expires_at?.toISOString() ?? null
    }
    const course = await world.addQualification('Course')
    await world.db.write.updateTable('qualification').set({ valid_months: 24 }).where('id', '=', course.id).execute()
    const grant = (until: string, browser = hr!) =>
      browser.post(`${PEOPLE}${BEN.id}/grant/`, { form: { qualification: String(course.id), until } })
    await grant('')
    const usual = new Date(NOW)
    usual.setUTCFullYear(usual.getUTCFullYear() + 2)
    assert.equal((await held(course.id))?.slice(0, 10), usual.toISOString().slice(0, 10))
    assert.match((await hr!.get(`${PEOPLE}${BEN.id}/`)).body, /Course was recorded, valid until /)
    await grant('')
    assert.equal(await held(course.id), null, 'the day of one that is held was removed')
    await hr!.post(`${PEOPLE}${BEN.id}/withdraw/`, { form: { qualification: String(course.id) } })
    await grant('2031-06-30')
    assert.equal(await held(course.id), '2031-06-30T21:59:59.999Z', 'a day that was chosen counts')
    await hr!.post(`${PEOPLE}${BEN.id}/withdraw/`, { form: { qualification: String(course.id) } })
  })

  test('qualifications expire at the end of a day in the time zone of the instance; external ones are locked', async () => {
    const driver = await world.addQualification('Driver')
    const boat = await world.addQualification('Boat')
    const ann = `${PEOPLE}${ANN.id}/`
    const held = () =>
      world.db.read.selectFrom('qualification_grant').selectAll().where('user_id', '=', ANN.id).orderBy('id').execute()
    await hr!.post(`${ann}grant/`, { form: { qualification: String(driver.id), until: '2031-06-30' } })
    assert.equal((await held())[0]!.expires_at!.toISOString(), '2031-06-30T21:59:59.999Z')
    await hr!.post(`${ann}grant/`, { form: { qualification: String(driver.id), until: '' } })
    assert.equal((await held())[0]!.expires_at, null)
    for (const form of [
      { qualification: '99999' },
      { qualification: 'x' },
      { qualification: String(driver.id), until: '2031-02-30' },
    ])
      assert.equal((await hr!.post(`${ann}grant/`, { form })).statusCode, 422)
    assert.equal((await held()).length, 1)
    const unchosen = await hr!.post(`${ann}grant/`, { form: { qualification: '', until: '' } })
    assert.match(unchosen.body, /<details class="more-fields" open>/)
    assert.match(unchosen.body, /<a href="#field-qualification">Qualification: Please fill this in\.<\/a>/)
    const lateFor = await hr!.post(`${ann}grant/`, { form: { qualification: String(driver.id), until: '2031-02-30' } })
    assert.match(lateFor.body, new RegExp(`id="until-${driver.id}-error"`), 'at the field of the qualification that is held')
    await world.db.write
      .insertInto('qualification_grant')
      .values({ user_id: ANN.id, qualification_id: boat.id, externally_managed: true })
      .execute()
    for (const what of ['grant', 'withdraw'])
      await hr!.post(`${ann}${what}/`, { form: { qualification: String(boat.id), until: '2031-01-01' } })
    assert.deepEqual(
      (await held()).map(({ expires_at }) => expires_at),
      [null, null],
    )
    const page = await hr!.get(ann)
    assert.match(page.body, /managed externally/)
    assert.deepEqual(checkMarkup(page.body), [])
    await hr!.post(`${ann}withdraw/`, { form: { qualification: String(driver.id) } })
    assert.equal((await held()).length, 1)
    assert.deepEqual(
      (await journalOf(world, 'user', ANN.id)).map(({ kind }) => kind),
      ['user.qualification_granted', 'user.qualification_changed', 'user.qualification_withdrawn'],
    )
  })
})
