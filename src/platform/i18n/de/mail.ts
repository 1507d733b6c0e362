import type { mail as english } from '../en/mail.ts'
import type { Translation } from '../message.ts'

export const mail: Translation<typeof english> = {
  'mail.greeting': 'Hallo {name},',
  'mail.link_help': 'Falls der Knopf nicht geht, öffne diese Adresse:',
  'mail.reset_subject': 'Ein neues Passwort für {site}',
  'mail.reset_text':
    'jemand – vermutlich du – hat ein neues Passwort für dein Konto angefordert. Mit diesem Link kannst du eines setzen:',
  'mail.reset_action': 'Neues Passwort setzen',
  'mail.reset_note':
    'Der Link gilt einmal, eine Stunde lang. Wenn du ihn nicht angefordert hast, tu nichts: Dein Passwort bleibt, wie es ist.',
  'mail.welcome_subject': 'Willkommen bei {site}',
  'mail.welcome_text':
    'bei {site} gibt es jetzt ein Konto für dich. Dort siehst du, was geplant ist, und sagst, wann du helfen kannst.',
  'mail.welcome_email': 'Du meldest dich mit {email} an. Wähle zuerst ein Passwort:',
  'mail.welcome_action': 'Passwort wählen',
  'mail.welcome_note': 'Der Link gilt einmal, 28 Tage lang.',
  'mail.changed_subject': 'Dein Passwort für {site} wurde geändert',
  'mail.changed_text': 'dein Passwort wurde geändert ({time}).',
  'mail.changed_ended':
    'Alle anderen Geräte sind abgemeldet, und alle API-Tokens und verbundenen Anwendungen haben keinen Zugriff mehr.',
  'mail.changed_action': 'Neues Passwort setzen',
  'mail.changed_note':
    'Wenn du das warst, ist nichts zu tun. Wenn nicht, setz sofort ein neues Passwort und sag der Verwaltung Bescheid.',
  'mail.token_subject': 'Eines deiner API-Tokens läuft am {date} ab',
  'mail.token_text': 'dein API-Token „{description}“ läuft am {date} ab. Was es benutzt, wird danach abgewiesen.',
  'mail.token_what': 'Wenn du es noch brauchst, mach ein neues und setz es an seine Stelle. Wenn nicht, ist nichts zu tun.',
  'mail.token_action': 'Zu deinen API-Tokens',
}
