import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { NOBODY } from '#platform/auth/actor.ts'
import { hashSecret, makeKeyring } from '#platform/auth/secrets.ts'
import { type Database, openDatabase } from '#platform/db/pool.ts'
import { freshDatabase, type TestDatabase } from '#test/database.ts'
import { makeMailLink } from './commands/links.ts'
import { type claimLink, type LinkWish, setPasswordByLink } from './commands/passwords.ts'

describe('uses of one link at one moment', () => {
  const USES = 10
  let database: TestDatabase
  let db: Database
  before(async () => {
    database = await freshDatabase()
    db = openDatabase({ url: database.url, writes: USES })
  })
  after(async () => {
    await db.close()
    await database.drop()
  })

  async function race(claim?: typeof claimLink): Promise<number> {
    const now = new Date('2026-05-09T12:00:00Z')
    const site = { url: 'https://turnout.example', timeZone: 'UTC', keyring: makeKeyring('k'.repeat(32)), tokenMaxDays: 365 }
    const doing = { db: db.write, actor: NOBODY, now, site, requestId: null }
    const row = { email: `${crypto.randomUUID()}@example.org`, display_name: 'Ann' }
    const { id: userId } = await db.write.insertInto('user_profile').values(row).returning('id').executeTakeFirstOrThrow()
    const token = await makeMailLink(db.write, { purpose: 'reset_password', userId, now })
    const wish = (i: number): LinkWish => ({
      token,
      purpose: 'reset_password',
      password: `four green umbrellas ${i}`,
      device: `d${i}`,
      userAgent: '',
    })
    const options = { endCredentials: async () => {}, ...(claim ? { claim } : {}) }
    const outcomes = await Promise.all(Array.from({ length: USES }, (_, i) => setPasswordByLink(doing, wish(i), options)))
    return outcomes.filter(({ ok }) => ok).length
  }

  test('one wins', async () => assert.equal(await race(), 1))

  test('twin: when the mark is not looked at, several do', async () => {
    const careless: typeof claimLink = async (tx, { token }) => {
      const row = await tx
        .selectFrom('one_time_link')
        .select('user_id')
        .where('token_hash', '=', hashSecret(token))
        .executeTakeFirst()
      return row?.user_id ?? undefined
    }
    assert.ok((await race(careless)) > 1)
  })
})
