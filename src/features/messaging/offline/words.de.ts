import type { Translation } from '#platform/i18n/message.ts'
import type { en } from './words.en.ts'

export const de: Translation<typeof en> = {
  'web_app.offline': 'Keine Verbindung',
  'web_app.offline_text':
    'Diese Seite braucht eine Internetverbindung. Wenn du eingeloggt bist, stehen hier deine nächsten Schichten.',
  'web_app.retry': 'Erneut versuchen',
  'web_app.own_shifts': 'Meine Schichten',
  'web_app.copied_at': 'Stand: {time}',
  'web_app.copy_note':
    'Keine Verbindung. Das ist die letzte gespeicherte Kopie deiner nächsten Schichten; sie kann veraltet sein.',
  'web_app.none': 'Du hast keine kommenden Schichten.',
  'web_app.confirmed': 'Bestätigt',
  'web_app.requested': 'Angefragt',
  'web_app.meet': 'Treffen: {time}',
}
