import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createServiceAccount } from '#features/access/service-accounts/commands/accounts.ts'
import { rotateServiceKey } from '#features/access/service-accounts/commands/keys.ts'
import { rotateWebhookSecret } from '#features/sharing/webhooks/commands/webhooks.ts'
import { signatureOf } from '#platform/outbound/standard-webhooks.ts'
import { contextAs } from '#test/support/command-context.ts'
import { HELPERS, OLGA } from '#test/support/people.ts'
import { openReceiver } from '#test/support/webhook-receiver.ts'
import { addWebhook, LOOPBACK, openDispatcher } from '#test/support/webhooks.ts'
import { openWorld } from '#test/support/world.ts'
import { makeBackup } from './backup.ts'
import { checkArchive, restoreBackup } from './restore.ts'

const folder = mkdtempSync(join(tmpdir(), 'programs-test-'))
after(() => rmSync(folder, { recursive: true }))

test('keys of service accounts still work after a restore, and webhooks are still signed with both secrets', async () => {
  const source = await openWorld(LOOPBACK)
  const receiver = await openReceiver()
  const context = contextAs(source, OLGA)
  const input = { name: 'Display', scopes: ['PUBLIC_READ'], groupIds: [HELPERS.id], networks: [], origins: [], lastDay: '' }
  const account = await createServiceAccount(context, input)
  assert.ok(account.ok)
  const rotated = await rotateServiceKey(context, { accountId: account.accountId, overlapHours: 48 })
  assert.ok(rotated?.ok)
  const webhook = await addWebhook(source, OLGA, { url: receiver.url('/restored') })
  const second = await rotateWebhookSecret(context, webhook.id, 24)
  const path = join(folder, 'programs.backup')
  const { keyring } = source.app.site
  const site = { url: 'https://a.example', timeZone: 'Europe/Berlin', language: 'en' }
  const options = { path, files: source.files, keyring, secretKey: 'k'.repeat(32), site, turnout: '0.1.0', now: source.now }
  await makeBackup(source.db.write, options)

  const target = await openWorld({ ...LOOPBACK, empty: true })
  const restoring = { path, passphrase: undefined, replace: false, files: target.files }
  await restoreBackup(target.db.write, restoring, await checkArchive(path, undefined))
  for (const key of [account.key, rotated.key]) {
    const { status, body } = await target.with({ authorization: `Bearer ${key}` }).get('/api/events/')
    assert.deepEqual([status, body.results], [200, []])
  }
  const event = await target.addEvent({ seenBy: [HELPERS] })
  await openDispatcher(target).runUntilIdle()
  const [received] = receiver.at('/restored')
  assert.equal(receiver.told('/restored')[0], `event ${event.id} created`)
  const { headers, body } = received!
  const message = { id: String(headers['webhook-id']), timestamp: Number(headers['webhook-timestamp']), body }
  assert.equal(headers['webhook-signature'], signatureOf(message, [second!.secret, webhook.secret]))
})
