import type { Messages } from '#platform/i18n/message.ts'

export const en = {
  'extensions.title': 'Extensions',
  'extensions.text': 'The people who operate this instance add extensions. Each is a module of its own in the list above.',
  'extensions.problem': 'Problem',
  'extensions.running': 'Version {version}',
  'extensions.left_out': 'Left out: {reason}',
  'extensions.stopped': 'Switched off on {at} after repeated failures: {reason}',
  'extensions.stopped_notice': 'Turnout has switched off after repeated failures: {names}.',
  'extensions.stopped_more': 'See modules',
  'extensions.settings': 'Settings',
  'extensions.settings_of': 'Settings: {name}',
  'extensions.settings_save': 'Save',
  'extensions.settings_saved': 'The settings are saved.',
  'extensions.secret_kept': 'A value is stored. Leave this empty to keep it.',
  'extensions.secret_removed': 'Remove: {name}',
  'extensions.screen_needs_script': 'This page needs JavaScript.',
  'extensions.no_answer': 'The extension {name} gives no answer at the moment. Everything else works.',
} as const satisfies Messages
