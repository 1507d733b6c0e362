import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { createJoinLink } from '#features/accounts/joining/commands/links.ts'
import { switchGuestShare } from '#features/sharing/guests/commands/share.ts'
import { type Actor, ANONYMOUS, type GuestActor, makeActor, type VisitorActor } from '#platform/auth/actor.ts'
import { transact } from '#platform/db/transaction.ts'
import { pagesOf } from '#platform/features/compose.ts'
import { record } from '#platform/journal/journal.ts'
import { contextAs } from '#test/support/command-context.ts'
import { freshDatabase, openTestDatabase } from '#test/support/database.ts'
import { demoOptions } from '#test/support/demo-instance.ts'
import { Browser, type BrowserResponse } from '#test/support/http-browser.ts'
import { NotificationOutbox } from '#test/support/notification-outbox.ts'
import { ANN, HELPERS, OLGA, PAUL } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld, SITE_URL, type World } from '#test/support/world.ts'
import { makeRuntime } from '../../src/app-options.ts'

const ONCE = 'the link works once, and its mail goes to the owner of the account'
const NOTICES = 'mails to organisers wait above a limit'
const NO_MAIL = 'causes no mail'
const TYPED = 'limited per sender, target and network'

/** Every form that people without an account can submit. A new one needs a line here, and `claimMail` if it sends a mail. */
const FORMS: Record<string, string> = {
  '/accounts/reset/': TYPED,
  '/accounts/register/': TYPED,
  '/join/{token}/': TYPED,
  '/guests/register/{event}/{token}/': TYPED,
  '/guests/{token}/details/': TYPED,
  '/guests/{token}/send-link/': TYPED,
  '/guests/mail/{token}/': NOTICES,
  '/guests/{token}/mail/{code}/': 'one mail to the mailbox that is proved, once',
  '/join/confirm/{token}/': NOTICES,
  '/guests/{token}/delete/': NOTICES,
  '/guests/{token}/shifts/{shift}/signup/': NOTICES,
  '/guests/{token}/shifts/{shift}/decline/': NOTICES,
  '/guests/{token}/shifts/{shift}/undo/': NOTICES,
  '/shifts/shared/{shift}/{guest}/signup/': NOTICES,
  '/shifts/shared/{shift}/{guest}/decline/': NOTICES,
  '/shifts/shared/{shift}/{guest}/undo/': NOTICES,
  '/accounts/reset/{token}/': ONCE,
  '/accounts/welcome/{token}/': ONCE,
  '/accounts/invitation/{token}/': ONCE,
  '/accounts/email-stop/{token}/': ONCE,
  '/asked/{token}/': 'one answer of a person with an account',
  '/asked/{token}/shifts/{shift}/signup/': 'one answer of a person with an account',
  '/offered/{token}/': 'one answer of a person with an account',
  '/accounts/end-session/': NO_MAIL,
  '/accounts/first-administrator/{token}/': NO_MAIL,
  '/accounts/login/': NO_MAIL,
  '/accounts/try-out/': NO_MAIL,
  '/accounts/passkey/': NO_MAIL,
  '/accounts/passkey/options/': NO_MAIL,
  '/accounts/second-step/': 'a recovery code tells the owner of the account, and works once',
  '/accounts/second-step/cancel/': NO_MAIL,
  '/accounts/second-step/passkey/': NO_MAIL,
  '/join/{token}/member/': 'needs an account',
  '/notifications/off/{token}/': NO_MAIL,
  '/visits/{guest}/end/': NO_MAIL,
}

test('every form for people without an account is limited, or causes no mails to strangers', async () => {
  const database = await freshDatabase()
  const db = openTestDatabase({ url: database.url })
  try {
    const found = pagesOf(makeRuntime(demoOptions(database.url, db))).filter(
      ({ kind, access }) => kind !== 'view' && ['open', 'guest', 'visitor'].includes(access.kind),
    )
    assert.deepEqual(found.map(({ path }) => path as string).sort(), Object.keys(FORMS).sort())
  } finally {
    await db.close()
    await database.drop()
  }
})

const person = { name: 'Gus Gray', date_of_birth: '1990-02-03' }
const password = { password: 'four green umbrellas', password_again: 'four green umbrellas' }

