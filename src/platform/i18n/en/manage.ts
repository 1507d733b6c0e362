import type { Room } from '../message.ts'

export const manage = {
  'manage.title': 'Manage',
  'manage.intro': 'What keeps your organisation running',
  'manage.people': 'People',
  'manage.people_text': 'Who is here, what they can do, and whether they can sign in',
  'manage.groups': 'Groups',
  'manage.groups_text': 'Who sees which events, and who may do what',
  'manage.event_types': 'Event types',
  'manage.event_types_text': 'Colours and defaults for new events',
  'manage.qualifications': 'Qualifications',
  'manage.qualifications_text': 'What people can be trained for, and what includes what',
  'manage.blocks': 'Building blocks',
  'manage.blocks_text': 'Teams and units that shifts are built from',
  'manage.log': 'Log',
  'manage.log_text': 'Who did what, and when',
  'manage.instance': 'Instance',
  'manage.instance_text': 'Name, logo, legal pages and rules of this installation',
  'manage.applications': 'Applications',
  'manage.applications_text': 'Software that may ask people for access',
} as const satisfies Room
