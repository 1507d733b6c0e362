import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { GUARD } from '#features/staffing/participations/commands/locks.ts'
import { signUp } from '#features/staffing/participations/commands/sign-up.ts'
import { type GuestActor, makeActor } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { hashSecret } from '#platform/auth/secrets.ts'
import { Problem } from '#platform/http/problem.ts'
import { moveOnBoard } from '#test/support/board.ts'
import { contextAs } from '#test/support/command-context.ts'
import { Browser } from '#test/support/http-browser.ts'
import { openMailOutbox } from '#test/support/mail-outbox.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { NotificationOutbox } from '#test/support/notification-outbox.ts'
import { ANN, HELPERS, PAUL } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld, SITE_URL, type World } from '#test/support/world.ts'
import { decideQualification } from './commands/manage.ts'
import { changeOwnDetails, deleteSelf } from './commands/own.ts'
import { proveAddress } from './commands/prove.ts'
import { deleteFormerGuests, removeGuest } from './commands/removal.ts'
import { switchGuestShare } from './commands/share.ts'
import { guestTasks } from './jobs.ts'
import { formerMailedPath, guestPath, mailCode, mailedPath, makeMailToken, whyClosed } from './rules.ts'

const SHIFT = { start: '2031-05-06T08:00:00+02:00', end: '2031-05-06T12:00:00+02:00' }
const LATER = { start: '2031-05-07T08:00:00+02:00', end: '2031-05-07T12:00:00+02:00' }
const FORM = { name: 'Gus Gray', email: 'gus@mail.example', date_of_birth: '1990-02-03', phone: '' }
const INSTANT = { flow: 'instant_confirmation' }

const open = { isLinkActive: true, isPublished: true, isDeleted: false, isCancelled: false, end: null }
for (const [what, share, expected] of [
  ['no such link', undefined, 'unknown'],
  ['an event in the bin', { ...open, isDeleted: true }, 'unknown'],
  ['a link that is switched off', { ...open, isLinkActive: false }, 'off'],
  ['a draft', { ...open, isPublished: false }, 'draft'],
  ['a cancelled event', { ...open, isCancelled: true }, 'cancelled'],
  ['an event that is over', { ...open, end: new Date('2031-04-30T10:00:00Z') }, 'over'],
  ['an event without shifts', open, undefined],
] as const)
  test(`registration by ${what}: ${expected ?? 'possible'}`, () =>
    assert.equal(whyClosed(share, new Date('2031-05-01T10:00:00Z')), expected))

const stranger = (world: World, options: { ip?: string; language?: string } = {}) =>
  new Browser({ port: world.line.port }, { host: new URL(SITE_URL).host, ...options })

/** Switches the link of an event on; returns its path. */
async function linkOf(world: World, eventId: number): Promise<string> {
  await switchGuestShare(planner(world), eventId, true)
  const { token_sealed } = await world.db.read
    .selectFrom('guest_share')
    .select('token_sealed')
    .where('event_id', '=', eventId)
    .executeTakeFirstOrThrow()
  return `/guests/register/${eventId}/${world.app.site.keyring.unseal(token_sealed)}/`
}

const planner = (world: World): CommandContext => contextAs(world, PAUL)

const contextOfGuest = (world: World, guestId: number, eventId: number): CommandContext => ({
  db: world.db.write,
  now: world.now,
  site: world.app.site,
  requestId: null,
  actor: makeActor<GuestActor>({ kind: 'guest', guestId, eventId, displayName: 'Gus', language: 'en' }),
})

async function register(world: World, link: string, form: Record<string, string | string[]> = {}) {
  const browser = stranger(world)
  const { body } = await browser.get(link)
  // The last of the shifts that are open.
  const shifts = [...body.matchAll(/name="shifts" value="(\d+)"/g)].map(([, id]) => id!).slice(-1)
  const response = await browser.post(link, { form: { ...FORM, shifts, ...form } })
  return { browser, response, path: String(response.headers.location) }
}

const guestOf = (world: World, email: string, eventId: number) =>
  world.db.read
    .selectFrom('guest')
    .selectAll()
    .where('email', '=', email)
    .where('event_id', '=', eventId)
    .executeTakeFirstOrThrow()

const statesOf = async (world: World, guestId: number) =>
  (
    await world.db.read
      .selectFrom('participation')
      .select(['shift_id', 'state'])
      .where('guest_id', '=', guestId)
      .orderBy('shift_id')
      .execute()
  ).map(({ shift_id, state }) => [shift_id, state])

const isRefused = (status: string) => (error: unknown) => error instanceof Problem && error.code === status

