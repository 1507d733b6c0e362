import { MOVE, missing, type PersonalTable } from '#platform/db/personal-table.ts'

export const eventsPersonalData: readonly PersonalTable[] = [
  {
    table: 'event_user_grant',
    column: 'user_id',
    export: { section: 'event_grants', adds: { event: '(select e.title from event e where e.id = t.event_id)' } },
    merge: missing('event_id', 'permission'),
    erased: 'deleted',
  },
  {
    table: 'event_type_default_user',
    column: 'user_id',
    export: {
      section: 'event_type_grants',
      adds: { event_type: '(select e.title from event_type e where e.id = t.event_type_id)' },
    },
    merge: missing('event_type_id'),
    erased: 'deleted',
  },
  {
    table: 'event',
    column: 'created_by_id',
    export: { section: 'events_created', only: ['id', 'title', 'created_at'] },
    merge: MOVE,
    erased: 'anonymous',
  },
]
