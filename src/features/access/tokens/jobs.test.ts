import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { hashSecret } from '#platform/auth/secrets.ts'
import type { Mailer } from '#platform/mail/mail.ts'
import { openMailOutbox } from '#test/support/mail-outbox.ts'
import { ANN, NORD } from '#test/support/people.ts'
import { NOW, openWorld, SITE_URL } from '#test/support/world.ts'
import { tokenTasks } from './jobs.ts'
import { getExpiringToken } from './queries/bearer.ts'

const DAY = 24 * 3600_000
const world = await openWorld()
const outbox = openMailOutbox(
  (mailer) => taskNamed('token_expiry_mail', mailer),
  () => world.db,
)

function taskNamed(name: string, mailer: Mailer) {
  const site = { url: SITE_URL, timeZone: 'Europe/Berlin' }
  return tokenTasks({ db: world.db, clock: { now: () => world.now }, mailer, site }).find((task) => task.name === name)!
}

describe('the mail before a token expires', () => {
  beforeEach(async () => {
    world.now = NOW
    outbox.sent.length = 0
    await world.db.write.deleteFrom('access_token').execute()
  })

  const give = async (days: number, more: Record<string, unknown> = {}) =>
    world.db.write
      .insertInto('access_token')
      .values({
        token_hash: hashSecret(`${days} ${JSON.stringify(more)}`),
        kind: 'personal',
        user_id: ANN.id,
        description: `for <${days}> days`,
        created_at: new Date(NOW.getTime() - 60 * DAY),
        expires_at: new Date(NOW.getTime() + days * DAY),
        ...more,
      })
      .execute()
  const announce = async () => {
    await taskNamed('announce_token_expiry', { send: async () => {}, describe: '' }).run({})
    await outbox.deliver()
  }

  test('is sent once, a week before, in the language of the owner', async () => {
    await give(7.5)
    await announce()
    assert.equal(outbox.sent.length, 0)
    world.now = new Date(NOW.getTime() + DAY)
    await world.db.write.updateTable('user_profile').set({ preferred_language: 'de' }).execute()
    await announce()
    await announce()
    const [mail, ...others] = outbox.sent.slice()
    assert.deepEqual(others, [])
    assert.deepEqual([mail!.to, mail!.subject], [ANN.email, 'Dein API-Token läuft am 9. Mai 2031 ab'])
    assert.ok(mail!.text.includes('„for <7.5> days“') && mail!.text.includes(`${SITE_URL}/settings/tokens/`))
    assert.ok(mail!.html!.includes('„for &lt;7.5&gt; days“') && mail!.html!.includes(`href="${SITE_URL}/settings/tokens/"`))
  })

  test('is about a token of a person that is valid until its end', async () => {
    const read = async (at: number, more: Record<string, unknown> = {}) => {
      await give(at, more)
      const { id } = await world.db.write.selectFrom('access_token').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow()
      return getExpiringToken(world.db.write, id, NOW)
    }
    const expiresAt = new Date(NOW.getTime() + 3 * DAY)
    assert.deepEqual(await read(3), { userId: ANN.id, description: 'for <3> days', expiresAt })
    assert.ok(await read(1 / DAY))
    assert.equal(await read(0), undefined)
    assert.equal(await read(3, { revoked_at: NOW }), undefined)
    assert.equal(await read(3, { expires_at: null }), undefined)
    assert.equal(await read(3, { kind: 'federation', user_id: null, federated_guest_id: NORD.id }), undefined)
  })

  const SILENT: [string, Parameters<typeof give>][] = [
    ['for a token that was created for a week', [7, { created_at: NOW }]],
    ['for a revoked token', [3, { revoked_at: NOW }]],
    ['for an expired token', [-1, {}]],
    ['for a token without expiry', [3, { expires_at: null }]],
    ['for a token with a previous warning', [3, { expiry_warned_at: NOW }]],
  ]
  for (const [what, input] of SILENT) {
    test(`is not sent ${what}`, async () => {
      await give(...input)
      await announce()
      assert.deepEqual(outbox.sent, [])
    })
  }

  test('is not sent to inactive people or if the token is revoked before', async () => {
    await give(3)
    await world.setActive(ANN, false)
    await announce()
    await world.setActive(ANN, true)
    await give(4)
    await taskNamed('announce_token_expiry', { send: async () => {}, describe: '' }).run({})
    await world.db.write.updateTable('access_token').set({ revoked_at: NOW }).execute()
    await outbox.deliver()
    assert.deepEqual(outbox.sent, [])
  })

  test('is retried if the mail server fails', async () => {
    await give(3)
    outbox.broken = true
    await assert.rejects(announce(), /mail server is down/)
    outbox.broken = false
    await outbox.deliver()
    assert.equal(outbox.sent.length, 1)
  })
})

describe('expired and revoked tokens', () => {
  const ago = (days: number) => new Date(NOW.getTime() - days * DAY)
  const CASES: [what: string, row: { revoked_at?: Date | null; expires_at?: Date | null }, stays: boolean][] = [
    ['without expiry', { expires_at: null }, true],
    ['that is valid', { expires_at: ago(-10) }, true],
    ['that expired 89 days ago', { expires_at: ago(89) }, true],
    ['that expired 91 days ago', { expires_at: ago(91) }, false],
    ['revoked 91 days ago', { expires_at: ago(-200), revoked_at: ago(91) }, false],
    ['revoked yesterday that expired long before', { expires_at: ago(91), revoked_at: ago(1) }, false],
    ['without expiry that was revoked 91 days ago', { expires_at: null, revoked_at: ago(91) }, false],
    ['revoked yesterday', { expires_at: ago(-200), revoked_at: ago(1) }, true],
  ]
  for (const [what, row, stays] of CASES) {
    test(`are listed for 90 days: one ${what} ${stays ? 'stays' : 'is deleted'}`, async () => {
      world.now = NOW
      await world.db.write.deleteFrom('access_token').execute()
      const values = { token_hash: hashSecret(what), kind: 'personal', user_id: ANN.id, created_at: ago(400), ...row }
      await world.db.write.insertInto('access_token').values(values).execute()
      await taskNamed('clean_up_tokens', { send: async () => {}, describe: '' }).run({})
      const left = await world.db.read.selectFrom('access_token').select('id').execute()
      assert.equal(left.length, stays ? 1 : 0)
    })
  }
})
