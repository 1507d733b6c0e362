import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { transact } from '#platform/db/transaction.ts'
import { addEvent } from '#test/support/fixtures.ts'
import type { BrowserResponse } from '#test/support/http-browser.ts'
import { NotificationOutbox } from '#test/support/notification-outbox.ts'
import { ANN, BEN, HELPERS, OLGA, type Person } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openReceiver, status } from '#test/support/webhook-receiver.ts'
import { addWebhook, LOOPBACK, openDispatcher } from '#test/support/webhooks.ts'
import { NOW, openWorld } from '#test/support/world.ts'

const OWN = '/settings/webhooks/'
const ALL = '/manage/webhooks/'
const world = await openWorld(LOOPBACK)
const receiver = await openReceiver()
const dispatcher = openDispatcher(world)
/** Short names for what the tests look at. */
async function visit(person: Person) {
  const browser = await browserOf(world, person)
  const short = ({ statusCode, headers, body }: BrowserResponse) => ({ status: statusCode, headers, text: body })
  return {
    get: async (path: string) => short(await browser.get(path)),
    post: async (path: string, form: Record<string, string | string[]>) => short(await browser.post(path, { form })),
  }
}
const [ann, ben, olga] = await Promise.all([visit(ANN), visit(BEN), visit(OLGA)])
const publish = () => transact(world.db.write, (tx) => addEvent(tx, { seenBy: [HELPERS] }, NOW))
const FORM = {
  name: 'Roster',
  url: 'https://roster.example.org/hook',
  kinds: ['event', 'shift'],
  scopes: ['PUBLIC_READ'],
  description: '',
}
const kindsOf = async (id: number) =>
  (
    await world.db.read
      .selectFrom('journal')
      .select('kind')
      .where('subject_kind', '=', 'webhook')
      .where('subject_id', '=', id)
      .orderBy('id')
      .execute()
  ).map(({ kind }) => kind)
const webhookOf = (id: number) => world.db.read.selectFrom('webhook').selectAll().where('id', '=', id).executeTakeFirst()

let paths = 0
async function add() {
  await world.db.write.deleteFrom('webhook').execute()
  const path = `/hook-${++paths}`
  const { id } = await addWebhook(world, ANN, { url: receiver.url(path) })
  return { id, path, page: `${OWN}${id}/` }
}