describe('guests, with mails', async () => {
  const world = await openWorld({ hasMail: true })
  const { read, write } = world.db
  const outbox = openMailOutbox(
    (mailer) => guestTasks({ db: world.db, clock: { now: () => world.now }, mailer, site: world.app.site })[0]!,
    () => world.db,
  )
  const fair = await world.addEvent({
    title: 'Fair',
    description: 'Bring **gloves**.',
    seenBy: [HELPERS],
    responsible: [PAUL],
    shifts: [{ ...SHIFT, label: 'Build', ...INSTANT }, LATER],
  })
  const other = await world.addEvent({ title: 'Secret drill', responsible: [PAUL], shifts: [SHIFT] })
  const medic = await world.addQualification('Medic')
  await world.addParticipation({ who: ANN, shift: fair.shifts[1]! })
  const link = await linkOf(world, fair.id)
  await linkOf(world, other.id)
  const mailedLink = () => /https:\/\/a\.example(\/guests\/mail\/\S+\/)/.exec(outbox.sent.at(-1)!.text)![1]!

  test('the public page shows the event and its shifts, without names, and has tags for previews', async () => {
    const { body, statusCode, headers } = await stranger(world).get(link)
    assert.equal(statusCode, 200)
    checkMarkup(body)
    assert.match(body, /<h1>Fair<\/h1>/)
    assert.match(body, /<strong>gloves<\/strong>/)
    assert.match(body, /Build/)
    assert.doesNotMatch(body, /Ann|Paul/)
    // How many are missing is for those who plan.
    assert.match(body, /places? left|places free/i)
    assert.doesNotMatch(body, /\d missing|class="staffing/)
    assert.match(body, /<meta property="og:title" content="Fair">/)
    const image = /<meta property="og:image" content="https:\/\/a\.example([^"]+)">/.exec(body)![1]!
    assert.equal((await stranger(world).get(image)).headers['content-type'], 'image/png')
    assert.equal(headers['referrer-policy'], 'same-origin', 'not no-referrer: forms would have no origin')
    assert.match((await stranger(world, { language: 'de' }).get(link)).body, /Als Gast teilnehmen/)
  })

  test('signed-in members are sent to the normal page, others can register', async () => {
    const { headers } = await (await browserOf(world, ANN)).get(link)
    assert.match(String(headers.location), /^\/events\/\d+-fair\/$/)
  })

  test('a guest registers, signs up at most as a request, and takes the place by the link from the mail', async () => {
    const { browser, response, path } = await register(world, link, { qualifications: [String(medic.id)] })
    assert.equal(response.statusCode, 303)
    assert.match(path, /^\/guests\/\w{40}\/$/)
    const page = await browser.get(path)
    checkMarkup(page.body)
    assert.equal(page.headers['cache-control'], 'no-store')
    assert.match(page.body, /You are here as Gus Gray/)
    assert.match(page.body, /Please open the link in our email to gus@mail\.example and confirm your address/)
    assert.match(page.body, /The organisers still have to confirm: Medic/)
    assert.doesNotMatch(page.body, /Ann/)
    const guest = await guestOf(world, FORM.email, fair.id)
    assert.deepEqual(guest.access_token_hash, hashSecret(path.split('/')[2]!))
    assert.deepEqual(await statesOf(world, guest.id), [[fair.shifts[1], 0]], 'the shift that was chosen with the registration')
    assert.match(page.body, /You have requested a place: [^<]*7 May/)
    await browser.post(`${path}shifts/${fair.shifts[0]}/signup/`, { form: { quick: '1', doing: 'sign-up' } })
    assert.deepEqual(await statesOf(world, guest.id), [
      [fair.shifts[0], 0],
      [fair.shifts[1], 0],
    ])
    await outbox.deliver()
    assert.equal(outbox.sent.at(-1)!.to, FORM.email)
    assert.match(outbox.sent.at(-1)!.subject, /Fair/)
    const mailed = mailedLink()
    assert.ok(!mailed.includes(path.split('/')[2]!), 'the mail does not contain the token that the screen has shown')
    const wrong = `${mailed.slice(0, -2)}${mailed.at(-2) === 'A' ? 'B' : 'A'}/`
    for (const dead of [wrong, mailed.replace(/mail\/\d+-/, 'mail/999999-'), '/guests/mail/wrong/']) {
      assert.equal((await stranger(world).get(dead)).statusCode, 404, dead)
      assert.equal((await stranger(world).post(dead)).statusCode, 404, dead)
    }
    const owner = stranger(world)
    const shown = await owner.get(mailed)
    assert.deepEqual([shown.statusCode, shown.headers['cache-control']], [200, 'no-store'])
    checkMarkup(shown.body)
    assert.match(shown.body, /Gus Gray has registered as a guest with the address gus@mail\.example/)
    assert.deepEqual(
      await guestOf(world, FORM.email, fair.id),
      { ...guest, link_mailed_at: world.now },
      'opening changes nothing',
    )
    assert.deepEqual(await statesOf(world, guest.id), [
      [fair.shifts[0], 0],
      [fair.shifts[1], 0],
    ])
    const proved = await owner.post(mailed)
    const own = String(proved.headers.location)
    assert.match(own, /^\/guests\/\d+-[\w-]{43}\/$/)
    assert.deepEqual(await statesOf(world, guest.id), [
      [fair.shifts[0], 1],
      [fair.shifts[1], 0],
    ])
    const after = await owner.get(own)
    assert.match(after.body, /Your email address is confirmed/)
    assert.doesNotMatch(after.body, /Please open the link/)
    for (const part of ['', 'details/'])
      assert.equal((await browser.get(`${path}${part}`)).statusCode, 404, 'the link of the screen has ended')
    assert.match((await browser.get(path)).body, /only the link in our latest email works/)
    assert.equal((await browser.post(`${path}details/`, { form: FORM })).statusCode, 404)
    assert.equal((await owner.get(mailed)).headers.location, own, 'the mail stays the way to the page')
    const again = await owner.post(mailed)
    assert.deepEqual([again.statusCode, again.headers.location], [303, own], 'a second click')
  })

  test('who has registered a foreign address cannot read what its owner enters', async () => {
    const { path, browser: mallory } = await register(world, link, { email: 'owner@mail.example', name: 'Mallory' })
    await outbox.deliver()
    const owner = stranger(world)
    const own = String((await owner.post(mailedLink())).headers.location)
    await owner.get(own)
    const form = { ...FORM, email: 'owner@mail.example', name: 'Olivia Owner', phone: '040 777' }
    assert.equal((await owner.post(`${own}details/`, { form })).statusCode, 303)
    const { body, statusCode } = await mallory.get(path)
    assert.equal(statusCode, 404)
    assert.doesNotMatch(body, /Olivia|040 777/)
  })

  test('a new address is proved by its own mail, and ends the link of the mailbox before', async () => {
    await register(world, link, { email: 'first@mail.example', name: 'Mo' })
    await outbox.deliver()
    const firstLink = mailedLink()
    const mo = stranger(world)
    const own = String((await mo.post(firstLink)).headers.location)
    await mo.get(own)
    await mo.post(`${own}details/`, { form: { ...FORM, name: 'Mo', email: 'second@mail.example' } })
    assert.equal((await mo.get(own)).statusCode, 200, 'the link stays until the new address is proved')
    assert.equal((await mo.get(firstLink)).headers.location, own)
    assert.equal((await mo.post(firstLink)).statusCode, 303)
    assert.equal((await guestOf(world, 'second@mail.example', fair.id)).email_confirmed_at, null, 'not by the mail before')
    await outbox.deliver()
    assert.notEqual(mailedLink(), firstLink)
    const second = String((await stranger(world).post(mailedLink())).headers.location)
    assert.equal((await mo.get(second)).statusCode, 200)
    assert.equal((await mo.get(own)).statusCode, 404)
    assert.equal((await mo.get(firstLink)).statusCode, 404)
  })

  test('a proof confirms requests of the event of the link; one that is elsewhere by now stays, and does not hold up the rest', async () => {
    const instant = (label: string) => ({ ...SHIFT, label, ...INSTANT })
    const camp = await world.addEvent({
      title: 'Camp',
      seenBy: [HELPERS],
      responsible: [PAUL],
      shifts: [instant('moved'), { ...instant('kept'), ...LATER }],
    })
    const [moved, kept] = camp.shifts as [number, number]
    const { path, browser } = await register(world, await linkOf(world, camp.id), { email: 'cam@mail.example' })
    await browser.get(path)
    await browser.post(`${path}shifts/${moved}/signup/`, { form: { quick: '1', doing: 'sign-up' } })
    const { id } = await guestOf(world, 'cam@mail.example', camp.id)
    assert.deepEqual(await statesOf(world, id), [
      [moved, 0],
      [kept, 0],
    ])
    await write.updateTable('shift').set({ event_id: other.id }).where('id', '=', moved).execute()
    await outbox.deliver()
    assert.equal((await stranger(world).post(mailedLink())).statusCode, 303)
    assert.deepEqual(await statesOf(world, id), [
      [moved, 0],
      [kept, 1],
    ])
  })

  test('links in mails of earlier versions work: proved guests open their page, others prove the address by a button', async () => {
    const { path, browser } = await register(world, link, { email: 'former@mail.example' })
    await outbox.deliver()
    const guest = await guestOf(world, 'former@mail.example', fair.id)
    const former = formerMailedPath(path.split('/')[2]!, mailCode(world.app.site.keyring, guest))
    const setProved = (email_confirmed_at: Date | null) =>
      write.updateTable('guest').set({ email_confirmed_at }).where('id', '=', guest.id).execute()
    await setProved(world.now)
    assert.equal((await browser.get(former)).headers.location, path)
    assert.equal((await browser.get(path)).statusCode, 200, 'a proved guest keeps the link')
    assert.equal((await browser.get(mailedLink())).statusCode, 200, 'a later mail renews it by its button')
    await setProved(null)
    assert.equal((await browser.get(former.replace(/mail\/.*/, 'mail/wrong/'))).headers.location, path)
    assert.equal((await browser.post(former.replace(/mail\/.*/, 'mail/wrong/'))).headers.location, path)
    assert.match((await browser.get(former)).body, /Confirm and open my page/)
    assert.deepEqual(await guestOf(world, 'former@mail.example', fair.id), { ...guest, link_mailed_at: world.now })
    const own = String((await browser.post(former)).headers.location)
    assert.equal(own, guestPath(makeMailToken(world.app.site.keyring, guest)))
    assert.equal((await browser.get(path)).statusCode, 404)
    outbox.sent.length = 0
    await outbox.deliver()
    assert.equal((await browser.get(mailedLink())).headers.location, own, 'a new mail brings the new link')
  })

  test('a guest changes details, withdraws and takes it back', async () => {
    const { path, browser } = await register(world, link, { email: 'wim@mail.example', name: 'Wim' })
    const guest = await guestOf(world, 'wim@mail.example', fair.id)
    const shift = fair.shifts[1]!
    await browser.post(`${path}shifts/${shift}/decline/`, { form: { from: 'event' } })
    assert.deepEqual(await statesOf(world, guest.id), [[shift, 2]])
    const taken = await browser.post(`${path}details/`, { form: { ...FORM, name: 'Wim W' } })
    assert.equal(taken.statusCode, 422)
    assert.match(taken.body, /This address cannot be used/)
    const saved = await browser.post(`${path}details/`, {
      form: { ...FORM, email: 'wim@new.example', name: 'Wim W', phone: '123' },
    })
    assert.equal(saved.headers.location, path)
    const { display_name, phone, email, email_confirmed_at } = await guestOf(world, 'wim@new.example', fair.id)
    assert.deepEqual([display_name, phone, email, email_confirmed_at], ['Wim W', '123', 'wim@new.example', null])
  })

  test('a guest who changes the address again and again reaches strangers with few mails, whose greeting is harmless', async () => {
    const { path, browser } = await register(world, link, { email: 'mal@mail.example', name: 'Mal' })
    await outbox.deliver()
    outbox.sent.length = 0
    const change = (email: string) =>
      browser.post(`${path}details/`, { form: { ...FORM, email, name: 'Win: https://evil.example/now' } })
    const answers: number[] = []
    for (let n = 0; n < 6; n++) answers.push((await change(`${n % 2 ? 'mal' : 'stranger'}@mail.example`)).statusCode)
    assert.deepEqual(answers, [303, 303, 303, 303, 429, 303], 'the last one has this address already')
    const refused = await change('stranger@mail.example')
    assert.match(refused.body, /You have asked for several emails already\..* try again after \d\d:\d\d\./)
    assert.match(refused.body, /value="stranger@mail\.example"/, 'nothing typed is lost')
    const same = await change('mal@mail.example')
    assert.equal(same.statusCode, 303, 'other details can be saved')
    await outbox.deliver()
    assert.equal(outbox.sent.length, 1, 'mails that wait replace each other')
    assert.match(outbox.sent[0]!.text, /^Hello Win https evil\. example now,/)
    assert.doesNotMatch(`${outbox.sent[0]!.text} ${outbox.sent[0]!.html}`, /evil\.example/)
    assert.equal((await browser.post(`${path}send-link/`)).statusCode, 303)
    assert.match((await browser.get(path)).body, /You have asked for several emails already/)
    world.now = new Date(world.now.getTime() + 3600_000)
    assert.equal((await change('stranger@mail.example')).statusCode, 303, 'an hour later')
  })

  test('one stranger gets six mails in an hour, whoever registers the address', async () => {
    const statuses: number[] = []
    for (const eventLink of [link, await linkOf(world, other.id)])
      for (let n = 0; n < 4; n++)
        statuses.push((await register(world, eventLink, { email: 'target@mail.example' })).response.statusCode)
    assert.deepEqual(statuses, [...Array<number>(6).fill(303), 429, 429])
    const { response } = await register(world, link, { email: 'Target+more@mail.example', phone: '040 123' })
    assert.match(response.body, /Several emails have been sent to this address already/)
    assert.match(response.body, /value="040 123"/)
  })

  test('registering again mails the link and shows the stranger nothing', async () => {
    world.now = new Date(world.now.getTime() + 3600_000)
    const before = await guestOf(world, FORM.email, fair.id)
    await outbox.deliver()
    outbox.sent.length = 0
    const { response, browser, path } = await register(world, link, { name: 'Mallory', email: 'GUS@mail.example' })
    assert.equal(path, link)
    assert.doesNotMatch(response.body, /Gus/)
    const page = await browser.get(link)
    assert.match(page.body, /We have sent the link/)
    assert.doesNotMatch(page.body, /Gus Gray/)
    await outbox.deliver()
    assert.deepEqual(
      outbox.sent.map(({ to }) => to),
      [FORM.email],
    )
    const after = await guestOf(world, FORM.email, fair.id)
    assert.deepEqual(after.access_token_hash, before.access_token_hash, 'a proved address keeps its link')
    assert.equal(after.display_name, 'Gus Gray')
  })

  test('a registration that nobody has proved is replaced, and its link on the screen stops', async () => {
    const { path, browser } = await register(world, link, { email: 'victim@mail.example', name: 'Mallory' })
    world.now = new Date(world.now.getTime() + 3600_000)
    await register(world, link, { email: 'victim@mail.example', name: 'Vic' })
    assert.equal((await browser.get(path)).statusCode, 404)
    assert.equal((await guestOf(world, 'victim@mail.example', fair.id)).display_name, 'Vic')
  })

  test('a guest acts only in their event and only while its link is active', async () => {
    const { path, browser } = await register(world, link, { email: 'eve@mail.example' })
    const guest = await guestOf(world, 'eve@mail.example', fair.id)
    await outbox.deliver()
    const signup = (shift: number) => browser.post(`${path}shifts/${shift}/signup/`, { form: { quick: '1', doing: 'sign-up' } })
    assert.equal((await signup(other.shifts[0]!)).statusCode, 404, 'a shift of another event')
    const context = contextOfGuest(world, guest.id, fair.id)
    const paul = planner(world)
    await switchGuestShare(paul, fair.id, false)
    for (const refused of [
      await browser.get(path),
      await signup(fair.shifts[1]!),
      await browser.get(`${path}details/`),
      await browser.post(`${path}details/`, { form: FORM }),
      await browser.post(`${path}delete/`),
      await browser.post(`${path}send-link/`),
      await browser.get(mailedLink()),
      await browser.post(mailedLink()),
    ]) {
      assert.equal(refused.statusCode, 403)
      assert.match(refused.body, /switched off the link/)
    }
    await assert.rejects(signUp(context, { shiftId: fair.shifts[1]! }), isRefused('not_found'))
    await assert.rejects(changeOwnDetails(context, { ...FORM, phone: null, qualifications: [] }), isRefused('permission_denied'))
    await assert.rejects(deleteSelf(context), isRefused('permission_denied'))
    await switchGuestShare(paul, fair.id, true)
    assert.equal((await signup(fair.shifts[1]!)).statusCode, 303, 'the same request works with an active link')
    assert.deepEqual(await statesOf(world, guest.id), [[fair.shifts[1], 0]])
  })

  /** Switches the link off between the checks and the writes. Returns whether that succeeded before the writes. */
  const raceWith = async (lockShare: typeof GUARD.lockShare): Promise<boolean> => {
    const email = `${Math.random()}@mail.example`
    await register(world, link, { email })
    const guest = await guestOf(world, email, fair.id)
    let isOff = false
    let wasOffBefore = false
    let switching: Promise<unknown> | undefined
    const checked = async () => {
      const off = write.updateTable('guest_share').set({ active: false }).where('event_id', '=', fair.id).execute()
      switching = off.then(() => {
        isOff = true
      })
      await Promise.race([switching, waitUntilBlocked(world)])
      wasOffBefore = isOff
    }
    await signUp(
      contextOfGuest(world, guest.id, fair.id),
      { shiftId: fair.shifts[1]! },
      { ...GUARD, lockEvent: async () => true, lockShare, checked },
    )
    await switching
    await switchGuestShare(planner(world), fair.id, true)
    return wasOffBefore
  }

  test('the link cannot be switched off between the check and the sign-up', async () =>
    assert.equal(await raceWith(GUARD.lockShare), false))
  test('without the lock of the share, it can', async () => assert.equal(await raceWith(async () => {}), true))

  test('bad input is refused at the field, and nothing typed is lost', async () => {
    for (const [field, value, message] of [
      ['name', '', /Please enter your name/],
      ['name', 'x'.repeat(200_000), /at most 254 characters/],
      ['email', 'gus', /name@example\.org/],
      ['date_of_birth', '', /Please enter your date of birth/],
      ['date_of_birth', '2031-05-09', /in the future/],
      ['date_of_birth', '1990-02-31', /Please enter your date of birth/],
      ['qualifications', '999999', /deleted in the meantime/],
    ] as const) {
      const { response } = await register(world, link, { email: 'new@mail.example', phone: '040 123', [field]: value })
      assert.equal(response.statusCode, 422, field)
      assert.match(response.body, message)
      assert.match(response.body, /value="040 123"/)
    }
  })

  test('links that do not work say what to do', async () => {
    const at = async (path: string) => {
      const { statusCode, body } = await stranger(world).get(path)
      checkMarkup(body)
      return [statusCode, /<p>([^<]+)<\/p>/.exec(body.split('</h1>')[1]!)![1]!]
    }
    assert.match(String(await at(`/guests/register/${fair.id}/wrong/`)), /^404,The link is incomplete/)
    assert.match(String(await at(link.replace(`/${fair.id}/`, `/${other.id}/`))), /^404,/)
    assert.match(String(await at('/guests/wrong/')), /^404,We do not know this personal link/)
    await write.updateTable('event').set({ active: false }).where('id', '=', fair.id).execute()
    assert.match(String(await at(link)), /^404,This event is not published yet/)
    await write.updateTable('event').set({ active: true }).where('id', '=', fair.id).execute()
    const late = stranger(world)
    await late.get(link)
    await switchGuestShare(planner(world), fair.id, false)
    const { headers } = await late.post(link, { form: { ...FORM, email: 'late@mail.example' } })
    assert.equal(headers.location, link, 'the page says why')
    assert.equal((await late.get(link)).statusCode, 403)
    await switchGuestShare(planner(world), fair.id, true)
  })

  test('planners confirm and reject qualifications, which count from then on', async () => {
    const paul = await browserOf(world, PAUL)
    const guest = await guestOf(world, FORM.email, fair.id)
    const list = await paul.get(`/events/${fair.id}/guests/`)
    checkMarkup(list.body)
    assert.match(list.body, /gus@mail\.example/)
    assert.match(list.body, /address not confirmed/)
    const held = async () =>
      (
        await read
          .selectFrom('guest_qualification')
          .select(['verified_at', 'verified_by_id', 'rejected_at'])
          .where('guest_id', '=', guest.id)
          .execute()
      ).map(({ verified_at, verified_by_id, rejected_at }) => [verified_at !== null, verified_by_id, rejected_at !== null])
    const decide = (verdict: string) =>
      paul.post(`/events/${fair.id}/guests/${guest.id}/qualification/`, {
        form: { qualification: String(medic.id), verdict },
      })
    await decide('confirm')
    assert.deepEqual(await held(), [[true, PAUL.id, false]])
    await decide('reject')
    assert.deepEqual(await held(), [[false, null, true]])
    await decide('reopen')
    assert.deepEqual(await held(), [[false, null, false]])
    const strange = await paul.post(`/events/${other.id}/guests/${guest.id}/qualification/`, {
      form: { qualification: String(medic.id), verdict: 'confirm' },
    })
    assert.equal(strange.statusCode, 404, 'a guest of another event')
  })

  test('people who may not change the event see no guests', async () => {
    const ann = await browserOf(world, ANN)
    const guest = await guestOf(world, FORM.email, fair.id)
    for (const path of ['', 'renew/', 'poster/', `${guest.id}/remove/`])
      assert.equal((await ann.get(`/events/${fair.id}/guests/${path}`)).statusCode, 403, path)
    for (const path of ['switch/', 'renew/', `${guest.id}/qualification/`, `${guest.id}/send-link/`, `${guest.id}/remove/`]) {
      const { statusCode } = await ann.post(`/events/${fair.id}/guests/${path}`, {
        form: { active: 'off', qualification: '1', verdict: 'confirm' },
      })
      assert.equal(statusCode, 403, path)
    }
  })

  test('the event form switches the link; a new link ends the old one; the notice shows it', async () => {
    const paul = await browserOf(world, PAUL)
    const edit = await paul.get(`/events/${fair.id}/edit/`)
    assert.match(edit.body, /name="guest_link"[^>]* checked/)
    const poster = await paul.get(`/events/${fair.id}/guests/poster/`)
    checkMarkup(poster.body)
    assert.match(poster.body, new RegExp(`a\\.example${link}`))
    assert.match(poster.body, /<svg class="qr"/)
    await paul.get(`/events/${fair.id}/guests/renew/`)
    await paul.post(`/events/${fair.id}/guests/renew/`)
    assert.equal((await stranger(world).get(link)).statusCode, 404)
    const renewed = await linkOf(world, fair.id)
    assert.notEqual(renewed, link)
    assert.equal((await stranger(world).get(renewed)).statusCode, 200)
  })

  test('a guest who leaves, or is removed, leaves counts but no data', async () => {
    const current = await linkOf(world, fair.id)
    const left = await register(world, current, { email: 'leaver@mail.example', name: 'Lea Leaver' })
    const guest = await guestOf(world, 'leaver@mail.example', fair.id)
    await left.browser.post(`${left.path}shifts/${fair.shifts[1]}/signup/`, {
      form: { doing: 'customize', comment: 'my own words' },
    })
    await left.browser.get(`${left.path}delete/`)
    const gone = await left.browser.post(`${left.path}delete/`)
    assert.match(gone.body, /Your data is deleted/)
    assert.equal((await left.browser.get(left.path)).statusCode, 404)
    const places = await read
      .selectFrom('participation')
      .select(['state', 'placeholder_name'])
      .where('shift_id', '=', fair.shifts[1]!)
      .where('kind', '=', 'placeholder')
      .execute()
    assert.deepEqual(places, [{ state: 2, placeholder_name: 'Former guest (1)' }])
    assert.equal(await read.selectFrom('participation_comment').select('id').executeTakeFirst(), undefined)
    assert.deepEqual(await statesOf(world, guest.id), [])
    const removed = await guestOf(world, FORM.email, fair.id)
    assert.equal(await removeGuest(planner(world), { eventId: other.id, guestId: removed.id }), undefined)
    const paul = await browserOf(world, PAUL)
    await paul.get(`/events/${fair.id}/guests/${removed.id}/remove/`)
    await paul.post(`/events/${fair.id}/guests/${removed.id}/remove/`)
    assert.deepEqual(await statesOf(world, removed.id), [])
    assert.equal(
      JSON.stringify(await read.selectFrom('journal').select(['changes', 'personal']).execute()).includes('Leaver'),
      false,
      'the journal has no personal data of guests',
    )
  })

  test('guests are deleted some time after the event, and confirmed places stay', async () => {
    const current = await linkOf(world, other.id)
    await register(world, current, { email: 'past@mail.example', name: 'Pat Past' })
    const guest = await guestOf(world, 'past@mail.example', other.id)
    await write.updateTable('participation').set({ state: 1 }).where('guest_id', '=', guest.id).execute()
    const expire = () =>
      deleteFormerGuests(
        { db: write, now: world.now, site: world.app.site, requestId: null },
        new Date(world.now.getTime() - 90 * 86_400_000),
      )
    const now = world.now
    world.now = new Date('2031-08-03T10:00:00Z')
    assert.equal(await expire(), 0, '89 days after the event')
    world.now = new Date('2031-08-06T10:00:00Z')
    assert.ok((await expire()) > 0)
    world.now = now
    assert.equal(await read.selectFrom('guest').select('id').where('event_id', '=', other.id).executeTakeFirst(), undefined)
    assert.deepEqual(
      await read
        .selectFrom('participation')
        .select(['state', 'placeholder_name'])
        .where('event_id', '=', other.id)
        .where('state', '=', 1)
        .execute(),
      [{ state: 1, placeholder_name: 'Former guest (2)' }],
    )
  })
})

