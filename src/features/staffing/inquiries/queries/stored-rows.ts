import { sql } from 'kysely'
import { shiftRows } from '#features/planning/removed-shifts/points.ts'
import type { Addition } from '#platform/features/extension-points.ts'

/** When a shift is removed, its inquiries end. If it is restored, planners still see whom they have asked. */
export const inquiryRows: readonly Addition[] = [
  shiftRows.add({
    table: 'inquiry',
    column: 'shift_id',
    of: 'shift',
    people: ['created_by_id'],
    stored: (
      now,
    ) => sql`to_jsonb(t) || jsonb_build_object('next_wave_at', null, 'ended_at', coalesce(t.ended_at, ${now}::timestamptz),
      'end_reason', coalesce(t.end_reason, 'cancelled'))`,
  }),
  shiftRows.add({ table: 'inquiry_person', column: 'inquiry_id', of: 'inquiry', person: 'user_id', people: ['user_id'] }, 10),
]
