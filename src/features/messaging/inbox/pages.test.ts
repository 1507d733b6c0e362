import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { TOPICS } from '#features/messaging/notification-kinds/rules/kinds.ts'
import { makeUnsubscribeToken } from '#features/messaging/notifications/queries/unsubscribe-tokens.ts'
import { moveOnBoard } from '#test/support/board.ts'
import { contextAs } from '#test/support/command-context.ts'
import { formsIn } from '#test/support/forms.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { NotificationOutbox } from '#test/support/notification-outbox.ts'
import { ANN, BEN, HELPERS, OLGA, PAUL, type Person } from '#test/support/people.ts'
import { openWorld, type World } from '#test/support/world.ts'

const unchecked = true
const form = { 'content-type': 'application/x-www-form-urlencoded' }

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

  test('no message came by email from a server that sends none', async () => {
    await world.db.write.updateTable('notification').set({ mail: 'sent' }).where('user_id', '=', ANN.id).execute()
    const settings = await read(world, ANN, '/settings/notifications/')
    assert.match(settings, /This server sends no emails\..*Your last (message is|\d messages: \d) on this site only\./s)
  })
})

describe('mail settings', async () => {
  const world = await openWorld({ hasMail: true })
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
    assert.match(box('shifts'), /checked/)
    assert.doesNotMatch(box('news'), /checked/)
    assert.doesNotMatch(text, /value="event_message"/)
  })

  test('show the group about planning to people who plan', async () => {
    const topics = async (person: Person) =>
      [...(await read(world, person, '/settings/notifications/')).matchAll(/name="topics" value="(\w+)"/g)].map(
        ([, name]) => name,
      )
    assert.deepEqual(await topics(ANN), ['shifts', 'asked', 'news', 'account'])
    assert.deepEqual(await topics(OLGA), ['shifts', 'asked', 'news', 'account', 'planning'])
    const planner = await world.addPerson({ name: 'Pia Planner' })
    assert.equal((await topics(planner)).length, 4)
    await world.addEvent({ title: 'Hers', responsible: [planner], shifts: [{}] })
    assert.equal((await topics(planner)).length, 5)
  })

  test('show the kind about webhooks to people who have one, and keep its choice for others', async () => {
    const path = '/settings/notifications/'
    await reset([['mail', 'webhook_off']])
    assert.doesNotMatch(await read(world, ANN, path), /webhook_off/)
    const isOff = async () => ((await stored(ANN)).disabled as [string, string][]).some(([, kind]) => kind === 'webhook_off')
    await send(world, ANN, path, [
      ['shown_topics', 'account'],
      ['topics', 'account'],
    ])
    assert.equal(await isOff(), true)
    const webhook = { owner_id: ANN.id, url: 'https://hooks.example/', kinds: ['event'], scopes: ['PUBLIC_READ'] }
    const { id } = await world.db.write
      .insertInto('webhook')
      .values({ ...webhook, name: 'Roster', description: '', active: true, secret_sealed: 'x', created_at: world.now })
      .returning('id')
      .executeTakeFirstOrThrow()
    assert.match(await read(world, ANN, path), /webhook_off/)
    await send(world, ANN, path, [
      ['shown_topics', 'account'],
      ['topics', 'account'],
    ])
    assert.equal(await isOff(), false)
    await world.db.write.deleteFrom('webhook').where('id', '=', id).execute()
  })

  test('one switch is about all kinds of its group, and leaves the other groups alone', async () => {
    const path = '/settings/notifications/'
    const shown = ['shifts', 'asked', 'news', 'account'].map((topic) => ['shown_topics', topic] as [string, string])
    await reset([['mail', 'participation_request']])
    await send(world, ANN, path, [...shown, ['former_topics', 'shifts'], ['topics', 'news']])
    const off = (await stored(ANN)).disabled as [string, string][]
    assert.ok(off.some(([, kind]) => kind === 'reminder') && off.some(([, kind]) => kind === 'inquiry'))
    assert.ok(
      off.some(([, kind]) => kind === 'participation_request'),
      'planning stays as it was',
    )
    assert.ok(!off.some(([, kind]) => kind === 'participation_change'), 'planning stays as it was')
    assert.deepEqual((await stored(ANN)).enabled, [['mail', 'event_published']])
    await send(world, ANN, path, [...shown, ['former_topics', 'news'], ['topics', 'shifts'], ['topics', 'asked']])
    const { disabled, enabled } = await stored(ANN)
    assert.ok(!(disabled as [string, string][]).some(([, kind]) => kind === 'reminder' || kind === 'inquiry'))
    assert.deepEqual(enabled, [])
  })

  const PAIRS: [channel: 'mail' | 'push', kind: string][] = (['mail', 'push'] as const).flatMap((channel) =>
    ['reminder', 'inquiry', 'participation_request'].map((kind): ['mail' | 'push', string] => [channel, kind]),
  )
  for (const hasPush of [false, true])
    for (const enabled of [[], [['mail', 'event_published']], [['push', 'event_published']]])
      test(`stay as they are when the page is saved unchanged, ${hasPush ? 'with' : 'without'} push, with ${JSON.stringify(enabled)}`, async (t) => {
        const path = '/settings/notifications/'
        if (hasPush) {
          const device = {
            device_hash: Buffer.from('d'),
            endpoint: 'https://push.example/1',
            p256dh: 'p',
            auth: 'a',
            user_agent: '',
          }
          await world.db.write
            .insertInto('push_device')
            .values({ ...device, user_id: ANN.id, created_at: world.now })
            .execute()
          t.after(() => world.db.write.deleteFrom('push_device').execute())
        }
        const sorted = (pairs: unknown) => (pairs as unknown[]).map(String).toSorted()
        for (const disabled of [[], ...PAIRS.map((pair) => [pair]), PAIRS]) {
          await world.db.write
            .updateTable('user_profile')
            .set({ disabled_notifications: JSON.stringify(disabled), enabled_notifications: JSON.stringify(enabled) })
            .execute()
          const form = formsIn(await read(world, ANN, path), path).find(({ action }) => action === path)!
          await send(
            world,
            ANN,
            path,
            form.filled.filter(([name]) => name !== 'csrf_token'),
          )
          const after = await stored(ANN)
          assert.deepEqual([sorted(after.disabled), sorted(after.enabled)], [sorted(disabled), sorted(enabled)])
        }
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
    await send(world, ANN, '/settings/notifications/', [
      ...TOPICS.flatMap((topic): [string, string][] => ['shown_topics', 'former_topics', 'topics'].map((name) => [name, topic])),
      ...[...all, 'event_message', 'nonsense'].map((kind): [string, string] => ['kinds', kind]),
    ])
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
      ],
      enabled: [['mail', 'event_published']],
    })
  })

  test('include how long before a shift a person is reminded', async () => {
    const storedHours = async () =>
      (await world.db.read.selectFrom('user_profile').select('reminder_hours').where('id', '=', ANN.id).executeTakeFirst())!
        .reminder_hours
    assert.match(await read(world, ANN, '/settings/notifications/'), /default \(1 day before\)/)
    await send(world, ANN, '/settings/notifications/', [['reminder_hours', '48']])
    assert.equal(await storedHours(), 48)
    assert.match(await read(world, ANN, '/settings/notifications/'), /<option[^>]*value="48"[^>]*selected[^>]*>2 days before/)
    await send(world, ANN, '/settings/notifications/', [['reminder_hours', '']])
    assert.equal(await storedHours(), null)
  })

  test('include quiet hours; the same time twice means none', async () => {
    const stored = async () =>
      (await world.db.read.selectFrom('user_profile').select('quiet_hours').where('id', '=', ANN.id).executeTakeFirst())!
        .quiet_hours
    const path = '/settings/notifications/'
    const shown = async () =>
      [...(await read(world, ANN, path)).matchAll(/<input[^>]*name="quiet_(?:from|to)"[^>]*>/g)].map(
        ([field]) => /value="([^"]*)"/.exec(field)?.[1] ?? '',
      )
    assert.deepEqual(await shown(), ['', '07:00'])
    const save = (from: string, to: string) =>
      send(world, ANN, path, [
        ['quiet_from', from],
        ['quiet_to', to],
      ])
    await save('21:00', '08:00')
    assert.equal(await stored(), '21:00-08:00')
    assert.deepEqual(await shown(), ['21:00', '08:00'])
    await save('23:30', '')
    assert.equal(await stored(), '23:30-07:00')
    await save('21:00', '08:00')
    assert.equal((await save('25:00', '08:00')).status, 422)
    assert.equal(await stored(), '21:00-08:00')
    for (const [from, to] of [
      ['', '08:00'],
      ['08:00', '08:00'],
    ] as const) {
      await save('21:00', '08:00')
      await save(from, to)
      assert.equal(await stored(), null)
    }
  })

  test('say by which way the last five messages came', async () => {
    const said = async () => /((?:Your last|No message)[^<]*)<\/p>/.exec(await read(world, OLGA, '/settings/notifications/'))?.[1]
    const add = (mail: string, push: string, more: { about_id?: number; source?: string; user_id?: number } = {}) =>
      world.db.write
        .insertInto('notification')
        .values({
          user_id: OLGA.id,
          kind: 'reminder',
          source: `test ${mail} ${push} ${Math.random()}`,
          bundle: 'test',
          created_at: world.now,
          next_attempt_at: world.now,
          mail,
          push,
          ...more,
        })
        .execute()
    await world.db.write.deleteFrom('notification').execute()
    assert.equal(await said(), 'No message has been sent to you yet.')
    await add('waiting', 'none')
    await add('sent', 'waiting')
    assert.equal(await said(), 'No message has been sent to you yet.')
    await add('sent', 'none')
    assert.equal(await said(), 'Your last message came by email.')
    const speak = (language: string) =>
      world.db.write.updateTable('user_profile').set({ preferred_language: language }).where('id', '=', OLGA.id).execute()
    await speak('de')
    assert.match(await read(world, OLGA, '/settings/notifications/'), /Deine letzte Nachricht kam per E-Mail\./)
    await speak('en')
    await add('skipped', 'sent')
    await add('sent', 'sent')
    await add('failed', 'failed')
    assert.equal(await said(), 'Your last 4 messages: 1 by push, 1 by email, 1 by push and email, 1 on this site only.')
    // The mail about a child goes to the guardian.
    await world.db.write.insertInto('guardianship').values({ guardian_id: OLGA.id, child_id: BEN.id, since: world.now }).execute()
    await add('sent', 'none', { user_id: BEN.id, source: 'child' })
    await add('skipped', 'none', { about_id: BEN.id, source: `child for ${BEN.id}` })
    await add('skipped', 'sent')
    assert.equal(await said(), 'Your last 5 messages: 2 by push, 1 by email, 1 by push and email, 1 on this site only.')
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
