import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import { hashSecret, makeKeyring } from '#platform/auth/secrets.ts'
import type { Database } from '#platform/db/pool.ts'
import type { ReadCounts } from '#platform/http/mail-limits.ts'
import { freshDatabase, openTestDatabase, type TestDatabase } from '#test/support/database.ts'
import { ADDED } from '../../../features.ts'
import { createMailLink, requestReset } from './commands/links.ts'
import { claimLink, type LinkInput, setPasswordByLink } from './commands/passwords.ts'

describe('concurrent requests', () => {
  const USES = 10
  let database: TestDatabase
  let db: Database
  before(async () => {
    database = await freshDatabase()
    db = openTestDatabase({ url: database.url, writes: USES })
  })
  after(async () => {
    await db.close()
    await database.drop()
  })

  const now = new Date('2026-05-09T12:00:00Z')
  const site = {
    url: 'https://turnout.example',
    timeZone: 'UTC',
    keyring: makeKeyring('k'.repeat(32)),
    tokenMaxDays: 365,
    added: ADDED,
  }
  const contextNow = () => ({ db: db.write, actor: ANONYMOUS, now, site, requestId: null })

  /** Resolves when all callers wait. */
  function meeting(): () => Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    let here = 0
    return () => {
      if (++here === USES) resolve()
      return promise
    }
  }

  async function race(claim: typeof claimLink): Promise<number> {
    const row = { email: `${crypto.randomUUID()}@example.org`, display_name: 'Ann' }
    const { id: userId } = await db.write.insertInto('user_profile').values(row).returning('id').executeTakeFirstOrThrow()
    const token = await createMailLink(db.write, { purpose: 'reset_password', userId, now })
    const wish = (i: number): LinkInput => ({
      token,
      purpose: 'reset_password',
      password: `four green umbrellas ${i}`,
      device: `d${i}`,
      userAgent: '',
    })
    const meet = meeting()
    const claimTogether: typeof claimLink = async (...claimed) => {
      await meet()
      return claim(...claimed)
    }
    const options = { claim: claimTogether }
    const outcomes = await Promise.all(Array.from({ length: USES }, (_, i) => setPasswordByLink(contextNow(), wish(i), options)))
    return outcomes.filter(({ ok }) => ok).length
  }

  test('use a link once', async () => assert.equal(await race(claimLink), 1))

  test('use a link several times if used_at is not checked', async () => {
    const read = meeting()
    const careless: typeof claimLink = async (tx, { token }) => {
      const links = tx.selectFrom('one_time_link').select('user_id').where('token_hash', '=', hashSecret(token))
      const link = await links.executeTakeFirst()
      await read()
      return link?.user_id ?? undefined
    }
    assert.equal(await race(careless), USES)
  })

  async function ask(email: string, readCounts?: ReadCounts): Promise<number> {
    const outcomes = await Promise.all(Array.from({ length: USES }, () => requestReset(contextNow(), { email }, readCounts)))
    return outcomes.filter(({ ok }) => ok).length
  }

  test('send six links to an address', async () => assert.equal(await ask('ann@example.org'), 6))

  test('send more links without the locks on the counts', async () => {
    const read = meeting()
    const careless: ReadCounts = async (_tx, keys) => {
      await read()
      return new Map(keys.map(({ key }) => [key.toString('hex'), { count: 0, endsAt: now }]))
    }
    assert.equal(await ask('ben@example.org', careless), USES)
  })
})
