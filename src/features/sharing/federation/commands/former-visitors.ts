import { sql } from 'kysely'
import { replaceByPlaceholders } from '#features/staffing/participations/commands/cascades.ts'
import { removeVisitorsById } from '#features/staffing/participations/commands/visitors.ts'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { transact } from '#platform/db/transaction.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { record } from '#platform/journal/journal.ts'
import { isFormerVisitor } from '../queries/former-visitors.ts'

const BATCH_SIZE = 50

/** Deletes visitors who have not come back since then. Their participations become placeholders. Returns the number of visitors. */
export async function deleteFormerVisitors(context: Omit<CommandContext, 'actor'>, before: Date): Promise<number> {
  const { rows: partners } = await sql<{ id: number; name: string }>`
    select g.id, g.name from federated_guest g
    where exists (select from visitor v where v.federated_guest_id = g.id and ${isFormerVisitor(before)}) order by g.id`.execute(
    context.db,
  )
  let deleted = 0
  for (const partner of partners)
    for (let batch = BATCH_SIZE; batch === BATCH_SIZE; deleted += batch)
      batch = await deleteVisitorsOf({ ...context, actor: ANONYMOUS }, partner, before)
  return deleted
}

async function deleteVisitorsOf(context: CommandContext, partner: { id: number; name: string }, before: Date): Promise<number> {
  const { site } = context
  return transact(context.db, async (tx) => {
    // Lock order: visitors by id, events by id.
    const { rows } = await sql<{ id: number }>`
      select v.id from visitor v where v.federated_guest_id = ${partner.id} and ${isFormerVisitor(before)}
      order by v.id limit ${BATCH_SIZE} for update`.execute(tx)
    const ids = rows.map(({ id }) => id)
    if (!ids.length) return 0
    const name = wordsFor(site.defaultLanguage ?? 'en', site.timeZone).t('visit.former_guest', { name: partner.name })
    await replaceByPlaceholders(tx, { kind: 'visitor', ids, name })
    await removeVisitorsById(tx, ids)
    await record(tx, context, {
      kind: 'federated_guest.visitors_expired',
      subject: { kind: 'federated_guest', id: partner.id },
      changes: { count: ids.length },
    })
    return ids.length
  })
}
