import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { moveParticipation } from '#features/disposition/commands/disposition.ts'
import { contextAs } from '#test/support/command-context.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { ANN, BEN, HELPERS, OLGA, PAUL, type Person, VERA } from '#test/support/people.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { switchOffToken } from './commands/switch-off.ts'
import { Post } from './post.test.ts'

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

describe('the list of news', async () => {
  const world = await openWorld()
  const post = new Post(world)
  const { shifts, id } = await world.hasEvent({ title: 'Harbour run', seenBy: [HELPERS], responsible: [PAUL], shifts: [{}] })
  await world.hasParticipation({ who: ANN, shift: shifts[0]!, state: 0 })
  const move = (to: 0 | 1 | 3) =>
    moveParticipation(contextAs(world, PAUL), { shiftId: shifts[0]!, who: { kind: 'local', id: ANN.id }, to })

  test('begins with what will be there', async () => {
    assert.match(await read(world, ANN, '/notifications/'), /Nothing has happened yet/)
  })

  test('shows what happened, with a bell that counts what is new, until it is marked as read', async () => {
    await move(1)
    await post.read()
    const before = await read(world, ANN, '/notifications/')
    assert.match(before, /bell-count" aria-hidden="true">1</)
    assert.match(before, /You are confirmed and expected/)
    assert.match(before, new RegExp(`href="/events/${id}-harbour-run/"`))
    const upTo = /name="up_to" value="(\d+)"/.exec(before)![1]!
    assert.equal((await send(world, BEN, '/notifications/read/', [['up_to', upTo]])).status, 303)
    assert.match(await read(world, ANN, '/'), /bell-count/)
    assert.equal((await send(world, ANN, '/notifications/read/', [['up_to', upTo]])).status, 303)
    assert.doesNotMatch(await read(world, ANN, '/notifications/'), /bell-count|Mark all as read/)
  })

  test('greys what is no longer true', async () => {
    await move(3)
    await post.read()
    const text = await read(world, ANN, '/notifications/')
    assert.match(text, /no longer current/)
    assert.match(text, /You cannot take part this time/)
  })

  test('says nothing any more of what somebody may not see any more', async () => {
    await world.db.write.updateTable('event').set({ deleted_at: world.now }).where('id', '=', id).execute()
    assert.doesNotMatch(await read(world, ANN, '/notifications/'), /Harbour run/)
  })
})

describe('choosing what comes by mail', async () => {
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

  test('begins with everything but new events', async () => {
    const text = await read(world, ANN, '/settings/notifications/')
    const box = (kind: string) => new RegExp(`<input [^>]*value="${kind}"[^>]*>`).exec(text)![0]
    assert.match(box('participation_state'), /checked/)
    assert.doesNotMatch(box('event_published'), /checked/)
    assert.doesNotMatch(text, /value="event_message"/)
  })

  test('is kept, and leaves alone what it does not know', async () => {
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
        ['mail', 'participation_change'],
        ['mail', 'participation_decline'],
        ['mail', 'participation_own_times'],
      ],
      enabled: [['mail', 'event_published']],
    })
  })

  const offPath = (token: string) => `/notifications/off/${token}/`
  const token = (person: Person, kind: 'reminder' | 'shift_moved' = 'reminder') =>
    switchOffToken(world.app.site.keyring, { userId: person.id, kind })
  const oneClick = (path: string) => world.with(form).request('POST', path, { body: 'List-Unsubscribe=One-Click', unchecked })

  test('a link in a mail switches one kind off, without signing in, and opening it changes nothing', async () => {
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
    ['for somebody else', () => `${BEN.id}.reminder.${signature(ANN)}`],
    ['for another kind', () => `${ANN.id}.shift_moved.${signature(ANN)}`],
    ['with another signature', () => `${ANN.id}.reminder.${'A'.repeat(43)}`],
    ['without one', () => `${ANN.id}.reminder.`],
    ['for what cannot be switched off', () => `${ANN.id}.event_message.${signature(ANN)}`],
    ['of nonsense', () => 'x'],
  ]
  for (const [what, forged] of FORGED)
    test(`a link ${what} is refused`, async () => {
      assert.equal((await oneClick(offPath(forged()))).status, 404)
      assert.equal((await world.nobody.get(offPath(forged()), { unchecked })).status, 404)
      for (const person of [ANN, BEN]) assert.deepEqual((await stored(person)).disabled, [])
    })

  test('no other page takes a form without its token', async () => {
    const cookie = await world.sessionCookie(ANN)
    const answer = await world
      .with({ cookie, ...form })
      .request('POST', '/settings/notifications/', { body: 'kinds=reminder', unchecked })
    assert.equal(answer.status, 403)
  })
})

