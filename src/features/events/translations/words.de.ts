import type { Translation } from '#platform/i18n/message.ts'
import type { en } from './words.en.ts'

export const de: Translation<typeof en> = {
  'translations.title': 'In anderen Sprachen',
  'translations.facts': '{title} · Original: {language}',
  'translations.help': 'Wer eine andere Sprache liest, sieht das Original, bis es eine Übersetzung gibt.',
  'translations.original': 'Original',
  'translations.done': '{language}: übersetzt',
  'translations.missing': '{language}: noch nicht übersetzt',
  'translations.partly': '{language}: teilweise übersetzt',
  'translations.outdated': 'Das Original hat sich seitdem geändert. Bis du speicherst, lesen alle das Original.',
  'translations.field_title': 'Titel',
  'translations.field_description': 'Beschreibung',
  'translations.field_content': 'Inhalt',
  'translations.field_text': 'Frage',
  'translations.field_explanation': 'Erklärung',
  'translations.field_choices': 'Auswahlmöglichkeiten',
  'translations.choices_help': 'Eine pro Zeile, gleich viele und in derselben Reihenfolge wie im Original',
  'translations.choices_count': 'Bitte gib {count} Möglichkeiten ein, eine pro Zeile.',
  'translations.too_long': 'Dieser Text ist zu lang.',
  'translations.save': 'Übersetzungen speichern',
  'translations.saved': 'Die Übersetzungen sind gespeichert.',
  'translations.unchanged': 'Es hat sich nichts geändert.',
}
