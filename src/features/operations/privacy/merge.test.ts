import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { findDrift } from '#features/operations/backup/commands/denormalised.ts'
import { findWrongStatistics } from '#features/staffing/staffing/queries/staffing.ts'
import type { Tx } from '#platform/db/transaction.ts'
import { personalDataOf } from '#platform/features/personal-data.ts'
import { addCanary } from '#test/support/canary.ts'
import { contextAs } from '#test/support/command-context.ts'
import { journalOf } from '#test/support/journal.ts'
import { ANN, BEN, HELPERS, OLGA, type Person, PLANNERS } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { FEATURES } from '../../../features.ts'
import { lockBoth, mergeAccounts } from './commands/merge.ts'
import { rowsOf } from './queries/export.ts'
import { isOtherBetter, laterExpiry } from './rules/merging.ts'

const PERSONAL_DATA = personalDataOf(FEATURES)

const tools = { tables: PERSONAL_DATA }
const merge = (world: World, remaining: Person, other: Person, by = OLGA) =>
  mergeAccounts(contextAs(world, by), { remainingId: remaining.id, otherId: other.id }, tools)

for (const [remaining, other, isBetter] of [
  [1, 1, false],
  [0, 1, true],
  [1, 0, false],
  [2, 0, true],
  [3, 2, true],
  [2, 3, false],
  [4, 0, true],
] as const)
  test(`state ${other} ${isBetter ? 'replaces' : 'does not replace'} ${remaining}`, () =>
    assert.equal(isOtherBetter(remaining, other), isBetter))

test('no expiry is the latest', () => {
  const [early, late] = [new Date(1), new Date(2)]
  assert.deepEqual([laterExpiry(early, late), laterExpiry(late, early), laterExpiry(early, null)], [late, late, null])
})

