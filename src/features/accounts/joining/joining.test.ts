import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { contextAs } from '#test/support/command-context.ts'
import { Browser } from '#test/support/http-browser.ts'
import { openMailOutbox } from '#test/support/mail-outbox.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { ANN, BEN, HELPERS, OLGA, PAUL, PLANNERS, VERA } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld, SITE_URL, type World } from '#test/support/world.ts'
import { createJoinLink } from './commands/links.ts'
import { deleteOldRegistrations } from './commands/registrations.ts'
import { joiningTasks } from './jobs.ts'

const GOOD = 'four green umbrellas'
const LINKS = `/manage/groups/${HELPERS.id}/join-links/`
const DAY_MS = 24 * 3_600_000

const newBrowser = (world: World, ip = '192.0.2.1') =>
  new Browser({ port: world.line.port }, { host: new URL(SITE_URL).host, ip })
const formOf = (email: string, change: Record<string, string> = {}) => ({
  name: 'Nora New',
  email,
  date_of_birth: '1999-02-03',
  password: GOOD,
  password_again: GOOD,
  ...change,
})
const mainOf = (body: string): string => /<main.*<\/main>/s.exec(body)![0]
const personOf = (world: World, email: string) =>
  world.db.write.selectFrom('user_profile').selectAll().where('email', '=', email).executeTakeFirst()
const groupsOf = async (world: World, userId: number) =>
  (await world.db.write.selectFrom('user_group_member').select('group_id').where('user_id', '=', userId).execute()).map(
    ({ group_id }) => group_id,
  )
const makeLink = async (
  world: World,
  change: { days?: number; max_uses?: number; approval?: 'yes' | 'no'; note?: string } = {},
) => {
  const form = { days: 14, max_uses: 30, approval: 'no' as const, note: '', ...change }
  const made = await createJoinLink(contextAs(world, OLGA), HELPERS.id, form)
  assert.ok(made?.ok)
  return { id: made.id, path: `/join/${made.token}/` }
}
const usesOf = async (world: World, id: number) =>
  (await world.db.write.selectFrom('join_link').select('uses').where('id', '=', id).executeTakeFirstOrThrow()).uses

