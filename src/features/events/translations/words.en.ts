import type { Messages } from '#platform/i18n/message.ts'

export const en = {
  'translations.title': 'In other languages',
  'translations.facts': '{title} · Original: {language}',
  'translations.help': 'Whoever reads another language sees the original until there is a translation.',
  'translations.original': 'Original',
  'translations.done': '{language}: translated',
  'translations.missing': '{language}: not translated yet',
  'translations.partly': '{language}: translated in part',
  'translations.outdated': 'The original has changed since. Until you save, people read the original.',
  'translations.field_title': 'Title',
  'translations.field_description': 'Description',
  'translations.field_content': 'Content',
  'translations.field_text': 'Question',
  'translations.field_explanation': 'Explanation',
  'translations.field_choices': 'Choices',
  'translations.choices_help': 'One per line, as many and in the same order as in the original',
  'translations.choices_count': 'Please enter {count} choices, one per line.',
  'translations.too_long': 'This text is too long.',
  'translations.save': 'Save translations',
  'translations.saved': 'The translations were saved.',
  'translations.unchanged': 'Nothing has changed.',
} as const satisfies Messages
