import { sql } from 'kysely'
import { shiftRows } from '#features/planning/removed-shifts/points.ts'
import type { Addition } from '#platform/features/extension-points.ts'

/** When a shift is removed, its offers end: their people wait again if it is restored, and the place is offered anew. */
export const waitingRows: readonly Addition[] = [
  shiftRows.add({
    table: 'waiting_line',
    column: 'shift_id',
    of: 'shift',
    stored: () => sql`to_jsonb(t) || jsonb_build_object('is_due', t.is_due or exists (
      select from waiting_entry w where w.shift_id = t.shift_id and w.state = 'offered'))`,
  }),
  shiftRows.add({
    table: 'waiting_entry',
    column: 'shift_id',
    of: 'shift',
    person: 'user_id',
    people: ['user_id', 'offered_by_id'],
    stored: () => sql`to_jsonb(t) || case when t.state = 'offered'
      then '{"state": "waiting", "offered_at": null, "offered_until": null, "structure_data": {}}'::jsonb else '{}'::jsonb end`,
  }),
]
