import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { type Actor, ANONYMOUS, type GuestActor, makeActor } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { makeKeyring } from '#platform/auth/secrets.ts'
import type { Database } from '#platform/db/pool.ts'
import { transact } from '#platform/db/transaction.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { freshDatabase, openTestDatabase, type TestDatabase } from '#test/support/database.ts'
import {
  claimMail,
  claimNotices,
  lockCounts,
  type MailRefusal,
  type MailVerdict,
  mailRefusalText,
  type ReadCounts,
} from './mail-limits.ts'
import { deleteEndedCounts } from './shared-counts.ts'

const START = Date.parse('2031-05-04T08:00:00Z')
const HOUR_MS = 3_600_000
const AT_ONCE = 10
const site = {
  url: 'https://a.example',
  timeZone: 'UTC',
  keyring: makeKeyring('k'.repeat(32)),
  tokenMaxDays: 365,
  added: () => [],
}

describe('mails that people without an account cause', () => {
  let database: TestDatabase
  let db: Database
  let otherNode: Database
  let now = new Date(START)
  before(async () => {
    database = await freshDatabase()
    db = openTestDatabase({ url: database.url, writes: AT_ONCE })
    otherNode = openTestDatabase({ url: database.url, writes: 2 })
  })
  beforeEach(async () => {
    now = new Date(START)
    await sql`truncate rate_count`.execute(db.write)
  })
  after(async () => {
    await db.close()
    await otherNode.close()
    await database.drop()
  })

  const later = (ms: number) => {
    now = new Date(now.getTime() + ms)
  }
  const guest = (guestId: number): Actor =>
    makeActor<GuestActor>({ kind: 'guest', guestId, eventId: 1, displayName: 'Gus', language: 'en' })

  type Cause = { to: string; actor?: Actor; network?: string; change?: Partial<CommandContext['site']>; on?: Database }
  const ask = ({ to, actor = ANONYMOUS, network, change, on = db }: Cause, read?: ReadCounts): Promise<MailVerdict> => {
    const context: CommandContext = { db: on.write, actor, now, site: { ...site, ...change }, requestId: null }
    return transact(on.write, (tx) => claimMail(tx, { ...context, ...(network === undefined ? {} : { network }) }, to, read))
  }
  /** How many of so many are sent, and by which limit the first other one is refused. */
  const askOften = async (count: number, cause: (n: number) => Cause) => {
    let sent = 0
    let refusal: MailRefusal | undefined
    for (let n = 0; n < count; n++) {
      const verdict = await ask(cause(n))
      if (verdict.ok) sent++
      else refusal ??= verdict
    }
    return { sent, by: refusal?.by, after: refusal && refusal.retryAt.getTime() - START }
  }

  // Each limit alone: what the others count differs with every mail.
  test('are limited per sender: four in an hour', async () => {
    const cause = (n: number): Cause => ({ to: `g${n}@mail.example`, actor: guest(1), network: `192.0.2.${n}` })
    assert.deepEqual(await askOften(5, cause), { sent: 4, by: 'sender', after: HOUR_MS })
    assert.ok((await ask({ to: 'other@mail.example', actor: guest(2) })).ok, 'another sender')
  })
  test('are limited per target: six in an hour, whatever its case and its tag are', async () => {
    const names = ['gus', 'GUS', 'gus+a', 'gus+b', 'Gus+c+d', 'gus', 'gus']
    const cause = (n: number): Cause => ({ to: `${names[n]}@mail.example`, actor: guest(n), network: `192.0.2.${n}` })
    assert.deepEqual(await askOften(7, cause), { sent: 6, by: 'target', after: HOUR_MS })
    assert.ok((await ask({ to: 'gus@other.example' })).ok, 'another mailbox')
  })
  test('are limited per network: 120 in an hour', async () => {
    const cause = (n: number): Cause => ({ to: `g${n}@mail.example`, actor: guest(n), network: '192.0.2.1' })
    assert.deepEqual(await askOften(121, cause), { sent: 120, by: 'network', after: HOUR_MS })
    assert.ok((await ask({ to: 'next@mail.example', network: '192.0.2.2' })).ok, 'another network')
  })

  test('are limited per day, too', async () => {
    const perDay = async (cause: (n: number) => Cause, count: number) => {
      let sent = 0
      for (let hour = 0; hour < 24; hour++) {
        for (let n = 0; n < count; n++) if ((await ask(cause(hour * count + n))).ok) sent++
        later(HOUR_MS)
      }
      now = new Date(START)
      return sent
    }
    assert.equal(await perDay((n) => ({ to: `s${n}@mail.example`, actor: guest(1) }), 4), 10)
    assert.equal(await perDay(() => ({ to: 'gus@mail.example' }), 6), 15)
    assert.equal(await perDay((n) => ({ to: `n${n}@mail.example`, network: '192.0.2.1' }), 25), 500)
  })

  test('are possible again at the end of the window, and not before', async () => {
    const cause: Cause = { to: 'gus@mail.example' }
    assert.equal((await askOften(6, () => cause)).sent, 6)
    later(HOUR_MS - 1)
    assert.equal((await ask(cause)).ok, false)
    later(1)
    assert.equal((await askOften(7, () => cause)).sent, 6)
  })

  test('are limited by the longest wait, if several limits are reached', async () => {
    await askOften(4, (n) => ({ to: `g${n}@mail.example`, actor: guest(1) }))
    later(HOUR_MS / 2)
    await askOften(6, () => ({ to: 'gus@mail.example' }))
    const verdict = await ask({ to: 'gus@mail.example', actor: guest(1) })
    assert.deepEqual(verdict, { ok: false, by: 'target', retryAt: new Date(START + 1.5 * HOUR_MS) })
  })

  test('do not count if they are refused, so nobody can use up the mails of others', async () => {
    await askOften(10, () => ({ to: 'victim@mail.example', actor: guest(1) }))
    assert.equal((await askOften(6, () => ({ to: 'victim@mail.example' }))).sent, 2, '4 of the sender are counted')
  })

  test('do not count if the command fails', async () => {
    const context: CommandContext = { db: db.write, actor: ANONYMOUS, now, site, requestId: null }
    for (let n = 0; n < 6; n++)
      await assert.rejects(
        transact(db.write, async (tx) => {
          await claimMail(tx, context, 'gus@mail.example')
          throw new Error('the command fails')
        }),
      )
    assert.equal((await askOften(7, () => ({ to: 'gus@mail.example' }))).sent, 6)
  })

  test('are counted by all nodes together', async () => {
    const cause = (n: number): Cause => ({ to: 'gus@mail.example', on: n % 2 ? db : otherNode })
    assert.equal((await askOften(10, cause)).sent, 6)
  })

  const askAtOnce = async (read: ReadCounts) => {
    const verdicts = await Promise.all(Array.from({ length: AT_ONCE }, () => ask({ to: 'gus@mail.example' }, read)))
    return verdicts.filter(({ ok }) => ok).length
  }
  test('are limited if they are asked for at the same time', async () => assert.equal(await askAtOnce(lockCounts), 6))
  test('exceed the limit without the locks on the counts', async () => {
    await ask({ to: 'gus@mail.example' })
    const { promise, resolve } = Promise.withResolvers<void>()
    let here = 0
    const careless: ReadCounts = async (tx, keys) => {
      const rows = await tx.selectFrom('rate_count').selectAll().execute()
      if (++here === AT_ONCE) resolve()
      await promise
      const counts = new Map(rows.map((row) => [row.key.toString('hex'), { count: row.count, endsAt: row.ends_at }]))
      return new Map(keys.map(({ key }) => [key.toString('hex'), counts.get(key.toString('hex'))!]))
    }
    assert.equal(await askAtOnce(careless), AT_ONCE)
  })

  test('are not refused to a family that registers five people by one mailbox', async () => {
    const cause = (n: number): Cause => ({ to: `family+${n}@mail.example`, network: '192.0.2.1' })
    assert.equal((await askOften(5, cause)).sent, 5)
  })
  test('are not refused to a club of a hundred people behind one network address', async () => {
    const cause = (n: number): Cause => ({ to: `member${n}@mail.example`, network: '192.0.2.1' })
    assert.equal((await askOften(100, cause)).sent, 100)
  })

  test('follow the factor of rate limits per network only', async () => {
    const network = (n: number, rateLimitFactor: number): Cause => ({
      to: `g${n}@mail.example`,
      network: '192.0.2.1',
      change: { rateLimitFactor },
    })
    assert.equal((await askOften(5, (n) => network(n, 1 / 60))).sent, 2)
    assert.equal((await askOften(5, (n) => network(n, Number.POSITIVE_INFINITY))).sent, 5)
    const change = { rateLimitFactor: Number.POSITIVE_INFINITY }
    assert.equal((await askOften(8, () => ({ to: 'gus@mail.example', change }))).sent, 6)
  })

  test('are not counted where no mail is sent', async () =>
    assert.equal((await askOften(9, () => ({ to: 'gus@mail.example', change: { isMailOff: true } }))).sent, 9))

  test('are limited in this day after the clock was set back by a year', async () => {
    const year = 365 * 24 * HOUR_MS
    later(year)
    await askOften(6, () => ({ to: 'gus@mail.example' }))
    now = new Date(START)
    assert.equal((await askOften(7, () => ({ to: 'gus@mail.example' }))).sent, 6)
  })

  test('store neither addresses nor networks, and the counts are deleted after the window', async () => {
    await ask({ to: 'gus@mail.example', actor: guest(1), network: '192.0.2.1' })
    const rows = await db.write.selectFrom('rate_count').selectAll().execute()
    assert.equal(rows.length, 6)
    assert.doesNotMatch(rows.map(({ key }) => key.toString('latin1')).join(), /gus|192/)
    await deleteEndedCounts(db.write, new Date(START + 25 * HOUR_MS))
    assert.deepEqual(await db.write.selectFrom('rate_count').selectAll().execute(), [])
  })

  describe('to organisers, about guests and visitors', () => {
    const notify = (sender: string | undefined, userIds: number[]) =>
      transact(db.write, (tx) => claimNotices(tx, now, { sender, userIds }))
    const sentOf = async (count: number, sender: (n: number) => string | undefined, userIds = [1]) => {
      let sent = 0
      for (let n = 0; n < count; n++) sent += (await notify(sender(n), userIds)).filter((wait) => wait === undefined).length
      return sent
    }
    test('wait after twelve of one sender in an hour', async () => {
      assert.equal(await sentOf(13, () => 'guest 1'), 12)
      assert.deepEqual(await notify('guest 1', [2]), [new Date(START + HOUR_MS)])
      assert.deepEqual(await notify('guest 2', [1]), [undefined])
      later(HOUR_MS)
      assert.deepEqual(await notify('guest 1', [1]), [undefined])
    })
    test('wait after thirty to one person in an hour', async () => {
      assert.equal(await sentOf(31, (n) => `guest ${n}`), 30)
      assert.deepEqual(await notify('visitor 1', [1, 2]), [new Date(START + HOUR_MS), undefined])
    })
    test('do not use up the mails that the person may ask for', async () => {
      await sentOf(31, (n) => `guest ${n}`)
      assert.ok((await ask({ to: 'organiser@mail.example', actor: guest(1) })).ok)
    })
  })
})

test('who is refused reads why, and when to try again', () => {
  const now = new Date('2031-05-04T08:00:10Z')
  const text = (language: 'en' | 'de', refusal: Omit<MailRefusal, 'ok'>) =>
    mailRefusalText(wordsFor(language, 'Europe/Berlin'), now, { ok: false, ...refusal })
  const soon = new Date('2031-05-04T08:59:01Z')
  assert.match(text('en', { by: 'target', retryAt: soon }), /sent to this address already.* try again after 11:00\./)
  assert.match(text('en', { by: 'sender', retryAt: soon }), /You have asked for several emails/)
  assert.match(text('en', { by: 'network', retryAt: soon }), /from your network.* after 11:00\./)
  assert.match(text('de', { by: 'network', retryAt: soon }), /Aus deinem Netz.* ab 11:00 noch einmal\./)
  assert.match(text('en', { by: 'target', retryAt: new Date('2031-05-05T08:00:00Z') }), /5 May.*10:00/)
})
