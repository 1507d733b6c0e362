import type { Messages } from '#platform/i18n/message.ts'

export const en = {
  'steps.title': 'First steps',
  'steps.progress': 'This list ticks itself.',
  'steps.done': 'Done',
  'steps.open': 'Open',
  'steps.dismiss': 'Hide list',
  'steps.dismissed': 'The list is hidden. Everything stays in Manage.',
  'steps.name': 'Name and time zone',
  'steps.name_text': 'The name of your organisation stands on all pages and in emails.',
  'steps.mail': 'Emails',
  'steps.mail_text': 'The server needs the setting MAIL_URL. Without it, nobody gets an email.',
  'steps.groups': 'Groups',
  'steps.groups_text': 'They decide who sees which events and who may plan.',
  'steps.qualifications': 'Qualifications',
  'steps.qualifications_text': 'Shifts can require them.',
  'steps.people': 'People',
  'steps.people_text': 'Import a member list, or add people one by one.',
  'steps.event': 'The first event',
  'steps.event_text': 'With shifts that people sign up for.',
  'steps.backup': 'Backups',
  'steps.backup_text': 'The server needs the setting BACKUP_DIR. The first backup is made at night.',
} as const satisfies Messages