describe('merging two accounts', async () => {
  const world = await openWorld()
  const { write } = world.db

  test('moves notifications about children with the guardianship, whichever account is the guardian or the child', async () => {
    const [guardian, child] = [await world.addPerson({ name: 'Gina' }), await world.addPerson({ name: 'Kim' })]
    const [otherGuardian, otherChild] = [await world.addPerson({ name: 'Gina 2' }), await world.addPerson({ name: 'Kim 2' })]
    await write
      .insertInto('guardianship')
      .values({ guardian_id: otherGuardian.id, child_id: otherChild.id, since: world.now })
      .execute()
    const times = { created_at: world.now, next_attempt_at: world.now }
    const copy = { kind: 'profile_changed', source: 'test of a merge', bundle: 'test', mail: 'skipped', ...times }
    await write
      .insertInto('notification')
      .values({ ...copy, user_id: otherGuardian.id, about_id: otherChild.id })
      .execute()
    assert.equal((await merge(world, guardian, otherGuardian)).ok, true)
    assert.equal((await merge(world, child, otherChild)).ok, true)
    const rows = await write
      .selectFrom('notification')
      .select(['user_id', 'about_id'])
      .where('source', '=', copy.source)
      .execute()
    assert.deepEqual(rows, [{ user_id: guardian.id, about_id: child.id }])
  })

  test('moves or ends the rows of every table of the list', async () => {
    const { person: other } = await addCanary(world)
    const mia = await world.addPerson({ name: 'Mia' })
    assert.deepEqual(await merge(world, mia, other), { ok: true, name: 'Mia' })
    const left: string[] = []
    const lost: string[] = []
    for (const entry of PERSONAL_DATA) {
      if (entry.table === 'user_profile' || entry.merge.do === 'stay') continue
      const count = async (id: number) =>
        (await sql`select from ${sql.table(entry.table)} t where ${rowsOf(entry, id)}`.execute(write)).rows.length
      const name = `${entry.table}.${entry.column}`
      if (await count(other.id)) left.push(name)
      if (entry.merge.do !== 'delete' && !(await count(mia.id))) lost.push(name)
    }
    assert.deepEqual({ left, lost }, { left: [], lost: [] })
    const row = await write.selectFrom('user_profile').selectAll().where('id', '=', mia.id).executeTakeFirstOrThrow()
    assert.deepEqual([row.display_name, row.phone, row.date_of_birth], ['Mia', '+49 170 5550199', '1971-02-03'])
    const former = await write.selectFrom('user_profile').selectAll().where('id', '=', other.id).executeTakeFirstOrThrow()
    assert.match(former.display_name, /^Former member/)
    assert.ok(former.deleted_at)
    const entry = (await journalOf(world, 'user', mia.id)).find(({ kind }) => kind === 'user.merged')
    assert.deepEqual(entry?.changes, { merged_id: other.id })
  })

  test('keeps the better of two participations in a shift with comments of both, and counts are right', async () => {
    const [nora, oscar] = [await world.addPerson({ name: 'Nora' }), await world.addPerson({ name: 'Oscar' })]
    const { shifts } = await world.addEvent({
      seenBy: [HELPERS],
      shifts: [{ start: '2031-06-01T08:00:00Z' }, { start: '2031-06-02T08:00:00Z' }, { start: '2031-04-01T08:00:00Z' }],
    })
    const [a, b, c] = shifts as [number, number, number]
    const kept = await world.addParticipation({ who: nora, shift: a, state: 0, comments: [{ text: 'mine', level: 1 }] })
    await world.addParticipation({
      who: oscar,
      shift: a,
      state: 1,
      start: '2031-06-01T08:15:00Z',
      comments: [{ text: 'other', level: 1 }],
    })
    await world.addParticipation({ who: nora, shift: b, state: 1 })
    await world.addParticipation({ who: oscar, shift: b, state: 2 })
    await world.addParticipation({ who: oscar, shift: c, state: 1 })
    const cook = await world.addQualification('Cook')
    await world.holds(nora, cook, new Date('2031-07-01'))
    await world.holds(oscar, cook, new Date('2032-07-01'))
    assert.equal((await merge(world, nora, oscar)).ok, true)
    const rows = await write
      .selectFrom('participation')
      .select(['id', 'shift_id', 'state', 'individual_start_time'])
      .where('user_id', '=', nora.id)
      .orderBy('shift_id')
      .execute()
    assert.deepEqual(
      rows.map(({ shift_id, state }) => [shift_id, state]),
      [
        [a, 1],
        [b, 1],
        [c, 1],
      ],
    )
    assert.deepEqual([rows[0]!.id, rows[0]!.individual_start_time?.toISOString()], [kept, '2031-06-01T08:15:00.000Z'])
    const comments = await write.selectFrom('participation_comment').select('text').where('participation_id', '=', kept).execute()
    assert.deepEqual(comments.map(({ text }) => text).sort(), ['mine', 'other'])
    const grants = await write.selectFrom('qualification_grant').select('expires_at').where('user_id', '=', nora.id).execute()
    assert.deepEqual(grants, [{ expires_at: new Date('2032-07-01') }])
    const counts = await write.selectFrom('shift').select(['confirmed_count', 'requested_count']).where('id', '=', a).execute()
    assert.deepEqual(counts, [{ confirmed_count: 1, requested_count: 0 }])
    assert.deepEqual(await findDrift(write), [], 'as doctor')
    assert.deepEqual(await findWrongStatistics(write, world.now), [])
  })

  test('ends the credentials of the account that ends', async () => {
    const [pia, quinn] = [await world.addPerson({ name: 'Pia' }), await world.addPerson({ name: 'Quinn' })]
    const token = await world.makeToken(quinn, ['ME_READ'])
    const browser = await browserOf(world, quinn)
    await merge(world, pia, quinn)
    assert.equal(await world.with({ authorization: `Bearer ${token}` }).status('/api/users/me/', { unchecked: true }), 401)
    assert.equal((await browser.get('/')).statusCode, 303)
  })

  test('is refused for the own account, the last administrator, superusers and people without permission', async () => {
    const own = await openWorld()
    const stella = await own.addPerson({ name: 'Stella', isStaff: true })
    const tom = await own.addPerson({ name: 'Tom', isStaff: true })
    const rita = await own.addPerson({ name: 'Rita' })
    const refusal = async (remaining: Person, other: Person, by: Person) => {
      const outcome = await merge(own, remaining, other, by)
      return outcome.ok ? 'merged' : outcome.reason
    }
    assert.equal(await refusal(rita, rita, stella), 'same')
    assert.equal(await refusal(rita, stella, stella), 'self')
    assert.equal(await refusal(rita, OLGA, stella), 'administrator')
    assert.equal(await refusal({ ...rita, id: 9999 }, tom, stella), 'unknown')
    await own.setActive(stella, false)
    assert.equal(await refusal(rita, tom, OLGA), 'last_administrator')
    await assert.rejects(merge(own, rita, BEN, ANN), { code: 'permission_denied' })
  })

  test('asks for the address of the account that ends', async () => {
    const [uma, vic] = [await world.addPerson({ name: 'Uma' }), await world.addPerson({ name: 'Vic', phone: '+49 1' })]
    await write.insertInto('user_group_member').values({ group_id: PLANNERS.id, user_id: vic.id }).execute()
    const olga = await browserOf(world, OLGA)
    const path = `/manage/people/${uma.id}/merge/`
    assert.match((await olga.get(`/manage/people/${uma.id}/`)).body, new RegExp(path))
    assert.match((await olga.get(`${path}?q=vic`)).body, new RegExp(`other=${vic.id}`))
    const preview = (await olga.get(`${path}?other=${vic.id}`)).body
    assert.match(preview, /Merge Vic into Uma\?.*\+49 1.*Groups.*moves unless already there/s)
    assert.equal((await olga.post(`${path}?other=${vic.id}`, { form: { confirm: 'wrong' } })).statusCode, 422)
    const done = await olga.post(`${path}?other=${vic.id}`, { form: { confirm: vic.email } })
    assert.equal(done.headers.location, `/manage/people/${uma.id}/`)
    const groups = await write.selectFrom('user_group_member').select('group_id').where('user_id', '=', uma.id).execute()
    assert.deepEqual(groups, [{ group_id: PLANNERS.id }])
    const ann = await browserOf(world, ANN)
    assert.equal((await ann.get(path)).statusCode, 403)
  })
})