/** Each way to cause a mail to an address that somebody types. */
async function openWays(world: World) {
  const stranger = async (path: string, form: Record<string, string>): Promise<BrowserResponse> => {
    const browser = new Browser({ port: world.line.port }, { host: new URL(SITE_URL).host })
    await browser.get(path)
    return browser.post(path, { form })
  }
  const shift = { start: '2031-06-20T08:00:00Z', end: '2031-06-20T12:00:00Z' }
  const fair = await world.addEvent({ title: 'Fair', responsible: [PAUL], shifts: [shift] })
  await switchGuestShare(contextAs(world, PAUL), fair.id, true)
  const { token_sealed } = await world.db.read.selectFrom('guest_share').select('token_sealed').executeTakeFirstOrThrow()
  const registration = `/guests/register/${fair.id}/${world.app.site.keyring.unseal(token_sealed)}/`
  const joining = await createJoinLink(contextAs(world, OLGA), HELPERS.id, { days: 30, max_uses: 99, approval: 'no', note: '' })
  assert.ok(joining?.ok)
  await sql`insert into setting (name, value) values ('self_registration', '"open"'::jsonb)`.execute(world.db.write)
  const guests: { path: string; email: string }[] = []
  for (const email of ['one@guest.example', 'two@guest.example']) {
    const { headers } = await stranger(registration, { ...person, shifts: String(fair.shifts[0]), email })
    guests.push({ path: String(headers.location), email })
    // One registration in a minute.
    world.now = new Date(world.now.getTime() + 61_000)
  }
  const ann = await browserOf(world, ANN)
  const asGuest = async (n: number, part: string, form: Record<string, string>) => {
    const browser = new Browser({ port: world.line.port }, { host: new URL(SITE_URL).host })
    await browser.get(guests[n]!.path)
    const answer = await browser.post(`${guests[n]!.path}${part}/`, { form })
    return answer.statusCode === 303 ? browser.get(guests[n]!.path) : answer
  }
  return {
    ways: {
      'password reset': (email: string) => stranger('/accounts/reset/', { email }),
      registration: (email: string) => stranger('/accounts/register/', { ...person, ...password, email }),
      'join link': (email: string) => stranger(`/join/${joining.token}/`, { ...person, ...password, email }),
      'registration of guests': (email: string) => stranger(registration, { ...person, shifts: String(fair.shifts[0]), email }),
      'details of guests': (email: string) => asGuest(0, 'details', { ...person, email }),
      'change of the own address': async (email: string) => {
        // The page asks again who is there after a while.
        await world.db.write.updateTable('session').set({ proved_at: world.now }).execute()
        return ann.post('/settings/profile/email/', { form: { email } })
      },
    },
    mailAgain: () => asGuest(1, 'send-link', {}),
  }
}

const REFUSED = /try again after \d\d:\d\d\./
const isRefused = ({ body }: BrowserResponse): boolean => REFUSED.test(body)

describe('mails to addresses that people type', () => {
  test('are counted together per target: what one form has sent, the others do not send', async () => {
    const world = await openWorld({ hasMail: true })
    const { ways } = await openWays(world)
    for (const known of [ANN.email, 'stranger@mail.example']) {
      world.now = new Date(world.now.getTime() + 24 * 3600_000)
      for (let n = 0; n < 6; n++) {
        const [name, ask] = Object.entries(ways)[n % 4]!
        assert.equal(isRefused(await ask(known)), false, `${name}, mail ${n}`)
      }
      for (const [name, ask] of Object.entries(ways)) {
        // It is the own address.
        if (known === ANN.email && name === 'change of the own address') continue
        const answer = await ask(known)
        assert.equal(answer.statusCode, 429, name)
        assert.match(answer.body, /Several emails have been sent to this address already/, name)
      }
    }
  })

  test('are counted together per network', async () => {
    // Six in an hour; the limits of forms per minute allow one.
    const world = await openWorld({ hasMail: true, rateLimit: '0.05' })
    const { ways, mailAgain } = await openWays(world)
    world.now = new Date(world.now.getTime() + 3600_000)
    let sent = 0
    for (const [name, ask] of [...Object.entries(ways), ...Object.entries(ways)]) {
      world.now = new Date(world.now.getTime() + 61_000)
      const answer = await ask(`${sent}-${name.replaceAll(' ', '-')}@mail.example`)
      assert.equal(isRefused(answer), sent >= 6, `${name} after ${sent} mails`)
      if (sent < 6) sent++
      else assert.match(answer.body, /Too many emails were requested from your network/, name)
    }
    world.now = new Date(world.now.getTime() + 61_000)
    assert.match((await mailAgain()).body, /Too many emails were requested from your network/)
  })

  test('are counted per guest and per account', async () => {
    const world = await openWorld({ hasMail: true })
    const { ways, mailAgain } = await openWays(world)
    for (const name of ['details of guests', 'change of the own address'] as const) {
      for (let n = 0; n < 4; n++) assert.equal(isRefused(await ways[name](`s${n}@mail.example`)), false, `${name} ${n}`)
      assert.match((await ways[name]('s5@mail.example')).body, /You have asked for several emails already/)
    }
    for (let n = 0; n < 4; n++) assert.equal(isRefused(await mailAgain()), false, `mail ${n}`)
    assert.match((await mailAgain()).body, /You have asked for several emails already/)
  })
})

