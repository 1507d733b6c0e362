import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { transact } from '#platform/db/transaction.ts'
import { actorOf, GUEST, VISITOR } from '#test/support/command-context.ts'
import { ANN, BEN, HELPERS, NORD } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { GUARD, lockPersonAndEvent } from './locks.ts'

describe('the locks of commands', async () => {
  const world = await openWorld()
  const events = [
    await world.addEvent({ seenBy: [HELPERS], sharedWith: [NORD], shifts: [{}] }),
    await world.addEvent({ seenBy: [HELPERS], sharedWith: [NORD], shifts: [{}] }),
  ]
  // People of all kinds with the same numbers.
  for (const { id, name } of [ANN, BEN]) {
    const who = { id, display_name: name, email: `${name}@nord.example`, date_of_birth: '2000-01-01' }
    await world.db.write
      .insertInto('visitor')
      .values({ ...who, federated_guest_id: NORD.id })
      .execute()
    await world.db.write
      .insertInto('guest')
      .values({ ...who, event_id: events[0]!.id, access_token_hash: Buffer.from(name) })
      .execute()
  }
  for (const { id } of events)
    await world.db.write
      .insertInto('guest_share')
      .values({ event_id: id, token_hash: Buffer.from(`a share ${id}`), token_sealed: '' })
      .execute()
  const KEYS = {
    user_profile: 'id',
    visitor: 'id',
    guest: 'id',
    event: 'id',
    event_share: 'event_id',
    guest_share: 'event_id',
  } as const
  /** Rows that another transaction cannot lock. */
  async function findLocked(): Promise<string[]> {
    const found: string[] = []
    for (const [table, key] of Object.entries(KEYS)) {
      const read = (lock: ReturnType<typeof sql>) =>
        sql<{ id: number }>`select ${sql.ref(key)} as id from ${sql.table(table)} order by 1 ${lock}`.execute(world.db.write)
      const [all, free] = [await read(sql``), await read(sql`for update skip locked`)]
      const isFree = new Set(free.rows.map(({ id }) => id))
      found.push(...all.rows.filter(({ id }) => !isFree.has(id)).map(({ id }) => `${table} ${id}`))
    }
    return found
  }
  const [first, second] = [events[0]!.id, events[1]!.id]
  const visitor = { ...VISITOR, federatedGuestId: NORD.id }
  const both = (ids: { person: number; event: number }, waits = true) => ({
    who: { kind: 'local', id: ids.person } as const,
    reached: sql<{ id: number }>`select id from event where id = ${ids.event}`,
    waits,
  })
  const CASES: [what: string, lock: (tx: Parameters<typeof GUARD.lockEvent>[0]) => Promise<unknown>, locked: string[]][] = [
    ['nobody', (tx) => GUARD.lockPeople(tx, []), []],
    ['a person', (tx) => GUARD.lockPeople(tx, [{ kind: 'local', id: ANN.id }]), [`user_profile ${ANN.id}`]],
    ['a visitor', (tx) => GUARD.lockPeople(tx, [{ kind: 'visitor', id: ANN.id }]), [`visitor ${ANN.id}`]],
    ['a guest', (tx) => GUARD.lockPeople(tx, [{ kind: 'guest', id: ANN.id }]), [`guest ${ANN.id}`]],
    [
      'a person and a guest',
      (tx) =>
        GUARD.lockPeople(tx, [
          { kind: 'guest', id: BEN.id },
          { kind: 'local', id: ANN.id },
        ]),
      [`user_profile ${ANN.id}`, `guest ${BEN.id}`],
    ],
    ['an event', (tx) => GUARD.lockEvent(tx, first), [`event ${first}`]],
    ['an event without waiting', (tx) => GUARD.lockEvent(tx, second, { waits: false }), [`event ${second}`]],
    [
      'a person and an event that the person reaches',
      (tx) => lockPersonAndEvent(tx, both({ person: ANN.id, event: first })),
      [`user_profile ${ANN.id}`, `event ${first}`],
    ],
    [
      'the same without waiting',
      (tx) => lockPersonAndEvent(tx, both({ person: ANN.id, event: first }, false)),
      [`user_profile ${ANN.id}`, `event ${first}`],
    ],
    ['a person who reaches no event', (tx) => lockPersonAndEvent(tx, both({ person: ANN.id, event: 0 })), []],
    ['nobody, for an event', (tx) => lockPersonAndEvent(tx, both({ person: 0, event: first })), []],
    ['the share of a person with an account', (tx) => GUARD.lockShare(tx, first, actorOf(ANN)), []],
    ['the share of a visitor', (tx) => GUARD.lockShare(tx, first, visitor), [`event_share ${first}`]],
    ['the share of a visitor of another instance', (tx) => GUARD.lockShare(tx, first, { ...visitor, federatedGuestId: 0 }), []],
    ['the share of a guest', (tx) => GUARD.lockShare(tx, second, GUEST), [`guest_share ${second}`]],
  ]
  for (const [what, lock, locked] of CASES)
    test(`of ${what}: ${locked.join(', ') || 'none'}`, async () => {
      const found = await transact(world.db.write, async (tx) => {
        await lock(tx)
        return findLocked()
      })
      assert.deepEqual(found, locked)
      assert.deepEqual(await findLocked(), [])
    })

  test('of an event: one that does not wait is told that another transaction has it', async () => {
    await transact(world.db.write, async (tx) => {
      assert.equal(await GUARD.lockEvent(tx, first), true)
      const other = (eventId: number) =>
        transact(world.db.write, (another) => GUARD.lockEvent(another, eventId, { waits: false }))
      assert.deepEqual([await other(first), await other(second)], [false, true])
    })
  })
  test('of a person and an event: the person is locked, also if another transaction has the event', async () => {
    await transact(world.db.write, async (tx) => {
      await GUARD.lockEvent(tx, first)
      const found = await transact(world.db.write, async (another) => [
        await lockPersonAndEvent(another, both({ person: ANN.id, event: first }, false)),
        await lockPersonAndEvent(another, both({ person: ANN.id, event: second }, false)),
        await findLocked(),
      ])
      const locked = [`user_profile ${ANN.id}`, `event ${first}`, `event ${second}`]
      assert.deepEqual(found, [{ eventId: first, isLocked: false }, { eventId: second, isLocked: true }, locked])
    })
  })
})
