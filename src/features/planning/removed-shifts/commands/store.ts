import { type RawBuilder, sql } from 'kysely'
import { userIdOrNull } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import type { Tx } from '#platform/db/transaction.ts'
import { type ShiftRows, shiftRows } from '../points.ts'
import { restorableSince } from '../rules.ts'

type StoredRows = Exclude<ShiftRows, { lost: string }>

/** Those that are stored and restored, parents first. */
export const storedRows = ({ site }: Pick<CommandContext, 'site'>): StoredRows[] =>
  site.added(shiftRows).filter((rows): rows is StoredRows => !('lost' in rows))

type Removal = { shiftId: number; reason: string | undefined; copies: RawBuilder<unknown> }

/**
 * Copies the shift with everything that belongs to it. The caller holds the locks of the participants and the event, and deletes the shift
 * afterwards. `reason`: the shift is cancelled; without one it is deleted. `copies`: a condition on `participation` as `t`, for those of
 * coupled shifts that leave with it.
 */
export async function storeShift(tx: Tx, context: CommandContext, { shiftId, reason, copies }: Removal): Promise<void> {
  const { now, actor } = context
  const by = userIdOrNull(actor)
  await sql`
    insert into removed_shift (id, event_id, is_cancelled, reason, removed_at, removed_by_id, label, meeting_time, start_time, end_time, row)
    select t.id, t.event_id, ${reason !== undefined}, ${reason ?? ''}, ${now}, ${by}, t.label, t.meeting_time, t.start_time, t.end_time, to_jsonb(t)
    from shift t where t.id = ${shiftId}`.execute(tx)
  await sql`
    insert into removed_participation (id, removed_shift_id, shift_id, user_id, guest_id, visitor_id, state, start_time, end_time, row)
    select t.id, ${shiftId}, t.shift_id, t.user_id, t.guest_id, t.visitor_id, t.state, t.start_time, t.end_time, to_jsonb(t)
    from participation t where t.shift_id = ${shiftId} or ${copies}`.execute(tx)
  for (const rows of storedRows(context)) await storeRows(tx, rows, shiftId, now)
}

async function storeRows(tx: Tx, rows: StoredRows, shiftId: number, now: Date): Promise<void> {
  const stored = rows.stored?.(now) ?? sql`to_jsonb(t)`
  const participation = rows.of === 'participation' ? sql.ref(`t.${rows.column}`) : sql`null::bigint`
  const person = rows.person === undefined ? sql`null::bigint` : sql.ref(`t.${rows.person}`)
  await sql`
    insert into removed_row (removed_shift_id, participation_id, user_id, table_name, row)
    select ${shiftId}, ${participation}, ${person}, ${rows.table}, ${stored} from ${sql.table(rows.table)} t
    where ${sql.ref(`t.${rows.column}`)} ${parentsOf(rows, shiftId)}`.execute(tx)
}

function parentsOf({ of }: StoredRows, shiftId: number): RawBuilder<unknown> {
  if (of === 'shift') return sql`= ${shiftId}`
  if (of === 'participation') return sql`in (select id from removed_participation where removed_shift_id = ${shiftId})`
  return sql`in (select (row ->> 'id')::bigint from removed_row where removed_shift_id = ${shiftId} and table_name = ${of})`
}

/** Deleted shifts that can no longer be restored. */
export async function deleteOldRemovals(tx: Tx, now: Date): Promise<void> {
  await sql`delete from removed_shift where not is_cancelled and removed_at <= ${restorableSince(now)}`.execute(tx)
}
