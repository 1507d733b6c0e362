import type { settings as english } from '../en/settings.ts'
import type { Translation } from '../message.ts'

export const settings: Translation<typeof english> = {
  'settings.title': 'Dein Konto',
  'settings.profile': 'Profil',
  'settings.calendar': 'Kalender',
  'settings.notifications': 'Benachrichtigungen',
  'settings.security': 'Sicherheit',
  'settings.tokens': 'API-Tokens',
  'settings.applications': 'Anwendungen',
  'settings.about': 'Über dich',
  'settings.about_help': 'Diese Angaben pflegt deine Organisation. Wenn etwas nicht stimmt, sag bitte der Verwaltung Bescheid.',
  'settings.name': 'Name',
  'settings.email': 'E-Mail',
  'settings.birth_date': 'Geburtsdatum',
  'settings.phone': 'Telefon',
  'settings.unknown': 'nicht bekannt',
  'settings.groups': 'Gruppen',
  'settings.no_groups':
    'Du bist noch in keiner Gruppe. Gruppen entscheiden, welche Veranstaltungen du siehst; die Verwaltung kann dich aufnehmen.',
  'settings.qualifications': 'Qualifikationen',
  'settings.qualification': 'Qualifikation',
  'settings.no_qualifications':
    'Für dich sind noch keine Qualifikationen eingetragen. Zeig der Verwaltung deine Nachweise: Manche Schichten sind nur damit offen.',
  'settings.valid_until': 'Gültig bis',
  'settings.state': 'Stand',
  'settings.unlimited': 'unbegrenzt',
  'settings.valid': 'gültig',
  'settings.soon': 'läuft {when} ab',
  'settings.expired': 'abgelaufen',
  'settings.language': 'Sprache',
  'settings.language_help': 'Für alle Seiten und für Mails an dich',
  'settings.language_submit': 'Diese Sprache verwenden',
  'settings.language_changed': 'Alles ist jetzt auf Deutsch.',
}
