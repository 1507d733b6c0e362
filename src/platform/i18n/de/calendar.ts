import type { calendar as english } from '../en/calendar.ts'
import type { Translation } from '../message.ts'

export const calendar: Translation<typeof english> = {
  'calendar.feed': 'Deine Schichten in deinem Kalender',
  'calendar.about':
    'Einmal abonniert, zeigt der Kalender deines Handys oder Rechners deine Schichten und hält sie aktuell: Zeiten, Ort und wenn etwas abgesagt wird.',
  'calendar.none': 'Du hast noch keine Kalenderadresse.',
  'calendar.make': 'Kalenderadresse anlegen',
  'calendar.made': 'Deine Kalenderadresse ist fertig.',
  'calendar.address': 'Deine geheime Adresse',
  'calendar.addressHelp': 'Wer sie hat, sieht deine Schichten. Gib sie niemandem.',
  'calendar.unreadable':
    'Deine Adresse gilt weiter, kann aber nicht mehr angezeigt werden. Lege eine neue an, wenn du sie anderswo brauchst.',
  'calendar.subscribe': 'Auf diesem Gerät abonnieren',
  'calendar.with': 'Was darin steht',
  'calendar.withHelp': 'Bestätigte Schichten stehen immer darin. Für die anderen nimm stattdessen eine dieser Adressen.',
  'calendar.withRequested': 'Auch, was du angefragt hast',
  'calendar.withRejected': 'Auch, was du angefragt hast und was abgelehnt wurde',
  'calendar.how': 'So abonnierst du',
  'calendar.howApple':
    'iPhone, iPad, Mac: „Auf diesem Gerät abonnieren“ drücken oder „Kalenderabo hinzufügen“ wählen und die Adresse einfügen.',
  'calendar.howGoogle':
    'Android und Google: am Rechner Google Kalender öffnen, „Weitere Kalender“, „Per URL“ wählen und die Adresse einfügen. Das Handy zeigt ihn etwas später.',
  'calendar.howOutlook': 'Outlook: „Kalender hinzufügen“, „Aus dem Internet abonnieren“ wählen und die Adresse einfügen.',
  'calendar.howThunderbird': 'Thunderbird: „Neuer Kalender“, „Im Netzwerk“ wählen und die Adresse einfügen.',
  'calendar.resetTitle': 'Neue Adresse anlegen?',
  'calendar.reset': 'Neue Adresse anlegen …',
  'calendar.resetSubmit': 'Neue Adresse anlegen',
  'calendar.resetText': 'Tu das, wenn jemand anders deine Adresse kennen könnte.',
  'calendar.resetStops': 'Die alte Adresse gilt sofort nicht mehr.',
  'calendar.resetAgain': 'Jeder Kalender, der sie verwendet, muss mit der neuen wieder abonniert werden.',
  'calendar.wasReset': 'Die alte Adresse gilt nicht mehr. Das ist die neue.',
  'calendar.name': 'Schichten · {site}',
  'calendar.meet': 'Treffen um {time}',
  'calendar.asked': 'angefragt, noch nicht entschieden',
  'calendar.turnedDown': 'abgelehnt',
  'calendar.cancelled': 'Abgesagt: {reason}',
}
