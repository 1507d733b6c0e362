import { sql } from 'kysely'
import { replaceByPlaceholders } from '#features/staffing/participations/commands/cascades.ts'
import { removeVisitors } from '#features/staffing/participations/commands/visitors.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { transact } from '#platform/db/transaction.ts'
import type { Language } from '#platform/i18n/languages.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { record } from '#platform/journal/journal.ts'

type DeleteGuestOutcome = { ok: true } | { ok: false; reason: 'unknown_guest' }

/** Placeholders are names: they are written once, in the language of the administrator or else of the instance. */
const languageOf = ({ actor, site }: CommandContext): Language =>
  actor.kind === 'user' ? actor.language : (site.defaultLanguage ?? 'en')

/** Ends the link to a guest instance. Deletes its token, shares and visitors; their participations become placeholders. */
export async function deleteGuest(context: CommandContext, guestId: number): Promise<DeleteGuestOutcome> {
  return transact(context.db, async (tx) => {
    // Blocks new visitors and a concurrent deletion. Lock order: guest, visitors by id, events by id.
    const guest = await tx
      .selectFrom('federated_guest')
      .select(['name', 'url'])
      .where('id', '=', guestId)
      .forUpdate()
      .executeTakeFirst()
    if (!guest) return { ok: false, reason: 'unknown_guest' }
    const { rows: visitors } = await sql<{ id: number }>`
      select id from visitor where federated_guest_id = ${guestId} order by id for update`.execute(tx)
    const { participations } = await replaceByPlaceholders(tx, {
      kind: 'visitor',
      ids: visitors.map(({ id }) => id),
      name: wordsFor(languageOf(context), context.site.timeZone).t('visit.former_guest', { name: guest.name }),
    })
    await removeVisitors(tx, guestId)
    await tx.deleteFrom('event_share').where('federated_guest_id', '=', guestId).execute()
    // A foreign key deletes its tokens.
    await tx.deleteFrom('federated_guest').where('id', '=', guestId).execute()
    await record(tx, context, {
      kind: 'federated_guest.deleted',
      subject: { kind: 'federated_guest', id: guestId },
      changes: { name: guest.name, url: guest.url, visitors: visitors.length, participations },
    })
    return { ok: true }
  })
}
