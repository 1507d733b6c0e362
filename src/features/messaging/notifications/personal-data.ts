import { MOVE, missing, type PersonalTable } from '#platform/db/personal-table.ts'

export const notificationsPersonalData: readonly PersonalTable[] = [
  {
    table: 'notification',
    column: 'user_id',
    export: {
      section: 'notifications',
      without: { actor_id: 'other_person', guest_id: 'other_person', visitor_id: 'other_person', about_id: 'other_person' },
      adds: { event: '(select e.title from event e where e.id = t.event_id)' },
    },
    merge: missing('source'),
    erased: 'deleted',
  },
  {
    table: 'notification',
    column: 'actor_id',
    export: { because: 'tells another person; the change itself is in the log of actions' },
    merge: MOVE,
    erased: 'anonymous',
  },
]