describe('the pages of the owner', () => {
  test('say that there are none, and add one whose secret is shown once', async () => {
    assert.match((await ann.get(OWN)).text, /You have no webhooks yet/)
    const made = await ann.post(`${OWN}new/`, FORM)
    assert.equal(made.status, 200)
    assert.match(made.text, /whsec_[A-Za-z0-9+/]{43}=/)
    assert.equal(made.headers['cache-control'], 'no-store')
    const [webhook] = await world.db.read.selectFrom('webhook').select('id').execute()
    assert.match((await ann.get(OWN)).text, /Roster/)
    assert.doesNotMatch((await ann.get(`${OWN}${webhook!.id}/`)).text, /whsec_/)
    assert.deepEqual(await kindsOf(webhook!.id), ['webhook.created'])
  })

  test('name all mistakes at their fields', async () => {
    const { status: code, text } = await ann.post(`${OWN}new/`, { name: ' ', url: 'http://roster.example.org/', description: '' })
    assert.equal(code, 422)
    for (const words of ['Enter a name.', 'must start with https://', 'Choose at least one kind.', 'Choose at least one.'])
      assert.ok(text.includes(words), words)
  })

  test('change it', async () => {
    const { id, page } = await add()
    assert.match((await ann.get(`${page}edit/`)).text, /value="Roster"/)
    const saved = await ann.post(`${page}edit/`, { ...FORM, name: 'Other', kinds: ['event'] })
    assert.deepEqual([saved.status, saved.headers.location], [303, page])
    const { name, kinds, active } = (await webhookOf(id))!
    assert.deepEqual([name, kinds, active], ['Other', ['event'], true])
    assert.match((await ann.get(page)).text, /The change, without the record/)
    await ann.post(`${page}edit/`, { ...FORM, include_record: 'on' })
    assert.equal((await webhookOf(id))!.include_record, true)
    assert.match((await ann.get(page)).text, /The change with its record/)
    assert.match((await ann.get(`${page}edit/`)).text, /name="include_record"[^>]* checked/)
  })

  test('name the scope without which nothing is sent about a kind', async () => {
    const { id, page } = await add()
    const { status: code, text } = await ann.post(`${OWN}new/`, { ...FORM, kinds: ['event', 'availability', 'companions'] })
    assert.equal(code, 422)
    assert.match(text, /Nothing is ever sent about Own availability and People you bring without ME_READ/)
    assert.doesNotMatch((await ann.get(page)).text, /Nothing is sent about/)
    await world.db.write
      .updateTable('webhook')
      .set({ kinds: ['event', 'user'] })
      .where('id', '=', id)
      .execute()
    const shown = (await ann.get(page)).text
    assert.match(shown, /Nothing is sent about People: the webhook needs the scope ME_READ \/ CONFIDENTIAL_READ for that/)
  })

  test('pause and resume it', async () => {
    const { id, page } = await add()
    await ann.post(`${page}pause/`, {})
    assert.match((await ann.get(page)).text, /Paused since/)
    await ann.post(`${page}resume/`, {})
    assert.equal((await webhookOf(id))!.active, true)
    assert.deepEqual(await kindsOf(id), ['webhook.created', 'webhook.paused', 'webhook.resumed'])
  })

  test('make a new secret with the chosen overlap', async () => {
    const { id, page } = await add()
    assert.equal((await ann.post(`${page}rotate/`, { overlap_hours: '169' })).status, 422)
    assert.match((await ann.post(`${page}rotate/`, { overlap_hours: '2' })).text, /whsec_/)
    assert.deepEqual((await webhookOf(id))!.old_secret_until, new Date(NOW.getTime() + 2 * 3600_000))
    assert.match((await ann.get(page)).text, /signed with the old secret, too/)
  })

  test('send a test and show in plain words what came of it', async () => {
    const { page, path } = await add()
    receiver.answer(path, status(302, { location: '/' }))
    await ann.post(`${page}test/`, {})
    assert.match((await ann.get(page)).text, /Waiting/)
    await dispatcher.runUntilIdle()
    const { text } = await ann.get(page)
    for (const words of ['Failed', 'Answer 302', 'a redirect, which is not followed', '1 attempt'])
      assert.ok(text.includes(words), words)
  })

  test('show a failing receiver, and send a delivery again', async () => {
    const { id, page, path } = await add()
    receiver.answer(path, status(500))
    const event = await publish()
    await dispatcher.runUntilIdle()
    const failing = (await ann.get(page)).text
    for (const words of [`Event ${event.id}: new`, 'Waiting', 'All attempts to send a message have failed since'])
      assert.ok(failing.includes(words), words)
    receiver.answer(path, status(204))
    const [delivery] = await world.db.read.selectFrom('webhook_delivery').select('id').where('webhook_id', '=', id).execute()
    assert.equal((await ann.post(`${page}deliveries/${delivery!.id}/resend/`, {})).status, 303)
    await dispatcher.runUntilIdle()
    assert.match((await ann.get(page)).text, /Delivered/)
    assert.deepEqual((await kindsOf(id)).at(-1), 'webhook.resent')
  })

  test('say why it was switched off, and the owner gets a notification and a mail', async () => {
    const outbox = new NotificationOutbox(world)
    const { page, path } = await add()
    receiver.answer(path, status(410))
    await publish()
    await dispatcher.runUntilIdle()
    assert.match((await ann.get(page)).text, /does not exist any longer \(410\)/)
    await outbox.deliver()
    const about = outbox.sent.filter(({ subject }) => subject.includes('was switched off'))
    assert.deepEqual(
      about.map(({ to, subject }) => [to, subject]),
      [[ANN.email, 'Your webhook “Roster” was switched off']],
    )
    assert.match((await ann.get('/notifications/')).text, /The receiver of your webhook “Roster” answered/)
  })

  test('ask before it is deleted', async () => {
    const { id, page } = await add()
    assert.match((await ann.get(`${page}delete/`)).text, /This cannot be undone/)
    assert.equal((await ann.post(`${page}delete/`, {})).headers.location, OWN)
    assert.equal(await webhookOf(id), undefined)
  })

  test('do not exist for others, not even for administrators', async () => {
    const { id, page } = await add()
    for (const browser of [ben, olga]) {
      for (const what of ['', 'edit/', 'rotate/', 'delete/'])
        assert.equal((await browser.get(`${page}${what}`)).status, 404, what)
      for (const what of ['edit/', 'rotate/', 'delete/', 'pause/', 'test/'])
        assert.equal((await browser.post(`${page}${what}`, { ...FORM, overlap_hours: '1' })).status, 404, what)
    }
    assert.deepEqual(await kindsOf(id), ['webhook.created'])
  })
})

describe('the pages of administrators', () => {
  test('are for them only', async () => {
    const { id } = await add()
    for (const path of [ALL, `${ALL}${id}/`, `${ALL}${id}/delete/`]) {
      assert.equal((await ann.get(path)).status, 403, path)
      assert.equal((await olga.get(path)).status, 200, path)
    }
    assert.equal((await ann.post(`${ALL}${id}/pause/`, {})).status, 403)
  })

  test('list webhooks of everybody, and pause and delete them', async () => {
    const { id } = await add()
    const list = (await olga.get(ALL)).text
    for (const words of ['Roster', 'Ann', `127.0.0.1:${receiver.port}`]) assert.ok(list.includes(words), words)
    await olga.post(`${ALL}${id}/pause/`, {})
    assert.equal((await webhookOf(id))!.active, false)
    const { text } = await olga.get(`${ALL}${id}/`)
    for (const what of ['edit/', 'rotate/', 'test/', 'resend/']) assert.ok(!text.includes(`${id}/${what}`), what)
    await olga.post(`${ALL}${id}/delete/`, {})
    assert.equal(await webhookOf(id), undefined)
  })

  test('offer no way to change what is sent where', async () => {
    const { id } = await add()
    for (const what of ['edit/', 'rotate/', 'test/']) assert.equal((await olga.get(`${ALL}${id}/${what}`)).status, 404)
  })
})
