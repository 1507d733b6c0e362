/** Global permissions; the table `permission` contains the same names. */
export const PERMISSIONS = [
  'view_event',
  'add_event',
  'change_event',
  'delete_event',
  'view_event_type',
  'add_event_type',
  'change_event_type',
  'delete_event_type',
  'view_user',
  'add_user',
  'change_user',
  'delete_user',
  'view_group',
  'add_group',
  'change_group',
  'delete_group',
  'view_qualification',
  'add_qualification',
  'change_qualification',
  'delete_qualification',
  'publish_event_for_group',
  'decide_working_hours_for_group',
  'view_journal',
  'change_building_block',
  'view_question',
  'add_question',
  'change_question',
  'delete_question',
] as const

export type Permission = (typeof PERMISSIONS)[number]

/** Bundles of permissions, as offered on the group form. */
const HR: Permission[] = ['view_user', 'add_user', 'change_user', 'delete_user']
export const BUNDLES = {
  planning: ['add_event', 'delete_event'],
  hr: HR,
  management: [
    ...HR,
    'view_group',
    'add_group',
    'change_group',
    'delete_group',
    'view_event',
    'add_event',
    'change_event',
    'delete_event',
    'view_event_type',
    'add_event_type',
    'change_event_type',
    'delete_event_type',
    'view_qualification',
    'add_qualification',
    'change_qualification',
    'delete_qualification',
    'publish_event_for_group',
    'view_journal',
  ] as Permission[],
  blocks: ['change_building_block'],
  questions: ['view_question', 'add_question', 'change_question', 'delete_question'],
} satisfies Record<string, Permission[]>

export type Bundle = keyof typeof BUNDLES