describe('two merges of the same people in opposite directions', async () => {
  const world = await openWorld()
  const { write } = world.db
  const race = async (lock: typeof lockBoth) => {
    const [a, b] = [await world.addPerson({ name: 'Ada' }), await world.addPerson({ name: 'Bea' })]
    // Both hold their first lock before either asks for the second.
    let arrived = 0
    let release = () => {}
    const both = new Promise<void>((done) => {
      release = done
    })
    const meet = async () => {
      if (++arrived === 2) release()
      await both
    }
    const outcomes = await Promise.allSettled(
      [
        { remainingId: a.id, otherId: b.id },
        { remainingId: b.id, otherId: a.id },
      ].map((pair) => write.transaction().execute(async (tx) => lockInTurn(tx, pair, lock, meet))),
    )
    return outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [(outcome.reason as { code: string }).code] : []))
  }
  /** The lock that `mergeAccounts` takes; `unordered` takes one row after the other. */
  const lockInTurn = async (
    tx: Tx,
    pair: { remainingId: number; otherId: number },
    lock: typeof lockBoth,
    meet: () => Promise<void>,
  ) => {
    if (lock !== lockBoth) {
      await sql`select from user_profile where id = ${pair.remainingId} for update`.execute(tx)
      await meet()
      await sql`select from user_profile where id = ${pair.otherId} for update`.execute(tx)
    } else await lock(tx, pair)
  }

  test('wait for each other', async () => {
    assert.deepEqual(await race(lockBoth), [])
  })

  test('end in a deadlock if they lock in the order of the form', async () => {
    assert.deepEqual(await race(async () => {}), ['40P01'])
  })
})
