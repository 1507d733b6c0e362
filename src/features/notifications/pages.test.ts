import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { moveOnBoard } from '#test/support/board.ts'
import { contextAs } from '#test/support/command-context.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { NotificationOutbox } from '#test/support/notification-outbox.ts'
import { ANN, BEN, HELPERS, OLGA, PAUL, type Person, VERA } from '#test/support/people.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { makeUnsubscribeToken } from './commands/mail-choices.ts'

const unchecked = true
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const plain = (text: string) => text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')

async function read(world: World, who: Person, path: string): Promise<string> {
  const { status, text } = await world.withSession(who).get(path, { unchecked })
  assert.equal(status, 200, path)
  assert.deepEqual(checkMarkup(text), [])
  return text
}
async function send(world: World, who: Person, path: string, fields: [string, string][]) {
  const session = await world.sessionCookie(who)
  const { headers, text } = await world.with({ cookie: session }).get('/', { unchecked })
  const device = headers['set-cookie']!.split(';')[0]!
  const token = /name="csrf_token" value="([^"]+)"/.exec(text)![1]!
  const body = new URLSearchParams([['csrf_token', token], ...fields]).toString()
  return world.with({ cookie: `${session}; ${device}`, ...form }).request('POST', path, { body, unchecked })
}

