import { sql } from 'kysely'
import { requireActing } from '#features/accounts/users/commands/guardians.ts'
import { lockPerson } from '#features/accounts/users/commands/locks.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { Problem } from '#platform/http/problem.ts'
import { record } from '#platform/journal/journal.ts'
import type { DayPeriod, WeeklyTime } from '../rules/availability.ts'

/** Enough for every day of a week in several parts, and for many years of holidays. */
const MAX_ENTRIES = 200

type Outcome = { ok: true } | { ok: false; reason: 'order' | 'too_many' | 'past' }

export function requireUser({ actor }: CommandContext): number {
  if (actor.kind !== 'user') throw new Problem('permission_denied')
  return actor.userId
}

export async function addWeeklyTime(context: CommandContext, { kind, weekday, from, until }: WeeklyTime): Promise<Outcome> {
  const userId = requireUser(context)
  if (until <= from) return { ok: false, reason: 'order' }
  return transact(context.db, async (tx): Promise<Outcome> => {
    await lockPerson(tx, userId)
    await requireActing(tx, context)
    if (await isFull(tx, userId)) return { ok: false, reason: 'too_many' }
    await tx
      .insertInto('weekly_time')
      .values({ user_id: userId, kind, weekday, from_minute: from, until_minute: until })
      .execute()
    await record(tx, context, availabilityChanged(userId))
    return { ok: true }
  })
}

export async function addPeriod(context: CommandContext, { kind, first, last }: DayPeriod, today: string): Promise<Outcome> {
  const userId = requireUser(context)
  if (last < first) return { ok: false, reason: 'order' }
  if (last < today) return { ok: false, reason: 'past' }
  return transact(context.db, async (tx): Promise<Outcome> => {
    await lockPerson(tx, userId)
    await requireActing(tx, context)
    if (await isFull(tx, userId)) return { ok: false, reason: 'too_many' }
    await tx.insertInto('day_period').values({ user_id: userId, kind, first_day: first, last_day: last }).execute()
    await record(tx, context, availabilityChanged(userId))
    return { ok: true }
  })
}

async function isFull(tx: Tx, userId: number): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`
    select ((select count(*) from weekly_time where user_id = ${userId})
      + (select count(*) from day_period where user_id = ${userId}))::int as count`.execute(tx)
  return rows[0]!.count >= MAX_ENTRIES
}

/** Times are private, so that the log only says that they changed. */
export const availabilityChanged = (userId: number) =>
  ({ kind: 'user.availability_changed', subject: { kind: 'user', id: userId } }) as const

/** An entry that is gone already is no error: another tab deleted it. */
export async function deleteEntry(context: CommandContext, table: 'weekly_time' | 'day_period', id: number): Promise<void> {
  const userId = requireUser(context)
  await transact(context.db, async (tx) => {
    await lockPerson(tx, userId)
    await requireActing(tx, context)
    const deleted = await tx.deleteFrom(table).where('id', '=', id).where('user_id', '=', userId).returning('id').execute()
    if (deleted.length > 0) await record(tx, context, availabilityChanged(userId))
  })
}

/** For the erasure of a person. */
export async function deleteAvailabilityOf(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('weekly_time').where('user_id', '=', userId).execute()
  await tx.deleteFrom('day_period').where('user_id', '=', userId).execute()
  await tx.deleteFrom('private_calendar').where('user_id', '=', userId).execute()
}
