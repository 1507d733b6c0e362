import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import { hashSecret } from '#platform/auth/secrets.ts'
import { RateLimiter } from '#platform/http/rate-limiter.ts'
import { SharedCounts } from '#platform/http/shared-counts.ts'
import { contextAs } from '#test/support/command-context.ts'
import { openTestDatabase } from '#test/support/database.ts'
import { Browser } from '#test/support/http-browser.ts'
import { HELPERS, OLGA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { joinGroup } from './commands/joining.ts'
import { type ClaimUse, claimUse, createJoinLink } from './commands/links.ts'
import { confirmRegistration, lockRegistrations, register, takeRegistration } from './commands/registrations.ts'
import { getLinkById } from './queries.ts'
import { MAX_UNCONFIRMED } from './rules.ts'

const PEOPLE = 8

describe('concurrent requests', async () => {
  const world = await openWorld()
  const db = openTestDatabase({ url: world.databaseUrl, writes: PEOPLE + 2 })
  world.others.push({ stop: () => db.close() })
  const context = () => ({ db: db.write, actor: ANONYMOUS, now: world.now, site: world.app.site, requestId: null })

  /** Resolves when all callers wait. */
  function meeting(): () => Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    let here = 0
    return () => {
      if (++here === PEOPLE) resolve()
      return promise
    }
  }
  const makeLink = async (max_uses: number) => {
    const made = await createJoinLink(contextAs(world, OLGA), HELPERS.id, { days: 1, max_uses, approval: 'no', note: '' })
    assert.ok(made?.ok)
    return made
  }
  /** Reads the number of uses, and counts afterwards. */
  const carelessClaim = (): ClaimUse => {
    const read = meeting()
    return async (tx, id) => {
      const { uses, max_uses } = await tx
        .selectFrom('join_link')
        .select(['uses', 'max_uses'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      await read()
      if (uses >= max_uses) return false
      await tx
        .updateTable('join_link')
        .set((eb) => ({ uses: eb('uses', '+', 1) }))
        .where('id', '=', id)
        .execute()
      return true
    }
  }

  async function join(claim: ClaimUse): Promise<{ joined: number; uses: number }> {
    const { id, token } = await makeLink(3)
    const people = await Promise.all(Array.from({ length: PEOPLE }, (_, i) => world.addPerson({ name: `Person ${id} ${i}` })))
    const outcomes = await Promise.all(people.map((person) => joinGroup(contextAs(world, person, db), token, { claim })))
    const link = (await getLinkById(db.write, id))!
    return { joined: outcomes.filter(({ ok }) => ok).length, uses: link.uses }
  }

  test('join a link no more often than its limit', async () => {
    const meet = meeting()
    assert.deepEqual(await join(async (...claimed) => meet().then(() => claimUse(...claimed))), { joined: 3, uses: 3 })
  })

  test('exceed the limit if uses are read before they are counted', async () => {
    assert.deepEqual(await join(carelessClaim()), { joined: PEOPLE, uses: PEOPLE })
  })

  const entered = (email: string) => ({
    name: 'Nora',
    email,
    date_of_birth: '1999-01-02',
    password: 'four green umbrellas',
    language: 'en' as const,
  })
  const newAccounts = async (claim: ClaimUse, lock?: typeof lockRegistrations) => {
    const { id } = await makeLink(3)
    const link = (await getLinkById(db.write, id))!
    const options = { hasMail: false, claim, ...(lock ? { lock } : {}) }
    const outcomes = await Promise.all(
      Array.from({ length: PEOPLE }, (_, i) =>
        register(context(), { entered: entered(`r${id}-${i}@new.example`), way: { link, needsApproval: false } }, options),
      ),
    )
    return outcomes.filter(({ ok }) => ok).length
  }

  test('make no more accounts by a link than its limit, even without the lock of registrations', async () => {
    assert.equal(await newAccounts(claimUse), 3)
    assert.equal(await newAccounts(claimUse, async () => {}), 3)
  })

  test('make more accounts if uses are read before they are counted', async () => {
    assert.equal(await newAccounts(carelessClaim(), async () => {}), PEOPLE)
  })

  /** How many addresses wait for their confirmation after several people registered at the moment when there was room for one. */
  const unconfirmed = async (lock: typeof lockRegistrations) => {
    const row = { date_of_birth: '1999-01-02', display_name: 'Nia', language: 'en', password_hash: 'x', created_at: world.now }
    const rows = Array.from({ length: MAX_UNCONFIRMED - 1 }, (_, i) => ({
      ...row,
      email: `w${i}@new.example`,
      expires_at: new Date(world.now.getTime() + 1000),
    }))
    await db.write.deleteFrom('registration').execute()
    await db.write.insertInto('registration').values(rows).execute()
    const way = { link: undefined, needsApproval: false }
    await Promise.all(
      Array.from({ length: PEOPLE }, (_, i) =>
        register(context(), { entered: entered(`u${i}@new.example`), way }, { hasMail: true, lock }),
      ),
    )
    const { length } = await db.write.selectFrom('registration').select('id').execute()
    await db.write.deleteFrom('registration').execute()
    return length
  }

  test('leave no more unconfirmed addresses than the limit, and more without the lock', async () => {
    assert.equal(await unconfirmed(lockRegistrations), MAX_UNCONFIRMED)
    assert.ok((await unconfirmed(meeting())) > MAX_UNCONFIRMED)
  })

  const confirm = async (email: string, take: typeof takeRegistration) => {
    const way = { link: undefined, needsApproval: true }
    await register(context(), { entered: entered(email), way }, { hasMail: true })
    const token = 'x'.repeat(30) + email.replaceAll(/\W/g, '')
    await db.write
      .updateTable('registration')
      .set({ token_hash: hashSecret(token) })
      .where('email', '=', email)
      .execute()
    const input = { token, password: 'four green umbrellas', device: 'd', userAgent: '', wayOf: async () => way }
    const outcomes = await Promise.all(Array.from({ length: PEOPLE }, () => confirmRegistration(context(), input, { take })))
    return outcomes.map((outcome) => (outcome.ok ? 'ok' : outcome.reason))
  }

  test('confirm a registration once; without taking it, the others get further', async () => {
    const meet = meeting()
    const once = await confirm('three@new.example', async (...taken) => meet().then(() => takeRegistration(...taken)))
    assert.deepEqual(
      [once.filter((state) => state === 'ok').length, once.filter((state) => state === 'invalid').length],
      [1, PEOPLE - 1],
    )
    const careless = await confirm('four@new.example', meetingTrue())
    assert.ok(careless.filter((state) => state === 'invalid').length < PEOPLE - 1)
  })
  function meetingTrue(): typeof takeRegistration {
    const meet = meeting()
    return async () => {
      await meet()
      return true
    }
  }

  test('nodes count registrations of a network together; each alone lets more through', async () => {
    const clock = { now: () => world.now }
    const nodes = (counts: (() => SharedCounts) | undefined) =>
      [1, 2].map(() => new RateLimiter(clock, 'registrations', 5, 1, counts && { counts: counts() }))
    const take = async (limiters: RateLimiter[], key: string) => {
      const taken = await Promise.all(Array.from({ length: 40 }, (_, i) => limiters[i % 2]!.takeShared(key)))
      return taken.filter(({ allowed }) => allowed).length
    }
    const shared = () => new SharedCounts({ db: db.write, now: clock.now, onError: () => {} })
    assert.equal(await take(nodes(shared), '192.0.2.7'), 5)
    assert.equal(await take(nodes(undefined), '192.0.2.8'), 10)
  })
})

describe('mass registration', async () => {
  const world = await openWorld({ hasMail: true, rateLimit: 'on' })

  test('is stopped after twenty forms of a network in a minute', async () => {
    const made = await createJoinLink(contextAs(world, OLGA), HELPERS.id, { days: 1, max_uses: 100, approval: 'no', note: '' })
    assert.ok(made?.ok)
    const browser = new Browser({ port: world.line.port }, { host: 'a.example' })
    const path = `/join/${made.token}/`
    await browser.get(path)
    const form = (i: number) => ({
      name: 'Bot',
      email: `bot${i}@new.example`,
      date_of_birth: '1999-01-02',
      password: 'four green umbrellas',
      password_again: 'four green umbrellas',
    })
    const answers = await Promise.all(Array.from({ length: 24 }, (_, i) => browser.post(path, { form: form(i) })))
    const statuses = answers.map(({ statusCode }) => statusCode)
    assert.deepEqual(
      [statuses.filter((status) => status === 200).length, statuses.filter((status) => status === 429).length],
      [20, 4],
    )
    const rows = await world.db.write.selectFrom('registration').select('id').execute()
    assert.equal(rows.length, 20)
  })
})
