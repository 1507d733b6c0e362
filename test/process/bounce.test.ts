import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { makeBounceToken } from '#features/messaging/mails/commands/bounces.ts'
import { addressWithToken } from '#features/messaging/mails/rules/bounce-token.ts'
import { systemClock } from '#platform/clock.ts'
import { bounceMessage } from '#test/support/bounce-message.ts'
import { ANN } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { endAll, newDataDir, turnout } from '../support/process/processes.ts'

after(endAll)

describe('turnout bounce', async () => {
  const world = await openWorld()
  const settings = { DATABASE_URL: world.databaseUrl, SECRET_KEY: 'k'.repeat(32) }
  const token = makeBounceToken(world.app.site.keyring, {
    recipient: { kind: 'user', id: ANN.id },
    email: ANN.email,
    now: systemClock.now(),
  })
  const to = addressWithToken('bounces@a.example', token)

  test('reads a report from standard input and marks the address', async () => {
    const { code, stderr } = await turnout(['bounce'], settings, bounceMessage({ to }))
    assert.deepEqual([code, stderr], [0, 'the address of this person counts as not working from now on\n'])
    const person = await world.db.read
      .selectFrom('user_profile')
      .select('email_invalid')
      .where('id', '=', ANN.id)
      .executeTakeFirstOrThrow()
    assert.equal(person.email_invalid, true)
  })

  test('ends well with a message that is no report, so that it is not sent back', async () => {
    const { code, stderr } = await turnout(['bounce', '--to', to], settings, 'Subject: Away\n\nI am away.\n')
    assert.deepEqual([code, stderr], [0, 'not a report about a mail that could not be delivered (RFC 3464)\n'])
  })

  test('asks the mail server to try again if there is no database', async () => {
    const { code } = await turnout(['bounce'], { DATA_DIR: newDataDir(), SECRET_KEY: 'k'.repeat(32) }, bounceMessage({ to }))
    assert.equal(code, 75)
  })
})
