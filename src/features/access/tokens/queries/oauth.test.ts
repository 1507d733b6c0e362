import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { hashSecret } from '#platform/auth/secrets.ts'
import { ANN } from '#test/support/people.ts'
import { NOW, openWorld } from '#test/support/world.ts'
import { getOAuthToken } from './oauth.ts'

const later = (ms: number) => new Date(NOW.getTime() + ms)

describe('an access token of an application', async () => {
  const world = await openWorld()
  const { read, write } = world.db
  const facts = { client_secret_hash: 'x', redirect_uris: ['https://rota.example/'], allowed_scopes: ['ME_READ'] }
  let made = 0
  /** A token with its grant and its application, of a person of its own. */
  async function make() {
    const name = `token ${++made}`
    const person = await world.addPerson({ name })
    const { id: application_id } = await write
      .insertInto('oauth_application')
      .values({ name, client_id: name, ...facts })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { id: grant_id } = await write
      .insertInto('oauth_grant')
      .values({ id_hash: hashSecret(name), application_id, user_id: person.id, scopes: ['ME_READ'] })
      .returning('id')
      .executeTakeFirstOrThrow()
    const owner = { kind: 'oauth', user_id: person.id, application_id, grant_id }
    const token = { token_hash: hashSecret(name), scopes: ['ME_READ'], created_at: NOW, expires_at: later(60_000), ...owner }
    await write.insertInto('access_token').values(token).execute()
    return { token: name, person, application_id, grant_id }
  }
  type Made = Awaited<ReturnType<typeof make>>

  test('is found with whom and what it is for', async () => {
    const { token, person, grant_id } = await make()
    await make()
    assert.deepEqual(await getOAuthToken(read, token, NOW), {
      userId: person.id,
      clientId: token,
      grantId: grant_id,
      scopes: ['ME_READ'],
      createdAt: NOW,
      expiresAt: later(60_000),
    })
  })

  const SPOILED: [what: string, spoil: (made: Made) => Promise<unknown>, at?: Date][] = [
    ['that has ended', async () => {}, later(60_000)],
    [
      'that was revoked',
      ({ grant_id }) => write.updateTable('access_token').set({ revoked_at: NOW }).where('grant_id', '=', grant_id).execute(),
    ],
    [
      'whose grant was revoked',
      ({ grant_id }) => write.updateTable('oauth_grant').set({ revoked_at: NOW }).where('id', '=', grant_id).execute(),
    ],
    [
      'whose application was disabled',
      ({ application_id }) =>
        write.updateTable('oauth_application').set({ disabled_at: NOW }).where('id', '=', application_id).execute(),
    ],
    [
      'of a person who is inactive',
      ({ person }) => write.updateTable('user_profile').set({ is_active: false }).where('id', '=', person.id).execute(),
    ],
  ]
  for (const [what, spoil, at = NOW] of SPOILED)
    test(`is not valid: one ${what}`, async () => {
      const token = await make()
      const untouched = await make()
      assert.ok(await getOAuthToken(read, token.token, later(59_999)))
      await spoil(token)
      assert.equal(await getOAuthToken(read, token.token, at), undefined)
      assert.ok(await getOAuthToken(read, untouched.token, NOW), 'others stay valid')
    })

  test('is nothing that a person made for themselves', async () => {
    assert.equal(await getOAuthToken(read, await world.makeToken(ANN, ['ME_READ']), NOW), undefined)
    assert.equal(await getOAuthToken(read, 'unknown', NOW), undefined)
  })
})
