import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashClientSecret } from '#platform/auth/secrets.ts'
import { contextAs } from '#test/support/command-context.ts'
import { OLGA } from '#test/support/people.ts'
import { NOW, openWorld } from '#test/support/world.ts'
import { addPartnerApplication, removePartnerApplication, renamePartnerApplication } from './commands/partner-applications.ts'

const world = await openWorld()
const context = contextAs(world, OLGA)
const callback = 'https://nord.example/callback/'
const stored = (id: number) => world.db.read.selectFrom('oauth_application').selectAll().where('id', '=', id).executeTakeFirst()

test('people may sign in at a partner by an application that tells who they are, and nothing else', async () => {
  const { id, clientId, secret } = await addPartnerApplication(context, { name: 'Nord', redirectUri: callback })
  const row = (await stored(id))!
  const { name, redirect_uris, allowed_scopes, purpose, require_pkce, created_at, created_by_id } = row
  assert.deepEqual(
    { name, redirect_uris, allowed_scopes, purpose, require_pkce, created_at, created_by_id },
    {
      name: 'Nord',
      redirect_uris: [callback],
      allowed_scopes: ['ME_READ'],
      purpose: 'federation',
      require_pkce: true,
      created_at: NOW,
      created_by_id: OLGA.id,
    },
  )
  assert.deepEqual([row.client_id, row.client_secret_hash, row.is_public], [clientId, hashClientSecret(secret), false])
})

test('a long name of a partner keeps its beginning', async () => {
  const name = `Nord${'x'.repeat(300)}`
  const { id } = await addPartnerApplication(context, { name, redirectUri: callback })
  assert.equal((await stored(id))!.name, name.slice(0, 255))
})

test('the application of a partner is renamed and removed, and no other one', async () => {
  const { id } = await addPartnerApplication(context, { name: 'a.example', redirectUri: callback })
  const { id: other } = await addPartnerApplication(context, { name: 'b.example', redirectUri: callback })
  const { id: ours } = await world.db.write
    .insertInto('oauth_application')
    .values({ name: 'Rota', client_id: 'rota', client_secret_hash: 'x', redirect_uris: [callback], allowed_scopes: ['ME_READ'] })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const each of [id, ours]) await renamePartnerApplication(context, each, 'Nord')
  const names = async () => await Promise.all([id, other, ours].map(async (each) => (await stored(each))?.name))
  assert.deepEqual(await names(), ['Nord', 'b.example', 'Rota'])
  for (const each of [id, ours]) await removePartnerApplication(context, each)
  assert.deepEqual(await names(), [undefined, 'b.example', 'Rota'])
})
