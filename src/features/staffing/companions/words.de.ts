import type { Translation } from '#platform/i18n/message.ts'
import type { en } from './words.en.ts'

export const de: Translation<typeof en> = {
  'companions.neutral': 'Begleitung von {name}',
  'companions.former': 'Begleitung',
  'companions.intro': {
    one: 'Du darfst eine andere Person mitbringen. Sie braucht kein Konto, und den Namen kannst du später eintragen.',
    other: 'Du darfst bis zu {count} andere mitbringen. Sie brauchen kein Konto, und die Namen kannst du später eintragen.',
  },
  'companions.decided': 'Die Verantwortlichen entscheiden über jede Person.',
  'companions.person': 'Person {number}',
  'companions.name': 'Name (freiwillig)',
  'companions.leave': 'Kommt nicht mit',
  'companions.add': 'Personen hinzufügen',
  'companions.number': 'Wie viele',
  'companions.names': 'Namen',
  'companions.names_help': 'Ein Name pro Zeile. Namen sind freiwillig: Die Anzahl allein genügt.',
  'companions.left': { one: 'Noch eine Person ist möglich.', other: 'Noch {count} Personen sind möglich.' },
  'companions.none_left': 'Mehr Personen kannst du hier nicht hinzufügen.',
  'companions.save': 'Speichern',
  'companions.saved': 'Wen du mitbringst, ist gespeichert.',
  'companions.unchanged': 'Es hat sich nichts geändert.',
  'companions.state.0': 'Angefragt',
  'companions.state.1': 'Bestätigt',
  'companions.state.2': 'Abgesagt',
  'companions.state.3': 'Abgelehnt',
  'companions.state.4': 'Importiert',
  'companions.refusal.not_in': 'Melde dich zuerst an, dann kannst du andere mitbringen.',
  'companions.refusal.off': 'Zu dieser Schicht kannst du niemanden mitbringen.',
  'companions.refusal.changed':
    'Die Liste hat sich geändert, seit du die Seite geöffnet hast. Bitte prüfe sie, bevor du noch einmal speicherst.',
  'companions.too_many': {
    one: 'Nur noch eine Person ist möglich.',
    other: 'Höchstens noch {count} Personen sind möglich.',
  },
  'companions.not_a_number': 'Bitte eine ganze Zahl eingeben.',
  'companions.name_taken': '{name} steht schon auf der Liste dieser Veranstaltung. Bitte nimm einen anderen Namen.',
  'companions.name_long': 'Dieser Name ist zu lang.',
  'companions.possible': { one: 'Für eine von ihnen ist Platz.', other: 'Für {count} von ihnen ist Platz.' },
  'companions.reason.full': 'Für Personen ohne Qualifikationen sind nicht genug Plätze frei.',
  'companions.reason.not_qualified': 'Diese Schicht hat nur Plätze für Personen mit bestimmten Qualifikationen.',
  'companions.reason.type_not_qualified': 'Veranstaltungen dieser Art sind nur für Personen mit bestimmten Qualifikationen.',
  'companions.reason.may_not_leave': 'Bestätigte können hier nur die Verantwortlichen austragen.',
  'companions.reason.age_unknown':
    'Hier muss man mindestens {age} Jahre alt sein, und das Alter von Personen ohne Konto ist nicht bekannt.',
}