describe('mails and lists about guests', async () => {
  const world = await openWorld({ hasMail: true })
  const outbox = new NotificationOutbox(world)
  const fair = await world.addEvent({ title: 'Fair', responsible: [PAUL], shifts: [SHIFT] })
  const link = await linkOf(world, fair.id)
  await register(world, link)
  const guest = await guestOf(world, FORM.email, fair.id)
  const [shiftId] = fair.shifts

  test('a mail about the decision carries the personal link', async () => {
    await outbox.deliver()
    await outbox.clear()
    const who = { kind: 'guest' as const, id: guest.id }
    assert.ok((await moveOnBoard(planner(world), { shiftId: shiftId!, who, to: 1 })).ok)
    const [mail] = await outbox.deliver()
    assert.equal(mail?.to, FORM.email)
    assert.match(mail!.text, new RegExp(`https://a\\.example${mailedPath(makeMailToken(world.app.site.keyring, guest))}`))
  })

  describe('a qualification that the shift needs and that a guest declares', async () => {
    const medic = await world.addQualification('Medic')
    const registerFor = async (email: string, isInstant: boolean) => {
      const needs = { configuration: { required_qualification_ids: [medic.id] } }
      const shift = { ...(isInstant ? { ...LATER, ...INSTANT } : LATER), ...needs }
      const drill = await world.addEvent({ title: 'Drill', responsible: [PAUL], shifts: [shift] })
      const form = { email, qualifications: [String(medic.id)] }
      const registered = await register(world, await linkOf(world, drill.id), form)
      const guest = await guestOf(world, email, drill.id)
      const decide = (verdict: 'confirm' | 'reject') =>
        decideQualification(planner(world), { eventId: drill.id, guestId: guest.id, qualificationId: medic.id, verdict })
      const prove = () => proveAddress(planner(world), { mailToken: makeMailToken(world.app.site.keyring, guest) })
      return {
        ...registered,
        guest,
        decide,
        prove,
        states: async () => (await statesOf(world, guest.id)).map(([, state]) => state),
      }
    }

    test('is enough to ask for the place, and members are not named', async () => {
      const { browser, path, states } = await registerFor('ask@mail.example', false)
      const { body } = await browser.get(path)
      assert.match(body, /The organisers still have to confirm: Medic\./)
      assert.doesNotMatch(body, /Paul|Something is still missing|lack a qualification/)
      assert.deepEqual(await states(), [0])
    })
    test('is not enough for a place that needs no decision, until the organisers confirm it', async () => {
      const { prove, decide, states } = await registerFor('prove@mail.example', true)
      assert.ok(await prove())
      assert.deepEqual(await states(), [0])
      await outbox.deliver()
      await outbox.clear()
      assert.deepEqual(await decide('confirm'), { isChanged: true })
      assert.deepEqual(await states(), [1])
      const mails = await outbox.deliver()
      assert.deepEqual(
        mails.map(({ to, subject }) => [to, subject]),
        [['prove@mail.example', 'You are confirmed: Drill']],
      )
      assert.match(mails[0]!.text, /Paul/)
    })
    test('gives no place to a guest whose address is not proved', async () => {
      const { prove, decide, states } = await registerFor('late@mail.example', true)
      assert.deepEqual(await decide('confirm'), { isChanged: true })
      assert.deepEqual(await states(), [0])
      assert.ok(await prove())
      assert.deepEqual(await states(), [1])
    })
    test('counts no more once it is rejected', async () => {
      const { browser, path, prove, decide, states } = await registerFor('no@mail.example', true)
      assert.ok(await prove())
      assert.deepEqual(await decide('reject'), { isChanged: true })
      assert.deepEqual(await states(), [0], 'the request stays, for the organisers to decide')
      const { body } = await browser.get(path)
      assert.doesNotMatch(body, /Take the place/)
    })
  })

  test('rosters and their files mark guests and contain no contact data', async () => {
    const paul = await browserOf(world, PAUL)
    assert.match((await paul.get(`/events/${fair.id}/roster/`)).body, /Gus Gray <span class="badge[^>]*>guest</)
    const csv = (await paul.get(`/events/${fair.id}/roster.csv`)).body
    assert.match(csv, /Gus Gray \(guest\)/)
    assert.doesNotMatch(csv, /gus@mail/)
  })
})

describe('what guests see and register for', async () => {
  const world = await openWorld()
  const medic = await world.addQualification('Medic')
  const addType = async (title: string, show_participant_data = 0) => {
    const types = world.db.write.insertInto('event_type').values({ title, show_participant_data })
    return (await types.returning('id').executeTakeFirstOrThrow()).id
  }

  const peopleOn = async (eventId: number, email: string, shifts: number[]) => {
    const link = await linkOf(world, eventId)
    const { browser, path } = await register(world, link, { email, shifts: shifts.map(String) })
    return (await browser.get(path)).body
  }

  test('a guest reads how many take part, no names and no requests of others, whatever the event type shows', async () => {
    const shared = await addType('Open', 3)
    const fair = await world.addEvent({ title: 'Fair', type: shared, responsible: [PAUL], shifts: [SHIFT, LATER] })
    const [shift, chosen] = fair.shifts as [number, number]
    for (const name of ['Conny Confirmed', 'Comma, Kim'])
      await world.addParticipation({ who: await world.addPerson({ name }), shift, state: 1 })
    await world.addParticipation({ who: await world.addPerson({ name: 'Rita Request' }), shift, state: 0 })
    await world.addParticipation({ who: { placeholder: 'Some Body' }, shift, state: 1 })
    const body = await peopleOn(fair.id, 'reader@mail.example', [chosen])
    assert.doesNotMatch(body, /Conny|Confirmed<|Kim|Comma|Rita|Some Body/)
    assert.match(body, /Only members of this organisation can see the names of others/)
    await world.db.write.updateTable('event').set({ guests_see_names: true }).where('id', '=', fair.id).execute()
    const named = await peopleOn(fair.id, 'second@mail.example', [chosen])
    assert.match(named, />Conny</)
    assert.match(named, />Kim</)
    assert.doesNotMatch(named, /Conny Confirmed|Comma|Rita|Some Body|reader/)
  })

  test('nobody registers for nothing', async () => {
    const fair = await world.addEvent({
      title: 'Fair',
      responsible: [PAUL],
      shifts: [SHIFT, { ...LATER, configuration: { minimum_age: 18 } }],
    })
    const link = await linkOf(world, fair.id)
    const refused = async (form: Record<string, string | string[]>) => {
      const { response } = await register(world, link, { email: 'nobody@mail.example', ...form })
      assert.equal(response.statusCode, 422)
      return response.body
    }
    assert.match(await refused({ shifts: [] }), /Please choose at least one shift/)
    assert.match(await refused({ shifts: ['999999'] }), /Please choose at least one shift/)
    const young = { date_of_birth: '2020-01-01', shifts: [String(fair.shifts[1])] }
    assert.match(await refused(young), /You must be at least 18 years old/)
    const guests = world.db.read.selectFrom('guest').select('id').where('email', '=', 'nobody@mail.example')
    assert.equal(await guests.executeTakeFirst(), undefined)
  })

  test('a link without a shift that anybody can take has no form, and takes no registration', async () => {
    const fair = await world.addEvent({ title: 'Fair', responsible: [PAUL], shifts: [{ ...SHIFT, flow: 'manual' }] })
    const link = await linkOf(world, fair.id)
    const { body } = await stranger(world).get(link)
    checkMarkup(body)
    assert.doesNotMatch(body, /name="email"/)
    assert.match(body, /Nobody can sign up for these shifts right now/)
  })

  test('a shift that closes while somebody fills in the form takes no registration', async () => {
    const fair = await world.addEvent({ title: 'Fair', responsible: [PAUL], shifts: [SHIFT] })
    const link = await linkOf(world, fair.id)
    const browser = stranger(world)
    await browser.get(link)
    await world.db.write.updateTable('shift').set({ signup_flow_slug: 'manual' }).where('event_id', '=', fair.id).execute()
    const form = { ...FORM, email: 'none@mail.example', shifts: [String(fair.shifts[0])] }
    const { statusCode, body } = await browser.post(link, { form })
    assert.equal(statusCode, 422)
    assert.match(body, /Nobody can sign up for these shifts right now/)
  })

  test('the public page says what the event type requires, and refuses who does not declare it', async () => {
    const type = await addType('Rescue')
    await world.db.write
      .insertInto('event_type_required_qualification')
      .values({ event_type_id: type, qualification_id: medic.id })
      .execute()
    const drill = await world.addEvent({ title: 'Drill', type, responsible: [PAUL], shifts: [SHIFT] })
    const link = await linkOf(world, drill.id)
    assert.match((await stranger(world).get(link)).body, /Everybody who takes part needs: Medic/)
    const without = await register(world, link, { email: 'un@mail.example' })
    assert.equal(without.response.statusCode, 422)
    const declared = await register(world, link, { email: 'un@mail.example', qualifications: [String(medic.id)] })
    assert.equal(declared.response.statusCode, 303)
    assert.match((await declared.browser.get(declared.path)).body, /The organisers still have to confirm: Medic/)
  })
})

/** Resolves when another connection waits for a lock. */
async function waitUntilBlocked(world: World): Promise<void> {
  for (;;) {
    const { rows } =
      await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
        world.db.read,
      )
    if (rows.length) return
  }
}

