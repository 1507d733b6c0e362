import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseCronItems } from 'graphile-worker'
import { makeKeyring } from '#platform/auth/secrets.ts'
import { readConfig } from '#platform/config.ts'
import { tasksOf } from '#platform/features/compose.ts'
import { makeLog } from '#platform/log.ts'
import { freshDatabase, openTestDatabase, PATIENT } from '#test/support/database.ts'
import { makeRuntime } from '../../src/app-options.ts'

/** These get what they have to do from the command that starts them. */
const STARTED_BY_COMMANDS = [
  'account_mail',
  'email_change_mail',
  'guest_link_mail',
  'join_mail',
  'journal',
  'people_action',
  'people_import',
  'send_message_to_many',
  'send_notifications',
  'service_account_expiry_mail',
  'token_expiry_mail',
]

describe('background jobs', async () => {
  const database = await freshDatabase()
  const db = openTestDatabase({ url: database.url })
  const tasks = tasksOf(
    makeRuntime({
      config: readConfig({ WORKER: 'off' }, 'try-out'),
      databaseUrl: database.url,
      db,
      log: makeLog('silent'),
      keyring: makeKeyring('k'.repeat(32)),
      clock: { now: () => new Date() },
      mailer: { send: async () => {}, describe: 'nowhere' },
      clientTimeouts: PATIENT,
    }),
  )

  test('have names of their own', () => {
    const names = tasks.map(({ name }) => name)
    assert.deepEqual(names.toSorted(), [...new Set(names)].toSorted())
  })

  test('run by a schedule, unless commands start them', () => {
    const scheduled = tasks.filter(({ schedule }) => schedule !== undefined)
    assert.deepEqual(
      tasks
        .filter((task) => !scheduled.includes(task))
        .map(({ name }) => name)
        .toSorted(),
      STARTED_BY_COMMANDS,
    )
    for (const { name, schedule } of scheduled)
      assert.equal(parseCronItems([{ task: name, match: schedule!, identifier: name }]).length, 1, name)
  })
})