describe('messages to the people of an event', async () => {
  const world = await openWorld()
  const post = new Post(world)
  const inactive = await world.hasPerson({ name: 'Ivo', isActive: false })
  const { id, shifts } = await world.hasEvent({
    title: 'Harbour run',
    seenBy: [HELPERS, VERA],
    responsible: [PAUL],
    shifts: [{ label: 'North' }, { label: 'South', start: '2031-05-05T08:00:00+02:00' }],
  })
  const [north, south] = shifts as [number, number]
  await world.hasParticipation({ who: ANN, shift: north, state: 1 })
  await world.hasParticipation({ who: ANN, shift: south, state: 0 })
  await world.hasParticipation({ who: inactive, shift: north, state: 1 })
  await world.hasParticipation({ who: { placeholder: 'A neighbour' }, shift: north, state: 1 })
  await world.hasParticipation({ who: { guest: { name: 'Gus' } }, shift: south, state: 1 })
  const path = `/events/${id}/message/`
  const text: [string, string][] = [
    ['subject', 'Bring a raincoat'],
    ['text', 'It will **rain**.\n\n<script>alert(1)</script>'],
  ]
  const to = (...names: string[]): [string, string][] => names.map((name) => ['to', name])
  beforeEach(() => post.empty())

  test('are for responsibles', async () => {
    for (const [who, status] of [
      [PAUL, 200],
      [OLGA, 200],
      [ANN, 404],
      [VERA, 404],
    ] as const)
      assert.equal((await world.withSession(who).get(path, { unchecked })).status, status, who.name)
    assert.equal((await send(world, ANN, path, [...text, ...to('confirmed'), ['doing', 'send']])).status, 404)
    assert.deepEqual(await post.rows(), [])
  })

  test('name how many there are', async () => {
    const page = plain(await read(world, PAUL, path))
    assert.match(page, /4 confirmed/)
    assert.match(page, /1 asked, not decided yet/)
    assert.match(page, /3 have not answered yet/)
  })

  const WHO: [what: string, fields: [string, string][], readers: string[], without: string[]][] = [
    ['confirmed', to('confirmed'), ['Ann', 'Gus'], ['A neighbour', 'Ivo']],
    ['confirmed in one shift', [...to('confirmed'), ['shift', String(south)]], ['Gus'], []],
    ['asked', to('requested'), ['Ann'], []],
    ['not answered', to('unanswered'), ['Ben', 'Vera'], ['Paul']],
    ['single people', [['people', `u${ANN.id}`]], ['Ann'], []],
    [
      'everybody, once',
      to('confirmed', 'requested', 'unanswered'),
      ['Ann', 'Ben', 'Gus', 'Vera'],
      ['A neighbour', 'Ivo', 'Paul'],
    ],
  ]
  for (const [what, fields, readers, without] of WHO) {
    test(`go to: ${what}; the preview says to whom, and who gets none`, async () => {
      const answer = await send(world, PAUL, path, [...text, ...fields, ['doing', 'preview']])
      assert.equal(answer.status, 200)
      assert.deepEqual(checkMarkup(answer.text), [])
      const names = (list: string) => [...list.matchAll(/<li>([^<]+?) ?</g)].map(([, name]) => name!)
      const [first, second] = [...answer.text.matchAll(/<ul class="name-list"[^>]*>(.*?)<\/ul>/gs)].map(([, list]) => list!)
      assert.deepEqual([names(first!), names(second ?? '')], [readers, without])
      assert.deepEqual(await post.rows(), [])
      const sent = await send(world, PAUL, path, [...text, ...fields, ['doing', 'send']])
      assert.equal(sent.status, 303)
      const mails = await post.deliver()
      assert.equal(mails.length, readers.length)
      assert.ok(mails.every(({ subject, replyTo }) => subject === 'Bring a raincoat' && replyTo === PAUL.email))
      assert.ok(mails.every(({ headers }) => !headers?.['List-Unsubscribe']))
    })
  }

  test('are Markdown, made harmless, with a link that the reader can open', async () => {
    await send(world, PAUL, path, [...text, ...to('confirmed'), ['doing', 'send']])
    const mails = await post.deliver()
    const [ann, gus] = [ANN.email, 'Gus@guest.example'].map((email) => mails.find((mail) => mail.to === email)!)
    assert.match(ann!.html!, /<strong>rain<\/strong>/)
    assert.doesNotMatch(ann!.html!, /<script>/)
    assert.match(ann!.text, /https:\/\/a\.example\/events\/\d+-harbour-run\//)
    assert.doesNotMatch(gus!.text, /\/events\//)
    assert.doesNotMatch(JSON.stringify(gus), /Ann/)
  })

  test('leave an entry that says how many, and not what', async () => {
    await send(world, PAUL, path, [...text, ...to('confirmed'), ['doing', 'send']])
    const entry = await world.db.read
      .selectFrom('journal')
      .selectAll()
      .where('kind', '=', 'event.message_sent')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    assert.deepEqual([entry.actor_id, entry.event_id, (entry.changes as { recipients: number }).recipients], [PAUL.id, id, 2])
    assert.doesNotMatch(JSON.stringify(entry), /rain/)
    await post.deliver()
    assert.match(plain(await read(world, PAUL, path)), /2 of 2 sent/)
  })

  const REFUSED: [what: string, fields: [string, string][], says: RegExp][] = [
    ['no text', [...to('confirmed'), ['subject', 'x'], ['text', '  ']], /Please write a text/],
    ['no subject', [...to('confirmed'), ['subject', ''], ['text', 'kept what was typed']], /Please write a subject/],
    ['nobody', [...text], /Nobody would get this mail/],
    ['only people without mail', [...text, ['people', `u${inactive.id}`]], /Nobody would get this mail/],
    ['somebody of another event', [...text, ['people', `u${OLGA.id}`]], /Nobody would get this mail/],
  ]
  for (const [what, fields, says] of REFUSED)
    test(`with ${what} are refused, and what was typed stays`, async () => {
      for (const doing of ['preview', 'send']) {
        const answer = await send(world, PAUL, path, [...fields, ['doing', doing]])
        assert.equal(answer.status, 422)
        assert.match(answer.text, says)
        if (what === 'no subject') assert.match(answer.text, /kept what was typed/)
      }
      assert.deepEqual(await post.rows(), [])
    })

  test('can be changed after the preview', async () => {
    const answer = await send(world, PAUL, path, [...text, ...to('requested'), ['doing', 'edit']])
    assert.match(answer.text, /It will \*\*rain\*\*/)
    assert.match(answer.text, /<input [^>]*checked[^>]*value="requested"|<input [^>]*value="requested"[^>]*checked/)
  })
})
