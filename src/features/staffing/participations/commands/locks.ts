import { type RawBuilder, sql } from 'kysely'
import { requireActing } from '#features/accounts/users/commands/guardians.ts'
import type { Participant } from '#features/staffing/eligibility/rules/candidacy.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { Tx } from '#platform/db/transaction.ts'

const TABLES = { local: 'user_profile', visitor: 'visitor', guest: 'guest' } as const
const ORDER = ['local', 'visitor', 'guest'] as const

/** A parameter of the commands, so that a test can show the race without the locks. */
export type Guard = {
  lockPeople: (tx: Tx, people: readonly Participant[]) => Promise<void>
  /** False: another transaction holds the lock, and this one does not wait for it. */
  lockEvent: (tx: Tx, eventId: number, options?: { waits: boolean }) => Promise<boolean>
  /** For visitors and guests, who reach an event only through a share. */
  lockShare: (tx: Tx, eventId: number, actor: Actor) => Promise<void>
  /** For guardians: whether they still act for the child. After `lockPeople`, because ending a guardianship locks the child. */
  checkActing: (tx: Tx, context: Pick<CommandContext, 'actor' | 'now' | 'site'>) => Promise<void>
  /** Called between the checks and the writes. */
  checked: () => Promise<void>
}

/**
 * All commands lock people by kind and id, then the event, so they cannot deadlock. The lock on the person prevents sign-ups for two
 * shifts at the same time, the lock on the event prevents overbooking. `for no key update` does not block foreign key checks.
 */
export const GUARD: Guard = {
  lockPeople: async (tx, people) => {
    for (const kind of ORDER) {
      const ids = people.filter((who) => who.kind === kind).map(({ id }) => id)
      if (ids.length)
        await tx.selectFrom(TABLES[kind]).select('id').where('id', 'in', ids).orderBy('id').forNoKeyUpdate().execute()
    }
  },
  lockEvent: async (tx, eventId, { waits } = { waits: true }) => {
    const lock = tx.selectFrom('event').select('id').where('id', '=', eventId).forNoKeyUpdate()
    const locked = await (waits ? lock : lock.skipLocked()).execute()
    return waits || locked.length > 0
  },
  // Ending the share waits for this transaction; a share that has already ended fails the access check that follows.
  lockShare: async (tx, eventId, actor) => {
    if (actor.kind === 'visitor') {
      const share = tx.selectFrom('event_share').select('event_id').where('event_id', '=', eventId)
      await share.where('federated_guest_id', '=', actor.federatedGuestId).forKeyShare().execute()
    }
    if (actor.kind === 'guest')
      await tx.selectFrom('guest_share').select('event_id').where('event_id', '=', eventId).forShare().execute()
  },
  checkActing: requireActing,
  checked: async () => {},
}

/** `isLocked`: as `lockEvent`. */
type Locked = { eventId: number; isLocked: boolean }

/**
 * Locks a person and then an event that the person reaches: `reached` is a query of its id. Undefined, and nothing is locked, if the person
 * does not exist or does not reach it. By one statement, which finds the event by the id that comes from the locked person; tests that
 * replace one of the locks get them one by one.
 */
export async function lockPersonAndEvent(
  tx: Tx,
  { who, reached, waits }: { who: Participant; reached: RawBuilder<{ id: number }>; waits: boolean },
  guard: Guard = GUARD,
): Promise<Locked | undefined> {
  if (guard.lockPeople !== GUARD.lockPeople || guard.lockEvent !== GUARD.lockEvent) {
    const event = await rowsOf(tx).first(reached)
    if (!event) return undefined
    await guard.lockPeople(tx, [who])
    return { eventId: event.id, isLocked: await guard.lockEvent(tx, event.id, { waits }) }
  }
  return rowsOf(tx).first(sql<Locked>`
    with person as materialized (
      select reached.id as event_id from (${reached}) reached cross join ${sql.table(TABLES[who.kind])} who
      where who.id = ${who.id} for no key update of who),
    locked as materialized (
      select id from event where id = (select event_id from person) for no key update ${waits ? sql`` : sql`skip locked`})
    select event_id as "eventId", exists (select from locked) as "isLocked" from person`)
}
