import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ENDPOINTS } from '#endpoints'
import { ADDRESSES, KINDS } from '#features/sharing/change-feed/rules/kinds.ts'
import { transact } from '#platform/db/transaction.ts'
import { recordEndpoint } from '#platform/http/endpoint.ts'
import { contextAs } from '#test/support/command-context.ts'
import { addEvent } from '#test/support/fixtures.ts'
import { ANN, HELPERS, OLGA, PAUL, type Person, VERA } from '#test/support/people.ts'
import { openReceiver, type Received, status } from '#test/support/webhook-receiver.ts'
import { addWebhook, LOOPBACK, later, openDispatcher } from '#test/support/webhooks.ts'
import { NOW, openWorld } from '#test/support/world.ts'
import { askForResend, askForTest } from './commands/ask.ts'
import { changeWithRecord, exampleMessages, RECORD_COMPONENTS } from './schema.ts'

const ALL_SCOPES = ['PUBLIC_READ', 'ME_READ', 'CONFIDENTIAL_READ']
const world = await openWorld(LOOPBACK)
const receiver = await openReceiver()
const dispatcher = openDispatcher(world)

let paths = 0
async function add(owner: Person, wish: Partial<Parameters<typeof addWebhook>[2]> = {}) {
  await world.db.write.deleteFrom('webhook').execute()
  const path = `/records-${++paths}`
  const made = await addWebhook(world, owner, { url: receiver.url(path), scopes: ALL_SCOPES, include_record: true, ...wish })
  return { path, ...made }
}
const bodiesAt = (path: string) => receiver.at(path).map(({ body }: Received) => JSON.parse(body))
const messagesOf = (id: number) =>
  world.db.read.selectFrom('webhook_delivery').selectAll().where('webhook_id', '=', id).orderBy('id').execute()
const publish = () =>
  transact(world.db.write, (tx) =>
    addEvent(tx, { title: 'Harbour run', seenBy: [HELPERS], responsible: [PAUL], shifts: [{}] }, NOW),
  )
const rename = (id: number, title: string) => world.db.write.updateTable('event').set({ title }).where('id', '=', id).execute()

describe('messages with records', () => {
  test('contain what the API answers the owner', async () => {
    const { path } = await add(ANN)
    const { id, shifts } = await publish()
    await dispatcher.runUntilIdle()
    const bodies = bodiesAt(path)
    const ann = world.as(ANN, 'PUBLIC_READ')
    assert.deepEqual(
      bodies.map(({ kind, record }) => [kind, record]),
      [
        ['event', (await ann.get(`/api/events/${id}/`)).body],
        ['shift', (await ann.get(`/api/shifts/${shifts[0]}/`)).body],
      ],
    )
    for (const body of bodies) assert.ok(changeWithRecord.safeParse(body).success)
    assert.deepEqual(dispatcher.errors, [])
  })

  test('are sent with a signature of the whole body, and kept without the record', async () => {
    const { id, path } = await add(ANN, { kinds: ['event'] })
    await publish()
    await dispatcher.runUntilIdle()
    const [{ body, headers }] = receiver.at(path) as [Received]
    const { record, ...change } = JSON.parse(body)
    assert.equal(record.title, 'Harbour run')
    assert.match(String(headers['webhook-signature']), /^v1,/)
    assert.deepEqual(
      (await messagesOf(id)).map((each) => JSON.parse(each.body)),
      [change],
    )
  })

  test('contain no record where the webhook does not ask for it', async () => {
    const { path } = await add(ANN, { include_record: false })
    await publish()
    await dispatcher.runUntilIdle()
    assert.deepEqual(Object.keys(bodiesAt(path)[0]).includes('record'), false)
  })

  test('are attempted again with the record of that time', async () => {
    const { path } = await add(ANN, { kinds: ['event'] })
    receiver.answer(path, status(500))
    const { id } = await publish()
    await dispatcher.runUntilIdle()
    await world.db.write.updateTable('event').set({ location: 'Pier' }).where('id', '=', id).execute()
    receiver.answer(path, status(204))
    later(world, 60_000)
    await dispatcher.runUntilIdle()
    assert.deepEqual(
      bodiesAt(path).map(({ record }) => record.location),
      ['Pier 3', 'Pier', 'Pier'],
    )
  })

  test('have null for records that are gone by the time of sending', async () => {
    const { path } = await add(ANN)
    receiver.answer(path, status(500))
    const { id } = await publish()
    await dispatcher.runUntilIdle()
    await world.db.write.updateTable('event').set({ deleted_at: NOW }).where('id', '=', id).execute()
    receiver.answer(path, status(204))
    later(world, 60_000)
    await dispatcher.runUntilIdle()
    const bodies = bodiesAt(path).slice(1)
    assert.deepEqual(
      bodies.map(({ kind, what, record }) => [kind, what, record]),
      [
        ['event', 'created', null],
        ['shift', 'created', null],
        ['event', 'gone', null],
        ['shift', 'gone', null],
      ],
    )
  })

  test('are sent again with the record as it is then, as far as the owner may still read it', async () => {
    const { id, path } = await add(ANN, { kinds: ['event'] })
    const event = await publish()
    await dispatcher.runUntilIdle()
    const delivery = (await messagesOf(id))[0]!.id
    const resend = async () => {
      await askForResend(contextAs(world, ANN), id, delivery)
      await dispatcher.runUntilIdle()
      return bodiesAt(path).at(-1)
    }
    await rename(event.id, 'Renamed')
    await dispatcher.runUntilIdle()
    const again = await resend()
    assert.deepEqual([again.cursor, again.record.title], [bodiesAt(path)[0].cursor, 'Renamed'])
    await world.db.write.deleteFrom('event_group_grant').where('event_id', '=', event.id).execute()
    assert.equal((await resend()).record, null)
  })

  test('of a test have no record', async () => {
    const { id, path } = await add(ANN)
    await askForTest(contextAs(world, ANN), id)
    await dispatcher.runUntilIdle()
    assert.deepEqual(
      bodiesAt(path).map(({ kind, record }) => [kind, record]),
      [['test', null]],
    )
  })

  test('are a failure while the record cannot be read because of a fault', async () => {
    const broken = ENDPOINTS.map((each) =>
      each.kind === 'record' && each.path === '/api/events/{id}/'
        ? recordEndpoint({ ...each, get: () => Promise.reject(new Error('a fault')) })
        : each,
    )
    const other = openDispatcher(world, { endpoints: broken })
    const { id, path } = await add(ANN, { kinds: ['event'] })
    await publish()
    await other.runUntilIdle()
    assert.deepEqual(receiver.at(path), [])
    assert.deepEqual(
      (await messagesOf(id)).map(({ state, error }) => [state, error]),
      [['waiting', 'record']],
    )
    assert.match(other.errors[0]!.message, /a fault/)
  })
})