describe('mails to organisers about people without an account', async () => {
  const world = await openWorld({ hasMail: true })
  const outbox = new NotificationOutbox(world)
  const fair = await world.addEvent({ title: 'Fair', responsible: [PAUL], shifts: [{}] })
  const participation = await world.addParticipation({ who: ANN, shift: fair.shifts[0]!, state: 0 })

  /** How many mails are due of so many sign-ups, and how many wait. */
  async function signUpOften(count: number, actor: Actor, requestId: string | null) {
    await outbox.clear()
    for (let n = 0; n < count; n++) {
      await transact(world.db.write, (tx) =>
        record(
          tx,
          { actor, now: world.now, requestId: requestId && `${requestId} ${n}` },
          {
            kind: 'participation.signed_up',
            subject: { kind: 'participation', id: participation },
            eventId: fair.id,
            changes: { state: [null, 0] },
          },
        ),
      )
      await outbox.readJournal()
    }
    const rows = (await outbox.rows()).filter(({ user_id }) => user_id === PAUL.id)
    const isWaiting = ({ next_attempt_at }: (typeof rows)[number]) => next_attempt_at.getTime() - world.now.getTime() > 600_000
    return { now: rows.filter((row) => !isWaiting(row)).length, later: rows.filter(isWaiting).length }
  }
  const guest = (guestId: number) =>
    makeActor<GuestActor>({ kind: 'guest', guestId, eventId: fair.id, displayName: 'Gus', language: 'en' })
  const visitor = { kind: 'visitor', visitorId: 4 } as unknown as VisitorActor & Actor

  test('wait after twelve of one guest or visitor, and nothing is lost', async () => {
    assert.deepEqual(await signUpOften(14, guest(1), 'r1'), { now: 12, later: 2 })
    assert.deepEqual(await signUpOften(14, visitor, 'r2'), { now: 12, later: 2 })
  })
  test('wait after thirty to one person, whoever causes them', async () => {
    assert.deepEqual(await signUpOften(8, ANONYMOUS, 'r3'), { now: 6, later: 2 })
  })
  test('do not wait if a member or a job causes them', async () => {
    assert.deepEqual(await signUpOften(9, contextAs(world, ANN).actor, 'r4'), { now: 9, later: 0 })
    assert.deepEqual(await signUpOften(9, ANONYMOUS, null), { now: 9, later: 0 })
  })
  test('become one mail, which is due when the hour is over', async () => {
    await signUpOften(9, guest(2), 'r5')
    assert.equal((await outbox.rows()).filter(({ user_id }) => user_id === PAUL.id).length, 9)
    await outbox.runDue()
    assert.deepEqual(outbox.sent, [])
    world.now = new Date(world.now.getTime() + 3600_000)
    await outbox.runTask('queue_notifications')
    await outbox.runDue()
    assert.equal(outbox.sent.length, 1)
  })
  test('show names that cannot be links', async () => {
    await world.db.write
      .updateTable('user_profile')
      .set({ display_name: 'see evil.example\nnow' })
      .where('id', '=', ANN.id)
      .execute()
    await signUpOften(1, contextAs(world, ANN).actor, 'r6')
    const [mail] = await outbox.deliver()
    assert.match(mail!.subject, /see evil\. example now/)
    assert.doesNotMatch(`${mail!.subject} ${mail!.text} ${mail!.html}`, /evil\.example/)
  })
})
