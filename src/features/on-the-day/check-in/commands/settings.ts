import { sql } from 'kysely'
import { changeableBy } from '#features/events/events/access.ts'
import { refuseEvent } from '#features/events/events/queries/refusals.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { hashSecret, randomSecret } from '#platform/auth/secrets.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'
import { pairChanges } from '#platform/journal/kinds.ts'
import type { CheckInSettings } from '../schema.ts'

/** Short, so that the code has few squares and cameras read it from afar (about 119 bits). */
const TOKEN_LENGTH = 20

async function lockPlanned(tx: Tx, { actor }: CommandContext, eventId: number): Promise<void> {
  const { rows } = await sql`
    select from event e where e.id = ${eventId} and e.deleted_at is null and ${changeableBy(actor)} for no key update`.execute(tx)
  if (!rows.length) throw await refuseEvent(tx, actor, eventId)
}

function makeToken({ site }: CommandContext) {
  const token = randomSecret(TOKEN_LENGTH)
  return { token_hash: hashSecret(token), token_sealed: site.keyring.seal(token) }
}

const FIELDS = ['is_active', 'minutes_before', 'is_changing'] as const
const NO_SETTINGS = { is_active: null, minutes_before: null, is_changing: null }

export async function saveCheckInSettings(context: CommandContext, eventId: number, settings: CheckInSettings): Promise<void> {
  await transact(context.db, async (tx) => {
    await lockPlanned(tx, context, eventId)
    const before = await tx.selectFrom('event_check_in').select(FIELDS).where('event_id', '=', eventId).executeTakeFirst()
    const changed = FIELDS.filter((name) => before?.[name] !== settings[name])
    if (!changed.length) return
    if (before) await tx.updateTable('event_check_in').set(settings).where('event_id', '=', eventId).execute()
    else
      await tx
        .insertInto('event_check_in')
        .values({ event_id: eventId, ...makeToken(context), ...settings })
        .execute()
    await record(tx, context, {
      kind: 'event.check_in_changed',
      subject: { kind: 'event', id: eventId },
      eventId,
      changes: pairChanges(changed, before ?? NO_SETTINGS, settings),
    })
  })
}

/** A new code; printed ones stop working. False: there is none yet. */
export async function renewCheckInCode(context: CommandContext, eventId: number): Promise<boolean> {
  return transact(context.db, async (tx) => {
    await lockPlanned(tx, context, eventId)
    const { numUpdatedRows } = await tx
      .updateTable('event_check_in')
      .set(makeToken(context))
      .where('event_id', '=', eventId)
      .executeTakeFirst()
    if (!numUpdatedRows) return false
    await record(tx, context, { kind: 'event.check_in_code_renewed', subject: { kind: 'event', id: eventId }, eventId })
    return true
  })
}