describe('joining by a link, without mail', async () => {
  const world = await openWorld()

  test('a link is created, shown with its code, printed and withdrawn by those who manage groups', async () => {
    const olga = await browserOf(world, OLGA)
    const created = await olga.post(LINKS, { form: { days: '3', max_uses: '2', approval: 'no', note: 'Open day' } })
    assert.equal(created.statusCode, 303)
    const shown = await olga.get(String(created.headers.location))
    const url = /https:\/\/a\.example(\/join\/\w{24}\/)/.exec(shown.body)!
    assert.match(shown.body, /<svg class="qr"/)
    assert.equal(shown.headers['cache-control'], 'no-store')
    const poster = await olga.get(`${created.headers.location}poster/`)
    assert.match(poster.body, /<svg class="qr".*a\.example\/join\//s)
    for (const { body } of [shown, poster, await olga.get(LINKS)]) assert.deepEqual(checkMarkup(body), [])
    assert.equal((await newBrowser(world).get(url[1]!)).statusCode, 200)
    assert.equal((await olga.post(`${created.headers.location}revoke/`)).statusCode, 303)
    const closed = await newBrowser(world).get(url[1]!)
    assert.deepEqual([closed.statusCode, /It was withdrawn/.test(closed.body)], [403, true])
    for (const who of [ANN, PAUL, VERA]) {
      const browser = await browserOf(world, who)
      assert.equal((await browser.get(LINKS)).statusCode, 403)
      assert.equal((await browser.post(LINKS, { form: { days: '3', max_uses: '2', approval: 'no' } })).statusCode, 403)
    }
  })

  test('wrong numbers are refused at their field, and groups with permissions take requests only', async () => {
    const olga = await browserOf(world, OLGA)
    const post = (form: Record<string, string>, path = LINKS) =>
      olga.post(path, { form: { days: '3', max_uses: '2', approval: 'no', ...form } })
    for (const [form, text] of [
      [{ days: '0' }, 'from 1 to 365'],
      [{ days: '366' }, 'from 1 to 365'],
      [{ max_uses: '1001' }, 'from 1 to 1000'],
      [{ max_uses: 'x' }, 'from 1 to 1000'],
    ] as const) {
      const refused = await post(form)
      assert.deepEqual([refused.statusCode, refused.body.includes(text)], [422, true], JSON.stringify(form))
    }
    const planners = `/manage/groups/${PLANNERS.id}/join-links/`
    assert.equal((await post({}, planners)).statusCode, 422)
    assert.equal((await post({ approval: 'yes' }, planners)).statusCode, 303)
  })

  test('a new person fills in the form and is in the group; the same answer for an address with an account', async () => {
    const link = await makeLink(world)
    const browser = newBrowser(world)
    const { body } = await browser.get(link.path)
    assert.match(body, /Join Helpers/)
    assert.deepEqual(checkMarkup(body), [])
    const done = await browser.post(link.path, { form: formOf('nora@new.example') })
    assert.equal(done.statusCode, 200)
    const nora = await personOf(world, 'nora@new.example')
    assert.deepEqual(
      [nora?.display_name, nora?.is_active, nora?.is_visible, nora?.is_staff, nora?.date_of_birth],
      ['Nora New', true, true, false, '1999-02-03'],
    )
    assert.deepEqual(await groupsOf(world, nora!.id), [HELPERS.id])
    const known = await browser.post(link.path, { form: formOf(ANN.email, { name: 'Somebody Else' }) })
    assert.deepEqual(
      [known.statusCode, mainOf(known.body).replaceAll(ANN.email, 'X')],
      [200, mainOf(done.body).replaceAll('nora@new.example', 'X')],
    )
    assert.equal((await personOf(world, ANN.email))?.display_name, 'Ann')
    assert.equal(await usesOf(world, link.id), 1)
    assert.equal((await browser.signIn(GOOD, 'nora@new.example')).statusCode, 303)
  })

  test('mistakes are named at their fields and create nothing', async () => {
    const link = await makeLink(world)
    const browser = newBrowser(world)
    await browser.get(link.path)
    for (const [change, text] of [
      [{ name: ' ' }, 'Please enter your name.'],
      [{ email: 'nora' }, 'complete email address'],
      [{ date_of_birth: '' }, 'Please enter your date of birth.'],
      [{ date_of_birth: '2040-01-01' }, 'in the future'],
      [{ password: 'short', password_again: 'short' }, 'at least 10 characters'],
      [{ password_again: 'another one here' }, 'do not match'],
    ] as const) {
      const refused = await browser.post(link.path, { form: formOf('wrong@new.example', change) })
      assert.deepEqual([refused.statusCode, refused.body.includes(text)], [422, true], text)
    }
    assert.equal(await personOf(world, 'wrong@new.example'), undefined)
  })

  test('an expired, used or unknown link says why', async () => {
    const used = await makeLink(world, { max_uses: 1 })
    const browser = newBrowser(world)
    await browser.get(used.path)
    await browser.post(used.path, { form: formOf('first@new.example') })
    const second = await browser.post(used.path, { form: formOf('second@new.example') })
    assert.deepEqual([second.statusCode, /limited number of people/.test(second.body)], [403, true])
    assert.equal(await personOf(world, 'second@new.example'), undefined)
    const old = await makeLink(world, { days: 1 })
    const before = world.now
    world.now = new Date(before.getTime() + DAY_MS)
    assert.match((await browser.get(old.path)).body, /It has expired/)
    world.now = before
    for (const path of ['/join/x/', `/join/${'x'.repeat(24)}/`]) assert.equal((await browser.get(path)).statusCode, 404)
  })

  test('a group that got rights after the link was made takes requests only', async () => {
    const yara = await world.addPerson({ name: 'Yara' })
    const link = await makeLink(world)
    const browser = await browserOf(world, yara)
    await world.db.write.insertInto('group_permission').values({ group_id: HELPERS.id, permission: 'change_user' }).execute()
    await browser.get(link.path)
    assert.equal((await browser.post(`${link.path}member/`)).statusCode, 303)
    assert.deepEqual(await groupsOf(world, yara.id), [])
    await world.db.write.deleteFrom('decision_request').where('user_id', '=', yara.id).execute()
    await world.db.write.deleteFrom('group_permission').where('group_id', '=', HELPERS.id).execute()
    await browser.post(`${link.path}member/`)
    assert.deepEqual(await groupsOf(world, yara.id), [HELPERS.id])
  })

  test('people who are signed in join by one button, once', async () => {
    const zoe = await world.addPerson({ name: 'Zoe' })
    const link = await makeLink(world)
    const browser = await browserOf(world, zoe)
    const { body } = await browser.get(link.path)
    assert.match(body, /Zoe, you are signed in\. Do you want to join the group Helpers\?/)
    assert.deepEqual(checkMarkup(body), [])
    for (let i = 0; i < 2; i++) assert.equal((await browser.post(`${link.path}member/`)).statusCode, 303)
    assert.deepEqual([await groupsOf(world, zoe.id), await usesOf(world, link.id)], [[HELPERS.id], 1])
    assert.match((await browser.get(link.path)).body, /already in the group Helpers/)
  })

  test('with approval, the request appears on home and on its page; granting opens the account, and the person is notified', async () => {
    const link = await makeLink(world, { approval: 'yes' })
    const browser = newBrowser(world)
    await browser.get(link.path)
    const sent = await browser.post(link.path, { form: formOf('wait@new.example', { name: 'Will Wait' }) })
    assert.match(sent.body, /Your request was sent/)
    const will = (await personOf(world, 'wait@new.example'))!
    assert.deepEqual([will.is_active, will.is_visible, await groupsOf(world, will.id)], [false, false, []])
    assert.equal((await browser.signIn(GOOD, 'wait@new.example')).statusCode, 422)
    assert.equal((await world.as(OLGA, 'CONFIDENTIAL_READ').get(`/api/users/${will.id}/`)).status, 404)
    const olga = await browserOf(world, OLGA)
    assert.match((await olga.get('/')).body, /href="\/manage\/requests\/"/)
    const open = (await olga.get('/manage/requests/')).body
    assert.match(open, /Will Wait.*Wants an account and to join Helpers · wait@new\.example · born 3 February 1999/s)
    const path = /action="(\/manage\/requests\/\d+\/)"/.exec(open)![1]!
    for (const who of [ANN, VERA])
      assert.equal((await (await browserOf(world, who)).post(path, { form: { decision: 'grant' } })).statusCode, 404)
    assert.equal((await olga.post(path, { form: { decision: 'grant', comment: 'Welcome' } })).statusCode, 303)
    const opened = (await personOf(world, 'wait@new.example'))!
    assert.deepEqual([opened.is_active, opened.is_visible, await groupsOf(world, will.id)], [true, true, [HELPERS.id]])
    assert.equal((await browser.signIn(GOOD, 'wait@new.example')).statusCode, 303)
  })

  test('people with an account ask once, and a refusal changes nothing', async () => {
    const yara = await world.addPerson({ name: 'Yara' })
    const link = await makeLink(world, { approval: 'yes' })
    const browser = await browserOf(world, yara)
    for (let i = 0; i < 2; i++) await browser.post(`${link.path}member/`)
    const open = await world.db.write.selectFrom('decision_request').selectAll().where('user_id', '=', yara.id).execute()
    assert.deepEqual([open.length, await usesOf(world, link.id)], [1, 1])
    assert.match((await browser.get(link.path)).body, /already asked to join/)
    const olga = await browserOf(world, OLGA)
    await olga.post(`/manage/requests/${open[0]!.id}/`, { form: { decision: 'refuse', comment: 'Full' } })
    assert.deepEqual([(await personOf(world, yara.email))?.is_active, await groupsOf(world, yara.id)], [true, []])
  })

  test('a refused newcomer is deleted after 30 days, with everything that was stored', async () => {
    const link = await makeLink(world, { approval: 'yes' })
    const browser = newBrowser(world)
    await browser.get(link.path)
    await browser.post(link.path, { form: formOf('refused@new.example', { name: 'Rita Refused' }) })
    const { id } = (await personOf(world, 'refused@new.example'))!
    const request = await world.db.write
      .selectFrom('decision_request')
      .select('id')
      .where('user_id', '=', id)
      .executeTakeFirstOrThrow()
    const olga = await browserOf(world, OLGA)
    await olga.post(`/manage/requests/${request.id}/`, { form: { decision: 'refuse' } })
    const before = world.now
    const cleanUp = () => deleteOldRegistrations(contextAs(world, OLGA))
    world.now = new Date(before.getTime() + 29 * DAY_MS)
    await cleanUp()
    assert.ok(await personOf(world, 'refused@new.example'))
    world.now = new Date(before.getTime() + 31 * DAY_MS)
    await cleanUp()
    world.now = before
    for (const table of ['user_profile', 'decision_request', 'journal', 'notification'])
      assert.doesNotMatch(
        JSON.stringify((await sql`select * from ${sql.table(table)}`.execute(world.db.write)).rows),
        /refused@new|Rita/,
        table,
      )
  })
})

describe('joining with mail', async () => {
  const world = await openWorld({ hasMail: true })
  const outbox = openMailOutbox(
    (mailer) => joiningTasks({ db: world.db, clock: { now: () => world.now }, mailer, site: world.app.site })[0]!,
    () => world.db,
  )
  const register = async (path: string, email: string, change: Record<string, string> = {}) => {
    const browser = newBrowser(world)
    await browser.get(path)
    return { browser, answer: await browser.post(path, { form: formOf(email, change) }) }
  }
  const lastLink = () => /\/join\/confirm\/\w{43}\//.exec(outbox.sent.at(-1)!.text)?.[0]

  test('the address is confirmed by the link and the password of the form, which signs the person in', async () => {
    const link = await makeLink(world)
    const { browser, answer } = await register(link.path, 'mia@new.example')
    assert.match(answer.body, /We sent an email to mia@new\.example/)
    assert.equal(await personOf(world, 'mia@new.example'), undefined)
    await outbox.deliver()
    const path = lastLink()!
    const { body } = await browser.get(path)
    assert.deepEqual(checkMarkup(body), [])
    const wrong = await browser.post(path, { form: { password: 'a wrong password' } })
    assert.deepEqual([wrong.statusCode, await personOf(world, 'mia@new.example')], [422, undefined])
    const done = await browser.post(path, { form: { password: GOOD } })
    assert.deepEqual([done.statusCode, done.headers.location], [303, '/'])
    assert.equal((await browser.get('/settings/profile/')).statusCode, 200)
    const mia = (await personOf(world, 'mia@new.example'))!
    assert.deepEqual([await groupsOf(world, mia.id), await usesOf(world, link.id)], [[HELPERS.id], 1])
    assert.equal((await newBrowser(world).get(path)).statusCode, 404)
  })

  test('an address with an account gets the same answer and a mail that says so', async () => {
    const link = await makeLink(world)
    const fresh = (await register(link.path, 'fresh@new.example')).answer
    const known = (await register(link.path, ANN.email)).answer
    assert.equal(mainOf(known.body).replaceAll(ANN.email, 'X'), mainOf(fresh.body).replaceAll('fresh@new.example', 'X'))
    await outbox.deliver()
    const mail = outbox.sent.at(-1)!
    assert.deepEqual([mail.to, mail.subject], [ANN.email, 'You already have an account at Turnout'])
    assert.equal(lastLink(), undefined)
  })

  test('an attacker who registers a foreign address gets no account of its owner', async () => {
    const link = await makeLink(world)
    await register(link.path, 'victim@new.example', { password: 'known to attackers', password_again: 'known to attackers' })
    await outbox.deliver()
    const owner = newBrowser(world)
    const path = lastLink()!
    await owner.get(path)
    const refused = await owner.post(path, { form: { password: 'the password of the owner' } })
    assert.deepEqual([refused.statusCode, /somebody else filled in the form/.test(refused.body)], [422, true])
    assert.equal(await personOf(world, 'victim@new.example'), undefined)
  })

  test('an address gets at most six mails in an hour, with and without an account, and the answers are the same', async () => {
    const link = await makeLink(world)
    for (const email of ['many@new.example', BEN.email]) {
      const before = outbox.sent.length
      const answers: string[] = []
      const statuses: number[] = []
      for (let i = 0; i < 7; i++) {
        const { answer } = await register(link.path, email)
        statuses.push(answer.statusCode)
        if (answer.statusCode === 429) assert.match(answer.body, /Several emails have been sent to this address already/)
        else answers.push(mainOf(answer.body))
      }
      await outbox.deliver()
      assert.deepEqual(statuses, [...Array<number>(6).fill(200), 429])
      assert.deepEqual([outbox.sent.length - before, new Set(answers).size], [6, 1])
    }
  })

  test('a link that ended in the meantime, and one that is two days old, create nothing', async () => {
    const link = await makeLink(world)
    const { browser } = await register(link.path, 'late@new.example')
    await outbox.deliver()
    const path = lastLink()!
    await browser.get(path)
    await world.db.write.updateTable('join_link').set({ revoked_at: world.now }).where('id', '=', link.id).execute()
    assert.equal((await browser.post(path, { form: { password: GOOD } })).statusCode, 403)
    assert.equal(await personOf(world, 'late@new.example'), undefined)
    const other = await makeLink(world)
    await register(other.path, 'later@new.example')
    await outbox.deliver()
    const before = world.now
    world.now = new Date(before.getTime() + 2 * DAY_MS)
    assert.equal((await browser.get(lastLink()!)).statusCode, 404)
    await deleteOldRegistrations(contextAs(world, OLGA))
    world.now = before
    const left = await world.db.write.selectFrom('registration').select('id').where('email', '=', 'later@new.example').execute()
    assert.deepEqual(left, [])
  })

  test('a refused newcomer gets the reason by mail', async () => {
    const link = await makeLink(world, { approval: 'yes' })
    const { browser } = await register(link.path, 'no@new.example')
    await outbox.deliver()
    const path = lastLink()!
    await browser.get(path)
    assert.match((await browser.post(path, { form: { password: GOOD } })).body, /Your request was sent/)
    const { id } = (await personOf(world, 'no@new.example'))!
    const request = await world.db.write
      .selectFrom('decision_request')
      .select('id')
      .where('user_id', '=', id)
      .executeTakeFirstOrThrow()
    await (await browserOf(world, OLGA)).post(`/manage/requests/${request.id}/`, {
      form: { decision: 'refuse', comment: 'We are full' },
    })
    await outbox.deliver()
    const mail = outbox.sent.at(-1)!
    assert.equal(mail.to, 'no@new.example')
    assert.match(mail.text, /was refused.*The reason: We are full/s)
  })

  test('people register themselves only if the instance allows it', async () => {
    const set = (value: string) =>
      sql`insert into setting (name, value) values ('self_registration', ${JSON.stringify(value)}::jsonb)
        on conflict (name) do update set value = excluded.value`.execute(world.db.write)
    const anonymous = newBrowser(world)
    assert.equal((await anonymous.get('/accounts/register/')).statusCode, 404)
    assert.doesNotMatch((await anonymous.get('/accounts/login/')).body, /accounts\/register/)
    assert.equal((await anonymous.post('/accounts/register/', { form: formOf('self@new.example') })).statusCode, 404)
    await set('open')
    assert.match((await anonymous.get('/accounts/login/')).body, /href="\/accounts\/register\/">Create an account</)
    const { browser } = await register('/accounts/register/', 'self@new.example')
    await outbox.deliver()
    const first = lastLink()!
    await browser.get(first)
    assert.equal((await browser.post(first, { form: { password: GOOD } })).statusCode, 303)
    assert.equal((await personOf(world, 'self@new.example'))?.is_active, true)
    await register('/accounts/register/', 'off@new.example')
    await outbox.deliver()
    const path = lastLink()!
    await set('off')
    const late = newBrowser(world)
    await late.get(path)
    assert.equal((await late.post(path, { form: { password: GOOD } })).statusCode, 403)
    await set('approval')
    const asked = await register('/accounts/register/', 'ask@new.example')
    await outbox.deliver()
    const asking = lastLink()!
    await asked.browser.get(asking)
    await asked.browser.post(asking, { form: { password: GOOD } })
    const person = (await personOf(world, 'ask@new.example'))!
    assert.equal(person.is_active, false)
    assert.match((await (await browserOf(world, OLGA)).get('/manage/requests/')).body, /Wants an account · ask@new\.example/)
  })
})

describe('invitation links', async () => {
  const world = await openWorld({ hasMail: true })
  const invite = async (by: typeof OLGA, userId: number) => {
    const browser = await browserOf(world, by)
    await browser.get(`/manage/people/${userId}/invitation/`)
    const answer = await browser.post(`/manage/people/${userId}/invitation/`)
    return { answer, path: /https:\/\/a\.example(\/accounts\/invitation\/\w{43}\/)/.exec(answer.body)?.[1] }
  }
  const use = async (path: string, password = GOOD) => {
    const browser = newBrowser(world)
    const shown = await browser.get(path)
    return shown.statusCode === 200 ? browser.post(path, { form: { password, password_again: password } }) : shown
  }

  test('a link is shown once, works once, and a new or a withdrawn one no longer', async () => {
    const ida = await world.addPerson({ name: 'Ida' })
    const first = await invite(OLGA, ida.id)
    assert.match(first.answer.body, /<svg class="qr"/)
    assert.deepEqual(checkMarkup(first.answer.body), [])
    const olga = await browserOf(world, OLGA)
    assert.doesNotMatch((await olga.get(`/manage/people/${ida.id}/invitation/`)).body, /accounts\/invitation\//)
    const second = await invite(OLGA, ida.id)
    assert.equal((await use(first.path!)).statusCode, 404)
    await olga.post(`/manage/people/${ida.id}/invitation/revoke/`)
    assert.equal((await use(second.path!)).statusCode, 404)
    const third = await invite(OLGA, ida.id)
    assert.equal((await use(third.path!)).statusCode, 303)
    assert.equal((await use(third.path!, 'two slow bicycles')).statusCode, 404)
    assert.equal((await newBrowser(world).signIn(GOOD, ida.email)).statusCode, 303)
    assert.equal((await invite(OLGA, ida.id)).answer.statusCode, 303, 'has signed in')
  })

  test('a link ends after seven days', async () => {
    const max = await world.addPerson({ name: 'Max' })
    const { path } = await invite(OLGA, max.id)
    const before = world.now
    world.now = new Date(before.getTime() + 7 * DAY_MS)
    assert.equal((await newBrowser(world).get(path!)).statusCode, 404)
    world.now = before
    assert.equal((await newBrowser(world).get(path!)).statusCode, 200)
  })

  test('only for people whose rights the caller has, and not without the permission', async () => {
    const hr = await world.addPerson({ name: 'Hanna', permissions: ['view_user', 'add_user', 'change_user'] })
    const admin = await world.addPerson({ name: 'Adam', isStaff: true })
    assert.equal((await invite(hr, admin.id)).answer.statusCode, 303)
    const made = await world.db.write.selectFrom('one_time_link').select('purpose').where('user_id', '=', admin.id).execute()
    assert.deepEqual(made, [])
    const plain = await world.addPerson({ name: 'Pia' })
    assert.ok((await invite(hr, plain.id)).path)
    assert.equal((await invite(VERA, plain.id)).answer.statusCode, 403)
    await world.setActive(plain, false)
    assert.equal((await invite(hr, plain.id)).answer.statusCode, 303)
  })
})
