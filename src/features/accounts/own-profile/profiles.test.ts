import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { hashSecret } from '#platform/auth/secrets.ts'
import { MAX_PICTURE_BYTES } from '#platform/files/file-types.ts'
import { contextAs } from '#test/support/command-context.ts'
import { openTestDatabase } from '#test/support/database.ts'
import { Browser } from '#test/support/http-browser.ts'
import { findJobs, openMailOutbox } from '#test/support/mail-outbox.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { ANN, HELPERS, OLGA, PAUL, type Person, VERA } from '#test/support/people.ts'
import { SMALL_PNG } from '#test/support/pictures.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld, SITE_URL, type World } from '#test/support/world.ts'
import { confirmEmailChange, requestEmailChange } from './commands/email.ts'
import { emailChangeMailTask } from './jobs.ts'
import { getChangeToConfirm } from './queries.ts'

const PROFILE = '/settings/profile/'
const EMAIL = `${PROFILE}email/`
const HOUR_MS = 3_600_000
const rowOf = (world: World, { id }: Person) =>
  world.db.write.selectFrom('user_profile').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const emailOf = async (world: World, person: Person) => (await rowOf(world, person)).email

describe('a change of the own address', async () => {
  const world = await openWorld({ hasMail: true })
  const outbox = openMailOutbox(
    (mailer) => emailChangeMailTask({ db: world.db, clock: { now: () => world.now }, mailer, site: world.app.site }),
    () => world.db,
  )
  const anonymous = () => new Browser({ port: world.line.port }, { host: new URL(SITE_URL).host })
  let count = 0
  /** A person who asks for another address, with the links that both mails contain. */
  async function ask(to = `new-${++count}@a.example`) {
    const person = await world.addPerson({ name: `Person ${++count}` })
    const browser = await browserOf(world, person)
    const before = outbox.sent.length
    const answer = await browser.post(EMAIL, { form: { email: to } })
    await outbox.deliver()
    const mails = outbox.sent.slice(before)
    const linkIn = (address: string, pattern: RegExp) =>
      mails.flatMap((mail) => (mail.to === address ? (pattern.exec(mail.text)?.[0] ?? []) : []))[0]
    return {
      person,
      browser,
      to,
      answer,
      mails,
      confirm: linkIn(to, /\/settings\/profile\/email\/confirm\/\w{43}\//),
      stop: linkIn(person.email, /\/accounts\/email-stop\/\w{43}\//),
    }
  }
  const press = async (browser: Browser, path: string) => {
    const shown = await browser.get(path)
    return shown.statusCode === 200 ? browser.post(path) : shown
  }

  test('both addresses get a mail, and the old one counts until the new one is confirmed', async () => {
    const { person, browser, to, answer, confirm, stop } = await ask()
    assert.deepEqual([answer.statusCode, await emailOf(world, person)], [303, person.email])
    assert.match((await browser.get(PROFILE)).body, new RegExp(`A change to ${to} waits`))
    for (const path of [EMAIL, confirm!]) assert.deepEqual(checkMarkup((await browser.get(path)).body), [])
    assert.ok(stop)
    assert.equal((await press(browser, confirm!)).statusCode, 303)
    assert.equal(await emailOf(world, person), to)
    assert.equal((await press(browser, confirm!)).statusCode, 404, 'works once')
  })

  test('hijack: the link of another person, of nobody, and a link after a day change nothing', async () => {
    const { person, confirm, browser } = await ask()
    const other = await ask()
    assert.equal((await press(other.browser, confirm!)).statusCode, 404)
    assert.deepEqual(await confirmEmailChange(contextAs(world, other.person), confirm!.split('/').at(-2)!), {
      ok: false,
      reason: 'invalid',
    })
    assert.match(String((await anonymous().get(confirm!)).headers.location), /^\/accounts\/login\//)
    const before = world.now
    world.now = new Date(before.getTime() + 24 * HOUR_MS)
    assert.equal((await press(browser, confirm!)).statusCode, 404)
    world.now = before
    assert.deepEqual([await emailOf(world, person), await emailOf(world, other.person)], [person.email, other.person.email])
  })

  test('hijack, the twin: if the link alone were enough, another person could confirm the change', async () => {
    const { person, to, confirm } = await ask()
    const byLinkAlone: typeof getChangeToConfirm = async (db, _userId, token) => {
      const row = await db
        .selectFrom('email_change')
        .select('user_id')
        .where('confirm_hash', '=', hashSecret(token))
        .executeTakeFirst()
      return row && getChangeToConfirm(db, row.user_id, token)
    }
    const outcome = await confirmEmailChange(contextAs(world, PAUL), confirm!.split('/').at(-2)!, byLinkAlone)
    assert.deepEqual([outcome.ok, await emailOf(world, person)], [true, to])
  })

  test('an address that was taken meanwhile is refused, and one that is taken gets no link', async () => {
    const { person, browser, confirm } = await ask('wanted@a.example')
    await world.addPerson({ name: 'Faster', email: 'Wanted@a.example' })
    assert.equal((await press(browser, confirm!)).statusCode, 404)
    assert.equal(await emailOf(world, person), person.email)
    const probing = await ask(ANN.email)
    assert.deepEqual([probing.answer.statusCode, probing.confirm], [303, undefined])
    assert.match(probing.mails.find(({ to }) => to === ANN.email)!.text, /belongs to an account already/)
  })

  test('“this was not me” stops a change, ends all sessions and blocks others for three days', async () => {
    const { person, browser, confirm, stop } = await ask()
    const owner = anonymous()
    assert.deepEqual(checkMarkup((await owner.get(stop!)).body), [])
    const done = await owner.post(stop!)
    assert.match(done.body, /The change was stopped/)
    assert.equal((await browser.get(PROFILE)).statusCode, 303, 'signed out')
    const context = contextAs(world, person)
    assert.equal((await confirmEmailChange(context, confirm!.split('/').at(-2)!)).ok, false)
    const blocked = await requestEmailChange(context, 'other@a.example')
    assert.deepEqual([blocked.ok, 'until' in blocked && blocked.until], [false, new Date(world.now.getTime() + 72 * HOUR_MS)])
    const reset = (await findJobs(world.db, 'account_mail')).at(-1)
    assert.equal(reset?.payload.kind, 'reset_password')
    assert.equal((await owner.get(stop!)).statusCode, 404)
    const before = world.now
    world.now = new Date(before.getTime() + 73 * HOUR_MS)
    assert.equal((await requestEmailChange(contextAs(world, person), 'other@a.example')).ok, true)
    world.now = before
  })

  test('“this was not me” reverts a confirmed change for three days, and no second change can hide it', async () => {
    const { person, browser, to, confirm, stop } = await ask()
    await press(browser, confirm!)
    assert.equal(await emailOf(world, person), to)
    assert.equal((await browser.post(EMAIL, { form: { email: 'third@a.example' } })).statusCode, 422)
    const owner = anonymous()
    const before = world.now
    world.now = new Date(before.getTime() + 72 * HOUR_MS)
    assert.equal((await owner.get(stop!)).statusCode, 404)
    world.now = new Date(before.getTime() + 71 * HOUR_MS)
    assert.match((await press(owner, stop!)).body, /former address is back/)
    world.now = before
    assert.equal(await emailOf(world, person), person.email)
  })

  test('a person withdraws a change; a replaced request sends no working links', async () => {
    const { browser, confirm, person } = await ask()
    assert.equal((await browser.post(`${EMAIL}withdraw/`)).statusCode, 303)
    assert.equal((await press(browser, confirm!)).statusCode, 404)
    const context = contextAs(world, person)
    await requestEmailChange(context, 'first@a.example')
    await requestEmailChange({ ...context, now: new Date(world.now.getTime() + 1000) }, 'second@a.example')
    const before = outbox.sent.length
    await outbox.deliver()
    assert.ok(outbox.sent.slice(before).every(({ to }) => to !== 'first@a.example'))
  })

  test('of concurrent confirmations of one address or of one link, one wins', async () => {
    const db = openTestDatabase({ url: world.databaseUrl, writes: 6 })
    world.others.push({ stop: () => db.close() })
    const confirmAll = async (all: { person: Person; confirm: string | undefined }[]) => {
      const outcomes = await Promise.allSettled(
        all.map(({ person, confirm }) => confirmEmailChange(contextAs(world, person, db), confirm!.split('/').at(-2)!)),
      )
      return outcomes.filter((outcome) => outcome.status === 'fulfilled' && outcome.value.ok).length
    }
    assert.equal(await confirmAll([await ask('same@a.example'), await ask('same@a.example')]), 1)
    const one = await ask()
    assert.equal(await confirmAll([one, one, one]), 1)
  })
})

describe('the own profile', async () => {
  const world = await openWorld()

  test('without mail, the page says whom to ask instead of offering a change', async () => {
    const browser = await browserOf(world, ANN)
    const { body } = await browser.get(PROFILE)
    assert.match(body, /This server sends no emails/)
    assert.doesNotMatch(body, /href="\/settings\/profile\/email\/"/)
    assert.equal((await browser.get(EMAIL)).statusCode, 303)
    assert.equal((await browser.post(EMAIL, { form: { email: 'x@a.example' } })).statusCode, 303)
    assert.deepEqual(await world.db.write.selectFrom('email_change').selectAll().execute(), [])
  })

  test('people change name and emergency contact; a locked name is proposed and decided', async () => {
    const nina = await world.addPerson({ name: 'Nina' })
    const browser = await browserOf(world, nina)
    const save = (form: Record<string, string>) =>
      browser.post(`${PROFILE}details/`, { form: { name: 'Nina N', phone: '', ...form } })
    assert.equal((await save({ emergency_name: 'Mum', emergency_phone: '0171 1234567' })).statusCode, 303)
    const { display_name, emergency_name, emergency_phone } = await rowOf(world, nina)
    assert.deepEqual([display_name, emergency_name, emergency_phone], ['Nina N', 'Mum', '+491711234567'])
    const refused = await save({ emergency_phone: '12' })
    assert.deepEqual([refused.statusCode, /id="field-emergency_phone-error"|emergency_phone/.test(refused.body)], [422, true])
    await world.db.write.insertInto('setting').values({ name: 'own_name_locked', value: 'true' }).execute()
    assert.doesNotMatch((await browser.get(PROFILE)).body, /name="name"/)
    await save({ name: 'Forged', emergency_name: 'Dad' })
    assert.deepEqual([(await rowOf(world, nina)).display_name, (await rowOf(world, nina)).emergency_name], ['Nina N', 'Dad'])
    const form = { name: 'Nina Nord', date_of_birth: '2000-01-02', note: 'I married' }
    assert.deepEqual(checkMarkup((await browser.get(`${PROFILE}propose/`)).body), [])
    assert.equal((await browser.post(`${PROFILE}propose/`, { form: { name: 'Nina N', date_of_birth: '' } })).statusCode, 422)
    assert.equal((await browser.post(`${PROFILE}propose/`, { form: { ...form, date_of_birth: '2040-01-02' } })).statusCode, 422)
    assert.equal((await browser.post(`${PROFILE}propose/`, { form })).statusCode, 303)
    assert.equal((await browser.post(`${PROFILE}propose/`, { form })).statusCode, 422, 'one at a time')
    const olga = await browserOf(world, OLGA)
    const open = (await olga.get('/manage/requests/')).body
    assert.match(open, /Name: Nina N → Nina Nord · Date of birth: not specified → 2 January 2000 · Comment: I married/)
    const path = /action="(\/manage\/requests\/\d+\/)"/.exec(open)![1]!
    assert.equal((await (await browserOf(world, PAUL)).post(path, { form: { decision: 'grant' } })).statusCode, 404)
    assert.equal((await olga.post(path, { form: { decision: 'grant' } })).statusCode, 303)
    const after = await rowOf(world, nina)
    assert.deepEqual([after.display_name, after.date_of_birth], ['Nina Nord', '2000-01-02'])
    await world.db.write.deleteFrom('setting').where('name', '=', 'own_name_locked').execute()
  })

  test('the emergency contact is on the roster for planners from a day before a confirmed shift until a day after it', async () => {
    const eva = await world.addPerson({ name: 'Eva' })
    await world.db.write
      .updateTable('user_profile')
      .set({ emergency_name: 'Canary Mum', emergency_phone: '+491711234567' })
      .where('id', '=', eva.id)
      .execute()
    const event = await world.addEvent({
      title: 'Near',
      seenBy: [HELPERS, eva, VERA],
      responsible: [PAUL],
      shifts: [{ start: '2031-05-04T08:00:00+02:00' }, { start: '2031-05-04T12:00:00+02:00' }],
    })
    const [first, second] = event.shifts as [number, number]
    const confirmed = await world.addParticipation({ who: eva, shift: first, state: 1 })
    await world.addParticipation({ who: eva, shift: second, state: 0 })
    assert.ok(confirmed)
    const { end_time: end } = await world.db.write
      .selectFrom('participation')
      .select('end_time')
      .where('shift_id', '=', first)
      .executeTakeFirstOrThrow()
    const seen = async (who: Person, at: Date) => {
      const before = world.now
      world.now = at
      const browser = await browserOf(world, who)
      const { body } = await browser.get(`/events/${event.id}/roster/?shift=${first}`)
      world.now = before
      return /Canary Mum/.test(body)
    }
    const start = new Date('2031-05-04T08:00:00+02:00')
    const at = (base: Date, hours: number) => new Date(base.getTime() + hours * HOUR_MS)
    const cases: [Person, Date, boolean][] = [
      [PAUL, at(start, -25), false],
      [PAUL, at(start, -23), true],
      [PAUL, at(end, 23), true],
      [PAUL, at(end, 25), false],
      [ANN, at(start, -1), false],
      [VERA, at(start, -100), true],
    ]
    for (const [who, time, expected] of cases) assert.equal(await seen(who, time), expected, `${who.name} ${time.toISOString()}`)
    await world.db.write.updateTable('participation').set({ state: 0 }).where('shift_id', '=', first).execute()
    assert.equal(await seen(PAUL, at(start, -1)), false, 'not confirmed')
  })

  test('a picture is accepted by its bytes, served safely, and seen by those who may see the person', async () => {
    const pia = await world.addPerson({ name: 'Pia' })
    const browser = await browserOf(world, pia)
    await browser.get(`${PROFILE}picture/`)
    const upload = (content: Buffer, name = 'me.png') => {
      const head = `--b\r\ncontent-disposition: form-data; name="csrf_token"\r\n\r\n${browser.token}\r\n--b\r\ncontent-disposition: form-data; name="picture"; filename="${name}"\r\ncontent-type: image/png\r\n\r\n`
      const body = Buffer.concat([Buffer.from(head), content, Buffer.from('\r\n--b--\r\n')])
      return browser.postBytes(`${PROFILE}picture/`, body, 'multipart/form-data; boundary=b')
    }
    const heic = Buffer.concat([Buffer.from('\x00\x00\x00\x18ftypheic', 'latin1'), Buffer.alloc(50)])
    for (const [content, text] of [
      [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'), 'PNG, JPEG or WebP'],
      [Buffer.from('GIF89a....'), 'PNG, JPEG or WebP'],
      [Buffer.alloc(MAX_PICTURE_BYTES + 1, SMALL_PNG), 'too large'],
      [SMALL_PNG.subarray(0, 40), 'damaged or incomplete'],
      [heic, 'format HEIC'],
      [Buffer.alloc(0), 'choose an image'],
    ] as const) {
      const refused = await upload(content)
      assert.deepEqual([refused.statusCode, refused.body.includes(text)], [422, true], text)
    }
    assert.equal((await upload(SMALL_PNG)).statusCode, 303)
    const path = `/people/${pia.id}/picture/`
    const shown = await browser.get(path)
    assert.deepEqual(
      [shown.statusCode, shown.headers['content-type'], shown.headers['x-content-type-options']],
      [200, 'image/png', 'nosniff'],
    )
    assert.match(String(shown.headers['content-security-policy']), /sandbox/)
    const status = async (who: Person) => (await (await browserOf(world, who)).get(path)).statusCode
    assert.deepEqual([await status(VERA), await status(ANN), await status(PAUL)], [200, 404, 404])
    const event = await world.addEvent({ title: 'Plan', responsible: [PAUL], shifts: [{}] })
    await world.addParticipation({ who: pia, shift: event.shifts[0]!, state: 0 })
    assert.equal(await status(PAUL), 200)
    assert.match((await (await browserOf(world, OLGA)).get(`/manage/people/${pia.id}/`)).body, /<img class="profile-picture"/)
    assert.equal((await upload(SMALL_PNG)).statusCode, 303, 'replaces')
    assert.equal((await browser.post(`${PROFILE}picture/remove/`)).statusCode, 303)
    assert.deepEqual(await world.db.write.selectFrom('stored_file').selectAll().execute(), [])
    assert.equal((await browser.get(path)).statusCode, 404)
  })

  test('deleting a person removes picture, emergency contact and a waiting change', async () => {
    const gone = await world.addPerson({ name: 'Gone Person' })
    await world.db.write
      .updateTable('user_profile')
      .set({ emergency_name: 'Gone Mum', emergency_phone: '+491711234567', shows_phone: true })
      .where('id', '=', gone.id)
      .execute()
    await requestEmailChange(contextAs(world, gone), 'gone@elsewhere.example')
    await (await browserOf(world, OLGA)).post(`/manage/people/${gone.id}/delete/`)
    for (const table of ['user_profile', 'email_change', 'journal', 'profile_picture', 'registration'])
      assert.doesNotMatch(
        JSON.stringify((await sql`select * from ${sql.table(table)}`.execute(world.db.write)).rows),
        /Gone|gone@elsewhere|491711234567.*Gone/,
        table,
      )
  })
})