describe('the list of notifications', async () => {
  const world = await openWorld()
  const outbox = new NotificationOutbox(world)
  const { shifts, id } = await world.addEvent({ title: 'Harbour run', seenBy: [HELPERS], responsible: [PAUL], shifts: [{}] })
  await world.addParticipation({ who: ANN, shift: shifts[0]!, state: 0 })
  const move = (to: 0 | 1 | 3) =>
    moveOnBoard(contextAs(world, PAUL), { shiftId: shifts[0]!, who: { kind: 'local', id: ANN.id }, to })

  test('explains itself while it is empty', async () => {
    assert.match(await read(world, ANN, '/notifications/'), /No notifications yet/)
  })

  test('shows notifications, and the bell counts unread ones until they are marked as read', async () => {
    await move(1)
    await outbox.readJournal()
    const before = await read(world, ANN, '/notifications/')
    assert.match(before, /bell-count" aria-hidden="true">1</)
    assert.match(before, /You are confirmed: /)
    assert.match(before, new RegExp(`href="/events/${id}-harbour-run/"`))
    const upTo = /name="up_to" value="(\d+)"/.exec(before)![1]!
    assert.equal((await send(world, BEN, '/notifications/read/', [['up_to', upTo]])).status, 303)
    assert.match(await read(world, ANN, '/'), /bell-count/)
    assert.equal((await send(world, ANN, '/notifications/read/', [['up_to', upTo]])).status, 303)
    assert.doesNotMatch(await read(world, ANN, '/notifications/'), /bell-count|Mark all as read/)
  })

  test('marks obsolete notifications', async () => {
    await move(3)
    await outbox.readJournal()
    const text = await read(world, ANN, '/notifications/')
    assert.match(text, /outdated/)
    assert.match(text, /Your request was rejected/)
  })

  test('leaves out events that the user can no longer see', async () => {
    await world.db.write.updateTable('event').set({ deleted_at: world.now }).where('id', '=', id).execute()
    assert.doesNotMatch(await read(world, ANN, '/notifications/'), /Harbour run/)
  })
})

describe('mail settings', async () => {
  const world = await openWorld()
  const stored = async (person: Person) => {
    const row = await world.db.read.selectFrom('user_profile').selectAll().where('id', '=', person.id).executeTakeFirstOrThrow()
    return { disabled: row.disabled_notifications, enabled: row.enabled_notifications }
  }
  const reset = (disabled: unknown[] = []) =>
    world.db.write
      .updateTable('user_profile')
      .set({ disabled_notifications: JSON.stringify(disabled), enabled_notifications: '[]' })
      .execute()
  beforeEach(() => reset())

  test('start with everything but new events', async () => {
    const text = await read(world, ANN, '/settings/notifications/')
    const box = (kind: string) => new RegExp(`<input [^>]*value="${kind}"[^>]*>`).exec(text)![0]
    assert.match(box('participation_state'), /checked/)
    assert.doesNotMatch(box('event_published'), /checked/)
    assert.doesNotMatch(text, /value="event_message"/)
  })

  test('are stored, and keep unknown pairs', async () => {
    await reset([
      ['push', 'something_else'],
      ['ephios_backend_email', 'ephios_participation_state_changed'],
    ])
    assert.doesNotMatch(
      /<input [^>]*value="participation_state"[^>]*>/.exec(await read(world, ANN, '/settings/notifications/'))![0],
      /checked/,
    )
    const all = ['participation_times', 'shift_moved', 'event_called_off', 'event_published', 'participation_request']
    await send(
      world,
      ANN,
      '/settings/notifications/',
      [...all, 'event_message', 'nonsense'].map((kind) => ['kinds', kind]),
    )
    assert.deepEqual(await stored(ANN), {
      disabled: [
        ['push', 'something_else'],
        ['mail', 'participation_state'],
        ['mail', 'reminder'],
        ['mail', 'inquiry'],
        ['mail', 'place_offered'],
        ['mail', 'stand_in_wanted'],
        ['mail', 'stand_in_result'],
        ['mail', 'swap_proposed'],
        ['mail', 'swap_result'],
        ['mail', 'profile_changed'],
        ['mail', 'request_decided'],
        ['mail', 'qualification_received'],
        ['mail', 'qualification_expiring'],
        ['mail', 'participation_change'],
        ['mail', 'participation_decline'],
        ['mail', 'participation_given_up'],
        ['mail', 'place_lapsed'],
        ['mail', 'stand_in_report'],
        ['mail', 'swap_report'],
        ['mail', 'participation_own_times'],
        ['mail', 'programme_changed'],
        ['mail', 'request_created'],
        ['mail', 'weekly_shortages'],
        ['mail', 'webhook_off'],
      ],
      enabled: [['mail', 'event_published']],
    })
  })

  test('include how long before a shift a person is reminded', async () => {
    const storedHours = async () =>
      (await world.db.read.selectFrom('user_profile').select('reminder_hours').where('id', '=', ANN.id).executeTakeFirst())!
        .reminder_hours
    assert.match(await read(world, ANN, '/settings/notifications/'), /as usual here \(1 day before\)/)
    await send(world, ANN, '/settings/notifications/', [['reminder_hours', '48']])
    assert.equal(await storedHours(), 48)
    assert.match(await read(world, ANN, '/settings/notifications/'), /<option[^>]*value="48"[^>]*selected[^>]*>2 days before/)
    await send(world, ANN, '/settings/notifications/', [['reminder_hours', '']])
    assert.equal(await storedHours(), null)
  })

  const offPath = (token: string) => `/notifications/off/${token}/`
  const token = (person: Person, kind: 'reminder' | 'shift_moved' = 'reminder') =>
    makeUnsubscribeToken(world.app.site.keyring, { userId: person.id, kinds: [kind] })
  const oneClick = (path: string) => world.with(form).request('POST', path, { body: 'List-Unsubscribe=One-Click', unchecked })

  test('the link in a mail switches one kind off by POST, without a session; opening it changes nothing', async () => {
    const page = await world.nobody.get(offPath(token(ANN)), { unchecked })
    assert.equal(page.status, 200)
    assert.deepEqual(checkMarkup(page.text), [])
    assert.doesNotMatch(page.text, /ann@/)
    assert.deepEqual((await stored(ANN)).disabled, [])
    for (const _again of [1, 2]) assert.equal((await oneClick(offPath(token(ANN)))).status, 200)
    assert.deepEqual((await stored(ANN)).disabled, [['mail', 'reminder']])
    assert.deepEqual((await stored(BEN)).disabled, [])
  })

  const signature = (person: Person) => token(person).split('.')[2]!
  const FORGED: [what: string, token: () => string][] = [
    ['for another user', () => `${BEN.id}.reminder.${signature(ANN)}`],
    ['for another kind', () => `${ANN.id}.shift_moved.${signature(ANN)}`],
    ['with another signature', () => `${ANN.id}.reminder.${'A'.repeat(43)}`],
    ['without a signature', () => `${ANN.id}.reminder.`],
    ['for a kind that cannot be switched off', () => `${ANN.id}.event_message.${signature(ANN)}`],
    ['without the format of a token', () => 'x'],
  ]
  for (const [what, forged] of FORGED)
    test(`an unsubscribe link ${what} is refused`, async () => {
      assert.equal((await oneClick(offPath(forged()))).status, 404)
      assert.equal((await world.nobody.get(offPath(forged()), { unchecked })).status, 404)
      for (const person of [ANN, BEN]) assert.deepEqual((await stored(person)).disabled, [])
    })

  test('the settings form requires its CSRF token', async () => {
    const cookie = await world.sessionCookie(ANN)
    const answer = await world
      .with({ cookie, ...form })
      .request('POST', '/settings/notifications/', { body: 'kinds=reminder', unchecked })
    assert.equal(answer.status, 403)
  })
})

describe('messages to the people of an event', async () => {
  const world = await openWorld()
  const outbox = new NotificationOutbox(world)
  const inactive = await world.addPerson({ name: 'Ivo', isActive: false })
  const { id, shifts } = await world.addEvent({
    title: 'Harbour run',
    seenBy: [HELPERS, VERA],
    responsible: [PAUL],
    shifts: [{ label: 'North' }, { label: 'South', start: '2031-05-05T08:00:00+02:00' }],
  })
  const [north, south] = shifts as [number, number]
  await world.addParticipation({ who: ANN, shift: north, state: 1 })
  await world.addParticipation({ who: ANN, shift: south, state: 0 })
  await world.addParticipation({ who: inactive, shift: north, state: 1 })
  await world.addParticipation({ who: { placeholder: 'A neighbour' }, shift: north, state: 1 })
  await world.addParticipation({ who: { guest: { name: 'Gus' } }, shift: south, state: 1 })
  const path = `/events/${id}/message/`
  const text: [string, string][] = [
    ['subject', 'Bring a raincoat'],
    ['text', 'It will **rain**.\n\n<script>alert(1)</script>'],
  ]
  const to = (...names: string[]): [string, string][] => names.map((name) => ['to', name])
  beforeEach(() => outbox.clear())

  test('can be sent by responsibles only', async () => {
    for (const [who, status] of [
      [PAUL, 200],
      [OLGA, 200],
      [ANN, 403],
      [VERA, 403],
    ] as const)
      assert.equal((await world.withSession(who).get(path, { unchecked })).status, status, who.name)
    assert.equal((await send(world, ANN, path, [...text, ...to('confirmed'), ['doing', 'send']])).status, 403)
    assert.deepEqual(await outbox.rows(), [])
  })

  test('show how many people are in each group', async () => {
    const page = plain(await read(world, PAUL, path))
    assert.match(page, /4 confirmed/)
    assert.match(page, /1 requested/)
    assert.match(page, /3 have not answered yet/)
  })

  const RECIPIENTS: [what: string, fields: [string, string][], recipients: string[], unreachable: string[]][] = [
    ['confirmed', to('confirmed'), ['Ann', 'Gus'], ['A neighbour', 'Ivo']],
    ['confirmed in one shift', [...to('confirmed'), ['shift', String(south)]], ['Gus'], []],
    ['requested', to('requested'), ['Ann'], []],
    ['not answered', to('unanswered'), ['Ben', 'Vera'], ['Paul']],
    ['single people', [['people', `u${ANN.id}`]], ['Ann'], []],
    [
      'all groups, each person once',
      to('confirmed', 'requested', 'unanswered'),
      ['Ann', 'Ben', 'Gus', 'Vera'],
      ['A neighbour', 'Ivo', 'Paul'],
    ],
  ]
  for (const [what, fields, recipients, unreachable] of RECIPIENTS) {
    test(`go to: ${what}; the preview lists recipients and unreachable people`, async () => {
      const answer = await send(world, PAUL, path, [...text, ...fields, ['doing', 'preview']])
      assert.equal(answer.status, 200)
      assert.deepEqual(checkMarkup(answer.text), [])
      const names = (list: string) => [...list.matchAll(/<li>([^<]+?) ?</g)].map(([, name]) => name!)
      const [first, second] = [...answer.text.matchAll(/<ul class="name-list"[^>]*>(.*?)<\/ul>/gs)].map(([, list]) => list!)
      assert.deepEqual([names(first!), names(second ?? '')], [recipients, unreachable])
      assert.deepEqual(await outbox.rows(), [])
      const sent = await send(world, PAUL, path, [...text, ...fields, ['doing', 'send']])
      assert.equal(sent.status, 303)
      const mails = await outbox.deliver()
      assert.equal(mails.length, recipients.length)
      assert.ok(mails.every(({ subject, replyTo }) => subject === 'Bring a raincoat' && replyTo === PAUL.email))
      assert.ok(mails.every(({ headers }) => !headers?.['List-Unsubscribe']))
    })
  }

  for (const fields of [[], [['shift', String(north)]]] as [string, string][][])
    test(`are previewed with all that is sent${fields.length ? ', for one shift' : ''}`, async () => {
      const chosen: [string, string][] = [...text, ...to('confirmed'), ...fields]
      const { text: page } = await send(world, PAUL, path, [...chosen, ['doing', 'preview']])
      const shown = plain(/<div class="message-preview">.*?email because.*?<\/p>/s.exec(page)![0])
      await send(world, PAUL, path, [...chosen, ['doing', 'send']])
      const mail = (await outbox.deliver()).find(({ to }) => to === ANN.email)!
      const lines = mail.text
        .split('\n-- \n')[0]!
        .split('\n')
        .map((line) => line.trim().replace(/:$/, ''))
        .filter((line) => line && !/rain|script|^https/.test(line))
      assert.ok(lines.length >= 5, mail.text)
      for (const line of lines) assert.ok(shown.includes(line), `${line} is not in: ${shown}`)
      assert.ok(mail.text.includes('You get this email because') && shown.includes('You get this email because'))
    })

  test('are sanitised Markdown with a link that the recipient can open', async () => {
    await send(world, PAUL, path, [...text, ...to('confirmed'), ['doing', 'send']])
    const mails = await outbox.deliver()
    const [ann, gus] = [ANN.email, 'Gus@guest.example'].map((email) => mails.find((mail) => mail.to === email)!)
    assert.match(ann!.html!, /<strong>rain<\/strong>/)
    assert.doesNotMatch(ann!.html!, /<script>/)
    assert.match(ann!.text, /https:\/\/a\.example\/events\/\d+-harbour-run\//)
    assert.doesNotMatch(gus!.text, /\/events\//)
    assert.doesNotMatch(JSON.stringify(gus), /Ann/)
  })

  test('leave a journal entry with the number of recipients and without the text', async () => {
    await send(world, PAUL, path, [...text, ...to('confirmed'), ['doing', 'send']])
    const entry = await world.db.read
      .selectFrom('journal')
      .selectAll()
      .where('kind', '=', 'event.message_sent')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    assert.deepEqual([entry.actor_id, entry.event_id, (entry.changes as { recipients: number }).recipients], [PAUL.id, id, 2])
    assert.doesNotMatch(JSON.stringify(entry), /rain/)
    await outbox.deliver()
    assert.match(plain(await read(world, PAUL, path)), /2 of 2 sent/)
  })

  const REFUSED: [what: string, fields: [string, string][], error: RegExp][] = [
    ['no text', [...to('confirmed'), ['subject', 'x'], ['text', '  ']], /Please enter a message/],
    ['no subject', [...to('confirmed'), ['subject', ''], ['text', 'typed text']], /Please enter a subject/],
    ['no recipients', [...text], /This selection has no recipients/],
    ['only unreachable people', [...text, ['people', `u${inactive.id}`]], /This selection has no recipients/],
    ['a person of another event', [...text, ['people', `u${OLGA.id}`]], /This selection has no recipients/],
  ]
  for (const [what, fields, error] of REFUSED)
    test(`with ${what} are refused, and the form keeps its values`, async () => {
      for (const doing of ['preview', 'send']) {
        const answer = await send(world, PAUL, path, [...fields, ['doing', doing]])
        assert.equal(answer.status, 422)
        assert.match(answer.text, error)
        if (what === 'no subject') assert.match(answer.text, /typed text/)
      }
      assert.deepEqual(await outbox.rows(), [])
    })

  test('can be edited after the preview', async () => {
    const answer = await send(world, PAUL, path, [...text, ...to('requested'), ['doing', 'edit']])
    assert.match(answer.text, /It will \*\*rain\*\*/)
    assert.match(answer.text, /<input [^>]*checked[^>]*value="requested"|<input [^>]*value="requested"[^>]*checked/)
  })
})
