import type { Actor } from '#platform/auth/actor.ts'
import type { Tx } from '#platform/db/transaction.ts'
import type { Participant } from '../rules/candidacy.ts'

const TABLES = { local: 'user_profile', visitor: 'visitor', guest: 'guest' } as const
const ORDER = ['local', 'visitor', 'guest'] as const

/** Handed in, so that a test can show what happens without. */
export type Guard = {
  lockPeople: (tx: Tx, people: readonly Participant[]) => Promise<void>
  lockEvent: (tx: Tx, eventId: number) => Promise<void>
  /** For those who reach an event by a share only. */
  lockShare: (tx: Tx, eventId: number, actor: Actor) => Promise<void>
  /** Between the checks and the writing. */
  checked: () => Promise<void>
}

/**
 * People by kind and id, then the event, everywhere: two commands can wait for each other, never deadlock. The person keeps two
 * shifts at the same time apart, the event its places. "No key": rows that refer to these do not wait.
 */
export const GUARD: Guard = {
  lockPeople: async (tx, people) => {
    for (const kind of ORDER) {
      const ids = people.filter((who) => who.kind === kind).map(({ id }) => id)
      if (ids.length)
        await tx.selectFrom(TABLES[kind]).select('id').where('id', 'in', ids).orderBy('id').forNoKeyUpdate().execute()
    }
  },
  lockEvent: async (tx, eventId) => {
    await tx.selectFrom('event').select('id').where('id', '=', eventId).forNoKeyUpdate().execute()
  },
  // A share that ends meanwhile waits until this is done; one that has ended is found by the check that follows.
  lockShare: async (tx, eventId, actor) => {
    if (actor.kind === 'visitor') {
      const share = tx.selectFrom('event_share').select('event_id').where('event_id', '=', eventId)
      await share.where('federated_guest_id', '=', actor.federatedGuestId).forKeyShare().execute()
    }
    if (actor.kind === 'guest')
      await tx.selectFrom('guest_share').select('event_id').where('event_id', '=', eventId).forShare().execute()
  },
  checked: async () => {},
}
