import { DELETE, MOVE, missing, type PersonalTable, STEP } from '#platform/db/personal-table.ts'

const GROUP_NAME = '(select g.name from user_group g where g.id = t.group_id)'

export const usersPersonalData: readonly PersonalTable[] = [
  {
    table: 'user_profile',
    column: 'id',
    export: {
      section: 'profile',
      without: { password_hash: 'secret', calendar_token_hash: 'secret', calendar_token_sealed: 'secret' },
    },
    merge: STEP,
    erased: 'anonymous',
  },
  {
    table: 'user_group_member',
    column: 'user_id',
    export: { section: 'groups', adds: { group: GROUP_NAME } },
    merge: missing('group_id'),
    erased: 'deleted',
  },
  {
    table: 'user_permission',
    column: 'user_id',
    export: { section: 'permissions' },
    merge: missing('permission'),
    erased: 'deleted',
  },
  {
    table: 'qualification_grant',
    column: 'user_id',
    export: {
      section: 'qualifications',
      adds: { qualification: '(select q.title from qualification q where q.id = t.qualification_id)' },
    },
    merge: STEP,
    erased: 'deleted',
  },
  {
    table: 'profile_group_grant',
    column: 'user_id',
    export: { section: 'profile_shown_to_groups', adds: { group: GROUP_NAME } },
    merge: missing('group_id'),
    erased: 'deleted',
  },
  {
    table: 'profile_user_grant',
    column: 'user_id',
    export: { section: 'profile_shown_to_people', without: { viewer_id: 'other_person' } },
    merge: missing('viewer_id'),
    erased: 'deleted',
  },
  {
    table: 'profile_user_grant',
    column: 'viewer_id',
    export: { section: 'profiles_shown_to_me', without: { user_id: 'other_person' } },
    merge: missing('user_id'),
    erased: 'deleted',
  },
  {
    table: 'guardianship',
    column: 'guardian_id',
    export: {
      section: 'children',
      without: { child_id: 'other_person', granted_by_id: 'other_person' },
      adds: { child: '(select c.display_name from user_profile c where c.id = t.child_id)' },
    },
    merge: missing('child_id'),
    erased: 'deleted',
  },
  {
    table: 'guardianship',
    column: 'child_id',
    export: {
      section: 'guardians',
      without: { guardian_id: 'other_person', granted_by_id: 'other_person', in_calendar: 'other_person' },
      adds: { guardian: '(select g.display_name from user_profile g where g.id = t.guardian_id)' },
    },
    merge: missing('guardian_id'),
    erased: 'deleted',
  },
  {
    table: 'guardianship',
    column: 'granted_by_id',
    export: { section: 'guardianships_granted', only: ['since'] },
    merge: MOVE,
    erased: 'anonymous',
  },
  { table: 'email_failure', column: 'user_id', export: { section: 'email_failure' }, merge: DELETE, erased: 'deleted' },
]
