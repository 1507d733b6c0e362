import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Mailer } from '#platform/mail/mail.ts'
import { contextAs } from '#test/support/command-context.ts'
import { openMailOutbox } from '#test/support/mail-outbox.ts'
import { OLGA } from '#test/support/people.ts'
import { NOW, openWorld, SITE_URL } from '#test/support/world.ts'
import { changeServiceAccount, createServiceAccount, setServiceAccountActive } from './commands/accounts.ts'
import { serviceAccountTasks } from './jobs.ts'

const DAY = 24 * 3600_000
const world = await openWorld()
const stella = await world.addPerson({ name: 'Stella', isStaff: true })
await world.addPerson({ name: 'Former', isStaff: true, isActive: false })
const outbox = openMailOutbox(
  (mailer) => taskNamed('service_account_expiry_mail', mailer),
  () => world.db,
)

function taskNamed(name: string, mailer: Mailer) {
  const site = { url: SITE_URL, timeZone: 'Europe/Berlin' }
  return serviceAccountTasks({ db: world.db, clock: { now: () => world.now }, mailer, site }).find((task) => task.name === name)!
}
const queue = () => taskNamed('announce_service_account_expiry', { send: async () => {}, describe: '' }).run({})
async function announce(): Promise<string[]> {
  outbox.sent.length = 0
  await queue()
  await outbox.deliver()
  return outbox.sent.map(({ to }) => to)
}
const INPUT = { name: 'Wall display', scopes: ['PUBLIC_READ'], groupIds: [], lastDay: '2031-05-20', networks: [], origins: [] }
const context = () => contextAs(world, OLGA)

describe('the mail before a service account expires', async () => {
  const made = await createServiceAccount(context(), INPUT)
  assert.ok(made.ok)
  const id = made.accountId

  test('goes to every active administrator, once, 14 days before, in their language', async () => {
    world.now = new Date(NOW.getTime() + 5 * DAY)
    assert.deepEqual(await announce(), [])
    world.now = new Date(NOW.getTime() + 6 * DAY)
    await world.db.write.updateTable('user_profile').set({ preferred_language: 'de' }).where('id', '=', stella.id).execute()
    assert.deepEqual((await announce()).sort(), [OLGA.email, stella.email].sort())
    const [english, german] = outbox.sent.toSorted((a) => (a.to === OLGA.email ? -1 : 1))
    assert.equal(english!.subject, 'The key of “Wall display” expires on 20 May 2031')
    assert.ok(english!.text.includes(`${SITE_URL}/manage/service-accounts/${id}/`))
    assert.equal(german!.subject, 'Der Schlüssel von „Wall display“ läuft am 20. Mai 2031 ab')
    assert.deepEqual(await announce(), [])
  })

  test('is sent again for another date', async () => {
    await changeServiceAccount(context(), id, { ...INPUT, lastDay: '2031-05-22' })
    world.now = new Date(NOW.getTime() + 10 * DAY)
    assert.equal((await announce()).length, 2)
  })

  test('is not sent for a disabled account, nor for one that was prolonged before the mail was sent', async () => {
    await changeServiceAccount(context(), id, { ...INPUT, lastDay: '2031-05-23' })
    await setServiceAccountActive(context(), id, false)
    assert.deepEqual(await announce(), [])
    await setServiceAccountActive(context(), id, true)
    await queue()
    await changeServiceAccount(context(), id, { ...INPUT, lastDay: '2032-05-23' })
    outbox.sent.length = 0
    await outbox.deliver()
    assert.deepEqual(outbox.sent, [])
  })
})
