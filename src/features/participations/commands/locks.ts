import type { Tx } from '#platform/db/transaction.ts'
import type { Participant } from '../queries/signup-facts.ts'

const TABLES = { local: 'user_profile', visitor: 'visitor', guest: 'guest' } as const
const ORDER = ['local', 'visitor', 'guest'] as const

/** Handed in, so that a test can show what happens without. */
export type Guard = {
  lockPeople: (tx: Tx, people: readonly Participant[]) => Promise<void>
  lockEvent: (tx: Tx, eventId: number) => Promise<void>
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
  checked: async () => {},
}