describe('guests, without mails', async () => {
  const world = await openWorld({ rateLimit: 'on' })
  const fair = await world.addEvent({ title: 'Fair', responsible: [PAUL], shifts: [{ ...SHIFT, ...INSTANT }] })
  const link = await linkOf(world, fair.id)

  test('the screen shows the link, sign-ups are requests, and the planner passes links on', async () => {
    const { browser, path } = await register(world, link)
    assert.match((await browser.get(path)).body, /Your address is not confirmed, so the organisers decide/)
    const guest = await guestOf(world, FORM.email, fair.id)
    assert.deepEqual(await statesOf(world, guest.id), [[fair.shifts[0], 0]])
    world.now = new Date(world.now.getTime() + 3600_000)
    const again = await register(world, link, { name: 'Mallory' })
    assert.equal(again.path, link)
    assert.match((await again.browser.get(link)).body, /already registered/)
    assert.equal((await browser.get(path)).statusCode, 200, 'nobody loses the only link')
    const { body } = await (await browserOf(world, PAUL)).get(`/events/${fair.id}/guests/`)
    assert.match(body, new RegExp(path))
    assert.match(body, /address not confirmed/)
  })

  test('registrations are limited by network address', async () => {
    world.now = new Date(world.now.getTime() + 3600_000)
    const statuses: number[] = []
    for (let n = 0; n < 32; n++) statuses.push((await register(world, link, { email: `g${n}@mail.example` })).response.statusCode)
    assert.deepEqual(statuses, [...Array<number>(30).fill(303), 429, 429])
  })

  test('a link that an earlier version imported as a hash works, and opening it changes nothing', async () => {
    const { id } = await world.db.write
      .insertInto('guest')
      .values({
        event_id: fair.id,
        email: 'old@mail.example',
        display_name: 'Old Gus',
        date_of_birth: '1990-01-01',
        access_token_hash: hashSecret('of-ephios'),
        email_confirmed_at: world.now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    assert.match((await stranger(world).get('/guests/of-ephios/')).body, /You are here as Old Gus/)
    const row = await world.db.read
      .selectFrom('guest')
      .select('access_token_sealed')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    assert.equal(row.access_token_sealed, null)
  })
})
