import { MOVE, type PersonalTable, STEP } from '#platform/db/personal-table.ts'

const EVENT_TITLE = '(select e.title from event e where e.id = t.event_id)'
const SHIFT_LABEL = '(select s.label from shift s where s.id = t.shift_id)'

export const participationsPersonalData: readonly PersonalTable[] = [
  {
    table: 'participation',
    column: 'user_id',
    export: {
      section: 'participations',
      without: {
        placeholder_name: 'other_person',
        guest_id: 'other_person',
        visitor_id: 'other_person',
        brought_by_id: 'other_person',
        listed_audience_id: 'derived',
      },
      adds: { event: EVENT_TITLE, shift: SHIFT_LABEL },
    },
    merge: STEP,
    erased: 'anonymous',
  },
  {
    table: 'participation',
    column: 'user_id',
    via: { table: 'participation', id: 'id', key: 'brought_by_id' },
    export: {
      section: 'companions',
      only: ['placeholder_name', 'state', 'created_at'],
      adds: { event: EVENT_TITLE, shift: SHIFT_LABEL },
    },
    merge: STEP,
    erased: 'anonymous',
  },
  {
    table: 'participation_comment',
    column: 'user_id',
    via: { table: 'participation', id: 'id', key: 'participation_id' },
    export: { section: 'comments_about_me', without: { author_id: 'other_person' } },
    merge: STEP,
    erased: 'deleted',
  },
  {
    table: 'participation_comment',
    column: 'author_id',
    export: { section: 'comments_by_me' },
    merge: MOVE,
    erased: 'anonymous',
  },
]
