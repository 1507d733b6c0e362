import { MOVE, missing, type PersonalTable } from '#platform/db/personal-table.ts'

export const federationPersonalData: readonly PersonalTable[] = [
  {
    table: 'participation_abroad',
    column: 'user_id',
    export: {
      section: 'participations_at_partners',
      adds: { event: '(select e.title from partner_event e where e.id = t.partner_event_id)' },
    },
    merge: missing('partner_event_id', 'remote_shift_id'),
    erased: 'deleted',
  },
  {
    table: 'partner_event_opening',
    column: 'user_id',
    export: { section: 'partner_events_opened' },
    merge: missing('partner_event_id'),
    erased: 'deleted',
  },
  {
    table: 'denied_statement',
    column: 'user_id',
    export: { section: 'denied_statements' },
    merge: missing('host_id', 'remote_shift_id'),
    erased: 'deleted',
  },
  {
    table: 'partner_hours',
    column: 'user_id',
    export: { section: 'hours_at_partners' },
    merge: MOVE,
    erased: 'deleted',
  },
  {
    table: 'partner_objection',
    column: 'user_id',
    export: { section: 'objections_to_partners' },
    merge: missing(),
    erased: 'deleted',
  },
  {
    table: 'invite_code',
    column: 'created_by_id',
    export: { section: 'invitations_created', only: ['id', 'url', 'created_at', 'used_at'] },
    merge: MOVE,
    erased: 'anonymous',
  },
]
