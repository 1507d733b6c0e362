import { sql } from 'kysely'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { transact } from '#platform/db/transaction.ts'
import { clearFieldInJournal, record } from '#platform/journal/journal.ts'
import { hasUnneededBirthDate } from '../queries/birth-dates.ts'

const BATCH_SIZE = 500

/** Also in the log. Returns the number of people. */
export async function clearBirthDates(context: Omit<CommandContext, 'actor'>, before: Date): Promise<number> {
  for (let cleared = 0; ; ) {
    const count = await transact(context.db, async (tx) => {
      const { rows } = await sql<{ id: number }>`
        update user_profile u set date_of_birth = null
        where u.id in (select u.id from user_profile u where ${hasUnneededBirthDate(before)} order by u.id limit ${BATCH_SIZE} for no key update)
        returning u.id`.execute(tx)
      if (!rows.length) return 0
      await clearFieldInJournal(
        tx,
        rows.map(({ id }) => id),
        'date_of_birth',
      )
      await record(
        tx,
        { ...context, actor: ANONYMOUS },
        {
          kind: 'user.birth_dates_expired',
          subject: { kind: 'user', id: null },
          changes: { count: rows.length },
        },
      )
      return rows.length
    })
    cleared += count
    if (count < BATCH_SIZE) return cleared
  }
}