describe('what is sent', () => {
  /** Records about Ann by kind, and whether they contain her address. */
  async function sentTo(owner: Person, scopes: string[]): Promise<Record<string, unknown>> {
    const { path } = await add(owner, {
      scopes,
      kinds: ['participation', 'user', 'attendance', 'own_attendance', 'availability'],
    })
    const { shifts } = await publish()
    const place = await world.addParticipation({ who: ANN, shift: shifts[0]!, state: 1 })
    await world.db.write.insertInto('attendance').values({ participation_id: place, arrived_at: NOW }).execute()
    await world.db.write
      .updateTable('user_profile')
      .set({ display_name: `Ann ${paths}` })
      .where('id', '=', ANN.id)
      .execute()
    const time = { user_id: ANN.id, kind: 'can', weekday: 1, from_minute: 60, until_minute: 120 }
    await world.db.write.insertInto('weekly_time').values(time).execute()
    await dispatcher.runUntilIdle()
    return Object.fromEntries(bodiesAt(path).map(({ kind, record }) => [kind, JSON.stringify(record).includes(ANN.email)]))
  }

  test('is within the permissions of the owner', async () => {
    assert.deepEqual(await sentTo(ANN, ALL_SCOPES), {
      participation: false,
      own_attendance: false,
      user: true,
      availability: false,
    })
    assert.deepEqual(await sentTo(PAUL, ALL_SCOPES), { participation: false, attendance: false })
    assert.deepEqual(await sentTo(VERA, ALL_SCOPES), { user: true })
    assert.deepEqual(await sentTo(OLGA, ALL_SCOPES), { participation: false, attendance: false, user: true })
  })

  test('is within the scopes of the webhook', async () => {
    assert.deepEqual(await sentTo(OLGA, ['PUBLIC_READ']), {})
    assert.deepEqual(await sentTo(OLGA, ['ME_READ']), {})
    const own = await sentTo(ANN, ['ME_READ'])
    assert.deepEqual(own, { participation: true, own_attendance: false, user: true, availability: false })
    assert.deepEqual(await sentTo(ANN, ['CONFIDENTIAL_READ']), { participation: false })
  })

  test('is never the own profile in place of one that the owner may not view any more', async () => {
    const { path } = await add(VERA, { kinds: ['user'] })
    const hide = (isVisible: boolean) =>
      world.db.write.updateTable('user_profile').set({ is_visible: isVisible }).where('id', '=', ANN.id).execute()
    receiver.answer(path, status(500))
    await world.db.write.updateTable('user_profile').set({ display_name: 'Anna' }).where('id', '=', ANN.id).execute()
    await dispatcher.runUntilIdle()
    await hide(false)
    receiver.answer(path, status(204))
    later(world, 60_000)
    await dispatcher.runUntilIdle()
    await hide(true)
    assert.deepEqual(
      bodiesAt(path).map(({ id, record }) => [id, record?.display_name ?? null]),
      [
        [ANN.id, 'Anna'],
        [ANN.id, null],
        [ANN.id, null],
      ],
    )
  })
})

describe('the description', () => {
  test('names the records of all kinds, with an example of each', () => {
    const paths = KINDS.flatMap((kind) => ADDRESSES[kind])
    const records = paths.map((path) => ENDPOINTS.find((each) => each.kind === 'record' && each.path === path))
    const ids = records.map((each) => each?.kind === 'record' && each.record.meta()?.id)
    assert.deepEqual([...new Set(ids)].sort(), [...RECORD_COMPONENTS].sort())
    const examples = exampleMessages(ENDPOINTS)
    assert.deepEqual(Object.keys(examples), [...KINDS])
    for (const [kind, example] of Object.entries(examples)) {
      const { what, record } = changeWithRecord.parse(example)
      assert.equal(record === null, kind === 'access' || what === 'gone', kind)
    }
  })
})
