import type { reset as english } from '../en/reset.ts'
import type { Translation } from '../message.ts'

export const reset: Translation<typeof english> = {
  'reset.title': 'Passwort vergessen?',
  'reset.intro': 'Gib die E-Mail-Adresse ein, mit der du dich anmeldest. Wir schicken dir einen Link für ein neues Passwort.',
  'reset.submit': 'Link schicken',
  'reset.back': 'Zurück zur Anmeldung',
  'reset.sent_title': 'Schau in dein Postfach',
  'reset.sent_text':
    'Wenn {email} hier zu einem Konto gehört, ist eine Mail mit einem Link unterwegs. Der Link gilt einmal, eine Stunde lang.',
  'reset.sent_help':
    'Nach ein paar Minuten nichts da? Schau bei den unerwünschten Mails nach, oder prüfe, ob es die richtige Adresse ist.',
  'reset.again': 'Andere Adresse verwenden',
  'reset.limit': 'Es wurden schon mehrere Links angefordert. Schau in dein Postfach, oder versuch es um {time} Uhr wieder.',
  'reset.address_limit': {
    one: 'Aus deinem Netz wurden zu viele Links angefordert. Versuch es in einer Sekunde wieder.',
    other: 'Aus deinem Netz wurden zu viele Links angefordert. Versuch es in {count} Sekunden wieder.',
  },
  'reset.new_title': 'Ein neues Passwort setzen',
  'reset.new_intro': '{name}, wähle ein neues Passwort. Danach sind alle Geräte abgemeldet, und deine API-Tokens enden.',
  'reset.new_submit': 'Passwort setzen und anmelden',
  'reset.done': 'Dein neues Passwort gilt. Stärke: {strength}.',
  'reset.dead_title': 'Dieser Link gilt nicht mehr',
  'reset.dead_text': 'Er wurde schon benutzt oder ist älter als eine Stunde. Fordere einen neuen an; das dauert eine Minute.',
  'reset.dead_action': 'Neuen Link anfordern',
  'reset.welcome_title': 'Willkommen, {name}',
  'reset.welcome_intro': 'Wähle ein Passwort, dann ist dein Konto bereit. Du meldest dich mit {email} an.',
  'reset.welcome_submit': 'Passwort setzen und loslegen',
  'reset.welcome_done': 'Dein Konto ist bereit. Stärke deines Passworts: {strength}.',
  'reset.welcome_dead':
    'Er wurde schon benutzt oder ist älter als vier Wochen. Wenn du schon ein Passwort hast, melde dich an; sonst fordere einen neuen Link an.',
}
