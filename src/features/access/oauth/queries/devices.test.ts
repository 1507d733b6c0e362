import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { hashSecret } from '#platform/auth/secrets.ts'
import { ANN } from '#test/support/people.ts'
import { NOW, openWorld } from '#test/support/world.ts'
import { getWaitingDevice } from './devices.ts'

describe('the code that a device shows', async () => {
  const world = await openWorld()
  const { read, write } = world.db
  const later = (ms: number) => new Date(NOW.getTime() + ms)
  const addApplication = async (client_id: string, more: object = {}) => {
    const facts = { client_secret_hash: 'x', redirect_uris: [], allowed_scopes: ['ME_READ'], allows_devices: true }
    const row = { name: `App ${client_id}`, client_id, ...facts, ...more }
    return (await write.insertInto('oauth_application').values(row).returning('id').executeTakeFirstOrThrow()).id
  }
  const [display, disabled, browserOnly] = [
    await addApplication('display'),
    await addApplication('disabled', { disabled_at: NOW }),
    await addApplication('browser', { allows_devices: false }),
  ]
  const CASES: [what: string, row: object, isFound: boolean][] = [
    ['that waits', {}, true],
    ['that ends now', { expires_at: NOW }, false],
    ['that a person has taken', { user_id: ANN.id }, false],
    ['that was used', { used_at: NOW }, false],
    ['that was denied', { payload: JSON.stringify({ error: 'access_denied' }) }, false],
    ['of an application that is disabled', { application_id: disabled }, false],
    ['of an application without devices', { application_id: browserOnly }, false],
    ['of another kind', { model: 'AuthorizationCode' }, false],
  ]
  for (const [what, row, isFound] of CASES)
    test(`one ${what} ${isFound ? 'is found' : 'is not found'}`, async () => {
      const payload = JSON.stringify({ params: { scope: 'ME_READ' } })
      const facts = { model: 'DeviceCode', payload, application_id: display, expires_at: later(1) }
      const hashes = { id_hash: hashSecret(what), uid_hash: hashSecret(`code ${what}`) }
      await write
        .insertInto('oauth_object')
        .values({ ...facts, ...hashes, ...row })
        .execute()
      assert.deepEqual(
        await getWaitingDevice(read, `code ${what}`, NOW),
        isFound ? { applicationId: display, clientId: 'display', name: 'App display', scope: 'ME_READ' } : undefined,
      )
    })
})
