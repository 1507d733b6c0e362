import type { Translation } from '#platform/i18n/message.ts'
import type { en } from './words.en.ts'

export const de = {
  'extensions.title': 'Erweiterungen',
  'extensions.text': 'Wer diese Instanz betreibt, fügt Erweiterungen hinzu. Jede ist ein eigenes Modul in der Liste oben.',
  'extensions.problem': 'Problem',
  'extensions.running': 'Version {version}',
  'extensions.left_out': 'Fehlt: {reason}',
  'extensions.stopped': 'Am {at} nach mehreren Fehlern ausgeschaltet: {reason}',
  'extensions.stopped_notice': 'Turnout hat nach mehreren Fehlern ausgeschaltet: {names}.',
  'extensions.stopped_more': 'Zu den Modulen',
  'extensions.settings': 'Einstellungen',
  'extensions.settings_of': 'Einstellungen: {name}',
  'extensions.settings_save': 'Speichern',
  'extensions.settings_saved': 'Die Einstellungen sind gespeichert.',
  'extensions.secret_kept': 'Ein Wert ist gespeichert. Lass das Feld leer, um ihn zu behalten.',
  'extensions.secret_removed': 'Entfernen: {name}',
  'extensions.screen_needs_script': 'Diese Seite braucht JavaScript.',
  'extensions.no_answer': 'Die Erweiterung {name} antwortet gerade nicht. Alles andere funktioniert.',
} as const satisfies Translation<typeof en>
