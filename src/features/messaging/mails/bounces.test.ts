import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { clearAddressFailure, recordAddressFailure, tryAddressAgain } from '#features/accounts/users/commands/address-state.ts'
import { clearGuestMailFailure, recordGuestMailFailure } from '#features/sharing/guests/commands/mail-failure.ts'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import { transact } from '#platform/db/transaction.ts'
import { AddressError, type Mail, type Mailer } from '#platform/mail/mail.ts'
import { bounceMessage } from '#test/support/bounce-message.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { ANN, BEN, HELPERS, OLGA, PAUL } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld } from '#test/support/world.ts'
import { BOUNCE_CHECKS, type BounceChecks, makeBounceToken, receiveBounces, receiveReport } from './commands/bounces.ts'
import { makePeopleMailer } from './commands/sending.ts'
import { getFailedDelivery } from './queries/state.ts'
import { addressWithToken } from './rules/bounce-token.ts'

const DAY = 24 * 3600_000
const SECRET = 'a secret of the mail service'
const PERSON = `/manage/people/${ANN.id}/`
const OWN = '/settings/profile/address/'

describe('mails that come back', async () => {
  const world = await openWorld({ hasMail: true, bounceSecret: SECRET })
  const start = world.now
  const { site } = world.app
  const context = () => ({ db: world.db.write, now: world.now, site, requestId: null })
  const reset = (values: Partial<{ email: string; email_invalid: boolean }>) =>
    world.db.write.updateTable('user_profile').set(values).where('id', '=', ANN.id).execute()
  const isInvalid = async (id = ANN.id) =>
    (await world.db.write.selectFrom('user_profile').select('email_invalid').where('id', '=', id).executeTakeFirstOrThrow())
      .email_invalid
  const tokenOf = (id: number, email: string, kind: 'user' | 'guest' = 'user') =>
    makeBounceToken(site.keyring, { recipient: { kind, id }, email, now: world.now })
  const toAnn = () => addressWithToken('bounces@a.example', tokenOf(ANN.id, ANN.email))
  const report = (to: string, options: { status?: string; action?: string } = {}, checks?: BounceChecks) =>
    receiveReport(context(), { message: bounceMessage({ to, ...options }) }, checks)
  const entries = async (kind: string) =>
    (await world.db.write.selectFrom('journal').select('id').where('kind', '=', kind).execute()).length

  beforeEach(async () => {
    world.now = start
    await reset({ email: ANN.email, email_invalid: false })
    await world.db.write.deleteFrom('email_failure').execute()
    await world.db.write.deleteFrom('mail_state').execute()
  })

  test('a report with the token of a person says that the address does not work, once', async () => {
    const before = await entries('user.email_failed')
    assert.equal(await report(toAnn()), 'set')
    assert.equal(await report(toAnn()), 'ignored')
    assert.equal(await isInvalid(), true)
    assert.equal(await entries('user.email_failed'), before + 1)
  })

  test('the address of the report can be given instead of read from headers', async () => {
    const message = bounceMessage({ to: 'bounces@a.example' })
    assert.equal(await receiveReport(context(), { message }), 'no_token')
    assert.equal(await receiveReport(context(), { message, to: toAnn() }), 'set')
  })

  describe('forged and replayed reports', () => {
    const FORGERIES: [string, () => Promise<string> | string][] = [
      ['a wrong signature', () => toAnn().replace(/[0-9a-f]@/, (end) => (end === '0@' ? '1@' : '0@'))],
      [
        'the token of another person with this id',
        () =>
          toAnn()
            .replace(/\+[^-]+-/, `+${ANN.id.toString(36)}-`)
            .replace(/-[0-9a-f]{26}@/, `-${tokenOf(BEN.id, BEN.email).slice(-26)}@`),
      ],
      [
        'a token of an address that the person had before',
        () => addressWithToken('bounces@a.example', tokenOf(ANN.id, 'former@a.example')),
      ],
      ['another time', () => toAnn().replace(/-[0-9a-z]+-/, `-${Math.floor(world.now.getTime() / 1000 - 60).toString(36)}-`)],
    ]
    for (const [what, forge] of FORGERIES)
      test(`${what} changes nothing; without the check of the signature it would`, async () => {
        const to = await forge()
        assert.equal(await report(to), 'no_token')
        assert.equal(await isInvalid(), false)
        assert.equal(await report(to, {}, { ...BOUNCE_CHECKS, isSigned: () => true }), 'set')
      })

    test('a token is of no use after a month; without the check of its age it would be', async () => {
      const to = toAnn()
      world.now = new Date(start.getTime() + 31 * DAY)
      assert.equal(await report(to), 'no_token')
      assert.equal(await report(to, {}, { ...BOUNCE_CHECKS, isTimely: () => true }), 'set')
    })

    test('a report from before somebody tried the address again does not count; without the check it would', async () => {
      const to = toAnn()
      assert.equal(await report(to), 'set')
      world.now = new Date(start.getTime() + DAY)
      await transact(world.db.write, (tx) => clearAddressFailure(tx, { ...context(), actor: ANONYMOUS }, ANN.id))
      assert.equal(await report(to), 'ignored')
      assert.equal(await isInvalid(), false)
      const failure = { userId: ANN.id, email: ANN.email, kind: 'hard' as const, reason: 'x', at: start }
      assert.equal(await recordAddressFailure(context(), failure, { isCurrent: () => true }), 'set')
    })

    test('a report about a former address does not count; without the check it would', async () => {
      const failure = { userId: ANN.id, email: 'former@a.example', kind: 'hard' as const, reason: 'x', at: world.now }
      assert.equal(await recordAddressFailure(context(), failure), 'ignored')
      assert.equal(await recordAddressFailure(context(), failure, { isCurrent: () => true }), 'set')
    })
  })

  test('temporary failures count after several days only', async () => {
    for (const [day, outcome] of [
      [0, 'counted'],
      [1, 'counted'],
      [2, 'counted'],
      [5, 'set'],
    ] as const) {
      world.now = new Date(start.getTime() + day * DAY)
      assert.equal(await report(toAnn(), { status: '4.4.7' }), outcome, `day ${day}`)
    }
  })

  test('temporary failures with a long time between them do not count together', async () => {
    for (const day of [0, 15, 30, 45]) {
      world.now = new Date(start.getTime() + day * DAY)
      assert.equal(await report(toAnn(), { status: '4.4.7' }), 'counted', `day ${day}`)
    }
  })

  test('a refusal by policy says nothing about the address', async () => {
    assert.equal(await report(toAnn(), { status: '5.7.1' }), 'ignored')
    assert.equal(await isInvalid(), false)
  })

  describe('to a guest', async () => {
    const event = await world.addEvent({ title: 'Fair', seenBy: [HELPERS], responsible: [PAUL], shifts: [{}] })
    await world.addParticipation({ shift: event.shifts[0]!, who: { guest: { name: 'Gus' } }, state: 1 })
    const { id, email } = await world.db.write.selectFrom('guest').select(['id', 'email']).executeTakeFirstOrThrow()
    const toGuest = () => addressWithToken('bounces@a.example', tokenOf(id, email, 'guest'))
    const failureOf = async () =>
      (await world.db.write.selectFrom('guest').select('mail_failure').where('id', '=', id).executeTakeFirstOrThrow())
        .mail_failure
    beforeEach(async () => {
      await world.db.write.updateTable('guest').set({ mail_failed_at: null, mail_failure: null }).execute()
    })

    test('show a reason in the list of guests until a mail is taken again, with one line in the log', async () => {
      assert.equal(await report(toGuest()), 'set')
      assert.equal(await report(toGuest()), 'set')
      assert.equal(await entries('guest.mail_failed'), 1)
      const page = `/events/${event.id}/guests/`
      const paul = await browserOf(world, PAUL)
      const { body } = await paul.get(page)
      assert.match(body, /email came back.*did not arrive: .*Recipient address rejected/s)
      assert.deepEqual(checkMarkup(body), [])
      await clearGuestMailFailure(world.db.write, id)
      assert.doesNotMatch((await paul.get(page)).body, /email came back/)
    })

    test('are not mixed up with those to an account of the same number', async () => {
      const asAccount = addressWithToken('bounces@a.example', tokenOf(id, email))
      const asGuest = addressWithToken('bounces@a.example', tokenOf(ANN.id, ANN.email, 'guest'))
      for (const to of [asAccount, asGuest, toGuest().replace('+g_', '+'), toAnn().replace('+', '+g_')])
        assert.equal(await report(to), 'no_token', to)
      assert.deepEqual([await failureOf(), await isInvalid()], [null, false])
    })

    test('change nothing for another address, and if they are temporary', async () => {
      assert.equal(await report(addressWithToken('bounces@a.example', tokenOf(id, 'former@a.example', 'guest'))), 'no_token')
      assert.equal(await report(toGuest(), { status: '4.4.7' }), 'ignored')
      const elsewhere = { guestId: id, email: 'former@a.example', reason: 'x' }
      assert.equal(await recordGuestMailFailure(context(), elsewhere), false)
      assert.equal(await failureOf(), null)
    })

    test('are found by the address in reports of a mail service', async () => {
      const bounce = { recipient: email.toUpperCase(), kind: 'hard' as const, reason: 'no such mailbox', at: undefined }
      assert.equal(await receiveBounces(context(), [bounce]), 1)
      assert.equal(await failureOf(), 'no such mailbox')
    })
  })

  describe('sending', () => {
    const sent: Mail[] = []
    const makeMailer = (send: Mailer['send'] = async (mail) => void sent.push(mail)) =>
      makePeopleMailer({
        mailer: { describe: 'a test', send },
        db: world.db,
        clock: { now: () => world.now },
        site,
        bounceAddress: 'bounces@a.example',
      })
    const MAIL = { to: ANN.email, userId: ANN.id, subject: 'Hello', text: 'Hello' }
    const refused = (response: string) => async () => {
      throw Object.assign(new Error('refused'), { command: 'RCPT TO', response })
    }
    beforeEach(() => void sent.splice(0))

    test('names the recipient on the envelope, so that a report is assigned', async () => {
      await makeMailer().send(MAIL)
      await makeMailer().send({ to: 'guest@b.example', subject: 'Hello', text: 'Hello' })
      assert.match(sent[0]!.envelopeFrom!, /^bounces\+[0-9a-z-]+@a\.example$/)
      assert.equal(sent[1]!.envelopeFrom, undefined)
      assert.equal(await report(sent[0]!.envelopeFrom!), 'set')
    })

    test('names guests on the envelope, and takes a refusal as a failure of their address', async () => {
      const { id, email } = await world.db.write.selectFrom('guest').select(['id', 'email']).executeTakeFirstOrThrow()
      const mail = { to: email, guestId: id, subject: 'Hello', text: 'Hello' }
      await makeMailer().send(mail)
      assert.match(sent[0]!.envelopeFrom!, /^bounces\+g_[0-9a-z-]+@a\.example$/)
      await assert.rejects(makeMailer(refused('550 5.1.1 unknown')).send(mail), AddressError)
      const { mail_failure } = await world.db.write.selectFrom('guest').select('mail_failure').executeTakeFirstOrThrow()
      assert.equal(mail_failure, '550 5.1.1 unknown')
    })

    test('leaves out an address that does not work, except for mails that the person asked for', async () => {
      await reset({ email_invalid: true })
      await assert.rejects(makeMailer().send(MAIL), AddressError)
      assert.equal(sent.length, 0)
      await makeMailer().send({ ...MAIL, isAskedFor: true })
      await makeMailer().send({ ...MAIL, to: 'new@a.example' })
      assert.equal(sent.length, 2)
    })

    test('takes a refusal of the recipient as a failure of the address, and other failures as those of the server', async () => {
      await assert.rejects(makeMailer(refused('550 5.7.1 blocked')).send(MAIL), /refused/)
      assert.equal(await isInvalid(), false)
      assert.match((await getFailedDelivery(world.db.read))!.reason, /refused/)
      await assert.rejects(makeMailer(refused(`550 5.1.1 <${ANN.email}> unknown`)).send(MAIL), AddressError)
      assert.equal(await isInvalid(), true)
      assert.equal(await getFailedDelivery(world.db.read), undefined)
      const { reason } = await world.db.write.selectFrom('email_failure').select('reason').executeTakeFirstOrThrow()
      assert.equal(reason, '550 5.1.1 <…> unknown')
    })

    test('says that the server fails until a mail is sent again', async () => {
      const broken = makeMailer(async () => {
        throw new Error('connect ECONNREFUSED to plan@mail.example')
      })
      await assert.rejects(broken.send(MAIL), /ECONNREFUSED/)
      const olga = await browserOf(world, OLGA)
      assert.match((await olga.get('/manage/')).body, /does not take mails: connect ECONNREFUSED/)
      assert.match((await olga.get('/manage/instance/')).body, /does not take mails: connect ECONNREFUSED/)
      assert.doesNotMatch((await (await browserOf(world, PAUL)).get('/')).body, /ECONNREFUSED/)
      world.now = new Date(start.getTime() + 1000)
      await makeMailer().send(MAIL)
      assert.doesNotMatch((await olga.get('/manage/')).body, /ECONNREFUSED/)
    })
  })

  describe('pages', () => {
    test('show it at the person, in the list and to the person, who tries again', async () => {
      await report(toAnn())
      const olga = await browserOf(world, OLGA)
      const { body } = await olga.get(PERSON)
      assert.match(body, /The email address does not work.*Emails to ann@a\.example come back.*Recipient address rejected/s)
      assert.deepEqual(checkMarkup(body), [])
      assert.match((await olga.get('/manage/people/?state=failed_address')).body, new RegExp(`href="${PERSON}"`))
      assert.doesNotMatch((await olga.get('/manage/people/?state=failed_address')).body, new RegExp(`/manage/people/${BEN.id}/`))
      assert.match((await olga.get('/manage/mail/')).body, /Addresses that do not work.*Ann/s)
      const ann = await browserOf(world, ANN)
      assert.match((await ann.get('/')).body, /Emails to ann@a\.example come back, so you get none\./)
      const own = (await ann.get(OWN)).body
      assert.match(own, /Recipient address rejected.*It works, try again/s)
      assert.deepEqual(checkMarkup(own), [])
      await ann.post(OWN)
      assert.equal(await isInvalid(), false)
      assert.doesNotMatch((await ann.get('/')).body, /come back/)
    })

    test('let administrators try again, and nobody else', async () => {
      for (const path of [`${PERSON}try-address/`, '/manage/mail/address/']) {
        await reset({ email_invalid: true })
        const form = { person: String(ANN.id) }
        assert.equal((await (await browserOf(world, PAUL)).post(path, { form })).statusCode, 403, path)
        assert.equal(await isInvalid(), true)
        await (await browserOf(world, OLGA)).post(path, { form })
        assert.equal(await isInvalid(), false, path)
      }
    })

    test('a change of the address by an administrator ends it', async () => {
      await report(toAnn())
      const olga = await browserOf(world, OLGA)
      const page = (await olga.get(PERSON)).body
      const seen = /name="seen" value="([^"]*)"/.exec(page)![1]!.replaceAll('&quot;', '"').replaceAll('&amp;', '&')
      const form = {
        name: ANN.name,
        email: 'ann2@a.example',
        language: 'en',
        is_visible: 'on',
        date_of_birth: '',
        phone: '',
        seen,
      }
      assert.equal((await olga.post(PERSON, { form })).statusCode, 303)
      assert.equal(await isInvalid(), false)
    })
  })

  test('what was left out is sent when the address is tried again', async () => {
    await report(toAnn())
    const { rows } = await sql<{ id: number }>`
      insert into notification (kind, source, user_id, bundle, mail, mail_reason, next_attempt_at, created_at)
      values ('profile_changed', 's', ${ANN.id}, 'b', 'skipped', 'address', ${world.now}, ${world.now}) returning id`.execute(
      world.db.write,
    )
    const olga = await browserOf(world, OLGA)
    assert.match((await olga.get('/manage/mail/')).body, /Notifications that were not mailed.*skipped/s)
    const state = () =>
      world.db.write.selectFrom('notification').select('mail').where('id', '=', rows[0]!.id).executeTakeFirstOrThrow()
    await olga.post('/manage/mail/notification/', { form: { notification: String(rows[0]!.id) } })
    assert.equal((await state()).mail, 'waiting')
    await sql`update notification set mail = 'skipped', mail_reason = 'address' where id = ${rows[0]!.id}`.execute(world.db.write)
    await olga.post('/manage/mail/address/', { form: { person: String(ANN.id) } })
    assert.equal((await state()).mail, 'waiting')
  })

  test('people without the permission cannot try the address of others again, by the command', async () => {
    const actor = { ...ANONYMOUS }
    await assert.rejects(tryAddressAgain({ ...context(), actor }, ANN.id), /permission_denied|not_authenticated|Problem/)
  })

  describe('the webhook', () => {
    const PATH = '/mail/bounces/'
    const BODY = { recipient: ANN.email.toUpperCase(), type: 'hard', reason: 'unknown user ann@a.example' }
    const post = async (authorization: string | undefined, body: unknown, type = 'application/json') => {
      const headers = { ...(authorization ? { authorization } : {}), 'content-type': type }
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      return world.nobody.request('POST', PATH, { headers, body: text, unchecked: true })
    }
    const basic = (password: string) => `Basic ${Buffer.from(`any:${password}`).toString('base64')}`

    test('takes bounces with the secret as password or token', async () => {
      for (const authorization of [`Bearer ${SECRET.replaceAll(' ', '_')}`, 'Bearer x', basic('wrong'), 'Basic x', undefined])
        assert.equal((await post(authorization, BODY)).status, 401)
      assert.equal(await isInvalid(), false)
      const answer = await post(basic(SECRET), BODY)
      assert.deepEqual([answer.status, answer.body], [200, { bounces: 1, set: 1 }])
      assert.equal(await isInvalid(), true)
    })

    test('takes the reports of mail servers as they are', async () => {
      const answer = await post(basic(SECRET), bounceMessage({ to: toAnn() }), 'message/rfc822')
      assert.deepEqual([answer.status, answer.body], [200, { outcome: 'set' }])
    })

    test('refuses what is no JSON, and ignores addresses that nobody has', async () => {
      assert.equal((await post(basic(SECRET), '{')).status, 400)
      assert.deepEqual((await post(basic(SECRET), { ...BODY, recipient: 'nobody@a.example' })).body, { bounces: 1, set: 0 })
      assert.equal((await world.nobody.get(PATH, { unchecked: true })).status, 405)
    })

    test('ignores a bounce from before the address was tried again', async () => {
      await receiveBounces(context(), [{ recipient: ANN.email, kind: 'hard', reason: '', at: start }])
      world.now = new Date(start.getTime() + DAY)
      await transact(world.db.write, (tx) => clearAddressFailure(tx, { ...context(), actor: ANONYMOUS }, ANN.id))
      assert.equal(await receiveBounces(context(), [{ recipient: ANN.email, kind: 'hard', reason: '', at: start }]), 0)
      assert.equal(await receiveBounces(context(), [{ recipient: ANN.email, kind: 'hard', reason: '', at: undefined }]), 1)
    })
  })
})

describe('without a secret', async () => {
  const world = await openWorld()
  test('there is no webhook', async () => {
    assert.equal((await world.nobody.post('/mail/bounces/', {}, { unchecked: true })).status, 404)
  })
})
