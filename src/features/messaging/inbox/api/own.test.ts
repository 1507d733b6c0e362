import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { TOPICS } from '#features/messaging/notification-kinds/rules/kinds.ts'
import { ANN, BEN } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld } from '#test/support/world.ts'

const CHOICES = '/api/users/me/notification-choices/'
const INBOX = '/api/users/me/notifications/'
type Choice = { kind: string; mail: boolean; push: boolean; required: boolean }

describe('own notifications over the API', async () => {
  const world = await openWorld()
  const { read, write } = world.db
  const ann = world.as(ANN, 'ME_READ', 'ME_WRITE')
  beforeEach(async () => {
    const none = { disabled_notifications: '[]', enabled_notifications: '[]', reminder_hours: null }
    await write.updateTable('user_profile').set(none).execute()
    await write.deleteFrom('notification').execute()
    await write.deleteFrom('journal').execute()
  })
  const changesOf = async (userId: number) =>
    (await read.selectFrom('journal').select(['kind', 'changes']).where('subject_id', '=', userId).execute()).map(
      (entry) => entry,
    )
  const choose = async (body: object) => ann.patch(CHOICES, body, (await ann.get(CHOICES)).headers.etag!)

  test('a change of one kind and channel leaves the others as they are', async () => {
    const before = (await ann.get(CHOICES)).body
    const { status, body } = await choose({ kinds: [{ kind: 'event_published', mail: false }], reminder_hours: 48 })
    assert.equal(status, 200)
    const expected = before.kinds.map((each: Choice) => (each.kind === 'event_published' ? { ...each, mail: false } : each))
    assert.deepEqual(body, { kinds: expected, reminder_hours: 48 })
    assert.deepEqual((await choose({ kinds: [{ kind: 'event_published', push: false }] })).body.reminder_hours, 48)
    assert.equal((await choose({ reminder_hours: null })).body.reminder_hours, null)
  })

  test('the journal has the same entry as after the form', async () => {
    const { kinds } = (await ann.get(CHOICES)).body
    await choose({ kinds: [{ kind: 'reminder', mail: false }] })
    const ben = await browserOf(world, BEN)
    const wanted = kinds.filter(({ kind, mail }: Choice) => mail && kind !== 'reminder').map(({ kind }: Choice) => kind)
    await ben.post('/settings/notifications/', {
      form: { kinds: wanted, shown_topics: [...TOPICS], former_topics: [...TOPICS], topics: [...TOPICS] },
    })
    const entries = await changesOf(ANN.id)
    assert.equal(entries.length, 1)
    assert.deepEqual(await changesOf(BEN.id), entries)
  })

  test('kinds that always come cannot be switched off', async () => {
    const { kind } = (await ann.get(CHOICES)).body.kinds.find(({ required }: Choice) => required)
    const { status, body } = await choose({ kinds: [{ kind, mail: false, push: true }] })
    assert.deepEqual([status, body.errors[0].pointer, body.errors[0].code], [409, '/kinds/0/mail', 'always_sent'])
    assert.deepEqual(await changesOf(ANN.id), [])
  })

  test('mistakes, missing and outdated versions are refused', async () => {
    const wrong = await choose({ kinds: [{ kind: 'nothing' }], reminder_hours: 0 })
    assert.deepEqual(
      wrong.body.errors.map(({ pointer }: { pointer: string }) => pointer),
      ['/kinds/0/kind', '/reminder_hours'],
    )
    assert.equal((await ann.send('PATCH', CHOICES, {})).status, 428)
    assert.equal((await ann.patch(CHOICES, {}, 'W/"x"')).status, 412)
  })

  async function addNotification(userId: number): Promise<number> {
    const times = { created_at: world.now, next_attempt_at: world.now }
    const source = `test ${Math.random()}`
    const values = { user_id: userId, kind: 'profile_changed', source, bundle: 'test', ...times }
    return (await write.insertInto('notification').values(values).returning('id').executeTakeFirstOrThrow()).id
  }
  const unread = async () =>
    (await ann.get(INBOX)).body.results
      .filter(({ read_at }: { read_at: unknown }) => read_at === null)
      .map(({ id }: { id: number }) => id)

  test('one, those up to one, or all notifications are marked as read', async () => {
    const [first, second, third, fourth] = [
      await addNotification(ANN.id),
      await addNotification(ANN.id),
      await addNotification(ANN.id),
      await addNotification(ANN.id),
    ]
    const one = await ann.post(`${INBOX}${second}/read/`)
    assert.deepEqual([one.status, one.body.id, one.body.read_at !== null], [200, second, true])
    assert.deepEqual((await ann.post(`${INBOX}${second}/read/`)).body, one.body)
    assert.deepEqual(await unread(), [fourth, third, first])
    assert.equal((await ann.post(`${INBOX}read/`, { up_to: third })).status, 204)
    assert.deepEqual(await unread(), [fourth])
    await ann.post(`${INBOX}read/`, {})
    assert.deepEqual(await unread(), [])
  })

  test('notifications of others stay as they are', async () => {
    const id = await addNotification(BEN.id)
    assert.equal((await ann.post(`${INBOX}${id}/read/`)).status, 404)
    await ann.post(`${INBOX}read/`, {})
    const found = await read.selectFrom('notification').select('read_at').where('id', '=', id).executeTakeFirstOrThrow()
    assert.equal(found.read_at, null)
  })
})
