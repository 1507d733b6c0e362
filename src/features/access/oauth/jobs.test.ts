import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashSecret } from '#platform/auth/secrets.ts'
import { ANN } from '#test/support/people.ts'
import { NOW, openWorld } from '#test/support/world.ts'
import { oauthTasks } from './jobs.ts'

const HOUR = 3600_000
const DAY = 24 * HOUR
const ago = (ms: number) => new Date(NOW.getTime() - ms)
const world = await openWorld()
const { read, write } = world.db
const { id: application_id } = await write
  .insertInto('oauth_application')
  .values({
    name: 'Rota',
    client_id: 'rota',
    client_secret_hash: 'x',
    redirect_uris: ['https://rota.example/'],
    allowed_scopes: ['ME_READ'],
  })
  .returning('id')
  .executeTakeFirstOrThrow()

type Code = { model: string; expires: Date; used?: Date }
type Case = { madeAt: Date; revokedAt?: Date; object?: Code; tokenEnds?: Date }
const refresh: Code = { model: 'RefreshToken', expires: ago(-30 * DAY) }

/** What is left of a consent that an application got: the grant itself, its refresh token or code, its access token. */
const CASES: [what: string, given: Case, left: { grant: boolean; object?: boolean; token?: boolean }][] = [
  ['never used, made less than a day ago', { madeAt: ago(DAY - 1) }, { grant: true }],
  ['never used, made a day ago', { madeAt: ago(DAY) }, { grant: true }],
  ['never used, made more than a day ago', { madeAt: ago(DAY + 1) }, { grant: false }],
  ['with a refresh token', { madeAt: ago(9 * DAY), object: refresh }, { grant: true, object: true }],
  [
    'with a refresh token that ended less than a day ago',
    { madeAt: ago(9 * DAY), object: { ...refresh, expires: ago(DAY - 1) } },
    { grant: true, object: true },
  ],
  [
    'with a refresh token that ended more than a day ago',
    { madeAt: ago(9 * DAY), object: { ...refresh, expires: ago(DAY + 1) } },
    { grant: false, object: false },
  ],
  ['with a valid access token', { madeAt: ago(9 * DAY), tokenEnds: ago(-HOUR) }, { grant: true, token: true }],
  [
    'whose access token ended less than a day ago',
    { madeAt: ago(9 * DAY), tokenEnds: ago(DAY - 1) },
    { grant: true, token: true },
  ],
  ['whose access token ended a day ago', { madeAt: ago(9 * DAY), tokenEnds: ago(DAY) }, { grant: false, token: false }],
  [
    'revoked, with a refresh token',
    { madeAt: ago(9 * DAY), revokedAt: ago(HOUR), object: refresh },
    { grant: false, object: false },
  ],
  [
    'revoked, with an access token that has not ended',
    { madeAt: ago(9 * DAY), revokedAt: ago(HOUR), tokenEnds: ago(-HOUR) },
    { grant: false, token: false },
  ],
  ['revoked, made today', { madeAt: ago(HOUR), revokedAt: ago(0), tokenEnds: ago(-HOUR) }, { grant: true, token: true }],
  [
    'with nothing but a code, which was used',
    { madeAt: ago(9 * DAY), object: { model: 'AuthorizationCode', expires: ago(9 * DAY), used: ago(9 * DAY) } },
    { grant: false, object: false },
  ],
  [
    'with an access token, and a code that was used',
    {
      madeAt: ago(9 * DAY),
      object: { model: 'AuthorizationCode', expires: ago(9 * DAY), used: ago(9 * DAY) },
      tokenEnds: ago(-HOUR),
    },
    { grant: true, object: true, token: true },
  ],
  [
    'with an access token, and a code that was never used',
    { madeAt: ago(9 * DAY), object: { model: 'AuthorizationCode', expires: ago(9 * DAY) }, tokenEnds: ago(-HOUR) },
    { grant: true, object: false, token: true },
  ],
]

for (const [what, { madeAt, revokedAt, object, tokenEnds }, left] of CASES)
  test(`the clean-up ${left.grant ? 'keeps' : 'deletes'} a grant ${what}`, async () => {
    const { id: grant_id } = await write
      .insertInto('oauth_grant')
      .values({
        id_hash: hashSecret(what),
        application_id,
        user_id: ANN.id,
        scopes: ['ME_READ'],
        created_at: madeAt,
        revoked_at: revokedAt ?? null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (object)
      await write
        .insertInto('oauth_object')
        .values({
          model: object.model,
          id_hash: hashSecret(what),
          payload: '{}',
          grant_id,
          user_id: ANN.id,
          application_id,
          expires_at: object.expires,
          used_at: object.used ?? null,
        })
        .execute()
    if (tokenEnds)
      await write
        .insertInto('access_token')
        .values({
          token_hash: hashSecret(what),
          kind: 'oauth',
          user_id: ANN.id,
          grant_id,
          application_id,
          scopes: ['ME_READ'],
          created_at: madeAt,
          expires_at: tokenEnds,
          revoked_at: revokedAt ?? null,
        })
        .execute()
    const task = oauthTasks({ db: world.db, clock: { now: () => NOW }, site: world.app.site }).find(
      ({ name }) => name === 'clean_up_oauth',
    )!
    await task.run({})
    const count = async (table: 'oauth_object' | 'access_token') =>
      (await read.selectFrom(table).select('grant_id').where('grant_id', '=', grant_id).execute()).length > 0
    assert.deepEqual(
      {
        grant: (await read.selectFrom('oauth_grant').select('id').where('id', '=', grant_id).execute()).length > 0,
        ...(object ? { object: await count('oauth_object') } : {}),
        ...(tokenEnds ? { token: await count('access_token') } : {}),
      },
      left,
    )
  })
