import type { signIn as english } from '../en/sign-in.ts'
import type { Translation } from '../message.ts'

export const signIn: Translation<typeof english> = {
  'sign-in.title': 'Anmelden',
  'sign-in.email': 'E-Mail',
  'sign-in.password': 'Passwort',
  'sign-in.submit': 'Anmelden',
  'sign-in.wrong': 'E-Mail-Adresse und Passwort passen nicht zusammen. Bitte prüfe beide.',
  'sign-in.account_limit':
    'Für diese Adresse wurde zu oft ein falsches Passwort eingegeben. Versuch es um {time} Uhr wieder, oder nimm ein Gerät, auf dem du schon einmal angemeldet warst.',
  'sign-in.address_limit': {
    one: 'Aus deinem Netz sind zu viele Versuche fehlgeschlagen. Versuch es in einer Sekunde wieder.',
    other: 'Aus deinem Netz sind zu viele Versuche fehlgeschlagen. Versuch es in {count} Sekunden wieder.',
  },
  'sign-in.signed_out': 'Du bist abgemeldet.',
  'sign-in.name': 'Dein Name',
  'sign-in.email_help': 'Damit meldest du dich an.',
  'sign-in.password_help':
    'Mindestens {count} Zeichen. Drei oder vier Wörter ohne Zusammenhang sind leicht zu merken und schwer zu erraten.',
  'sign-in.password_again': 'Dasselbe Passwort noch einmal',
  'sign-in.password_differs': 'Die beiden Passwörter sind nicht gleich.',
  'sign-in.name_missing': 'Bitte gib deinen Namen ein.',
  'sign-in.name_long': 'Dieser Name ist zu lang.',
  'sign-in.email_missing': 'Bitte gib deine E-Mail-Adresse ein.',
  'sign-in.email_invalid': 'Bitte gib eine vollständige E-Mail-Adresse ein, etwa ann@example.org.',
  'sign-in.email_taken': 'Mit dieser E-Mail-Adresse gibt es schon ein Konto.',
  'sign-in.password_missing': 'Bitte gib dein Passwort ein.',
  'sign-in.password_short': 'Bitte wähle ein Passwort mit mindestens {count} Zeichen.',
  'sign-in.password_long': 'Dieses Passwort ist zu lang.',
  'sign-in.password_digits': 'Ein Passwort nur aus Ziffern ist leicht zu erraten. Bitte füge Wörter hinzu.',
  'sign-in.password_pattern': 'Reihen gleicher oder benachbarter Tasten sind leicht zu erraten. Bitte wähle etwas anderes.',
  'sign-in.password_common': 'Dieses Passwort gehört zu denen, die zuerst probiert werden. Bitte wähle etwas anderes.',
  'sign-in.password_similar':
    'Dieses Passwort ist deinem Namen oder deiner E-Mail-Adresse zu ähnlich. Bitte wähle etwas anderes.',
  'sign-in.first_title': 'Die Verwaltung übernehmen',
  'sign-in.first_intro':
    'Diese Instanz hat noch niemanden, der sie verwaltet. Leg hier dein Konto an; danach kannst du andere einladen und alles einrichten.',
  'sign-in.first_submit': 'Konto anlegen und anmelden',
  'sign-in.first_done': 'Willkommen, {name}. Du verwaltest jetzt diese Instanz.',
  'sign-in.dead_title': 'Dieser Link gilt nicht mehr',
  'sign-in.dead_text':
    'Er wurde schon benutzt, ist älter als einen Tag, oder es gibt inzwischen jemanden, der die Instanz verwaltet. Solange es niemanden gibt, zeigt jeder Start des Servers einen neuen Link.',
}
