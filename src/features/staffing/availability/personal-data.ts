import { MOVE, type PersonalTable } from '#platform/db/personal-table.ts'

export const availabilityPersonalData: readonly PersonalTable[] = [
  { table: 'weekly_time', column: 'user_id', export: { section: 'weekly_times' }, merge: MOVE, erased: 'deleted' },
  { table: 'day_period', column: 'user_id', export: { section: 'day_periods' }, merge: MOVE, erased: 'deleted' },
  {
    table: 'private_calendar',
    column: 'user_id',
    export: { section: 'private_calendars', without: { address_sealed: 'secret' } },
    merge: MOVE,
    erased: 'deleted',
  },
  {
    table: 'busy_time',
    column: 'user_id',
    via: { table: 'private_calendar', id: 'id', key: 'calendar_id' },
    export: { section: 'busy_times' },
    merge: { do: 'stay', because: 'belongs to the calendar, which moves' },
    erased: 'deleted',
  },
]
