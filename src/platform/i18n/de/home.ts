import type { home as english } from '../en/home.ts'
import type { Translation } from '../message.ts'

export const home: Translation<typeof english> = {
  'home.greeting': 'Hallo {name}',
  'home.nextIn': 'Deine nächste Schicht beginnt {when}.',
  'home.running': 'Du hast gerade eine Schicht.',
  'home.nothingSoon': 'Für dich ist gerade nichts geplant.',
  'home.nextShifts': 'Deine nächsten Schichten',
  'home.noShifts': 'Du bist noch für keine Schicht eingeplant.',
  'home.findShift': 'Schicht finden',
  'home.asked': 'Angefragt, noch nicht entschieden',
  'home.noneAsked': 'Keine deiner Anfragen wartet auf eine Antwort.',
  'home.seeEvents': 'Ansehen, was kommt',
  'home.waiting': 'Wartet auf deine Entscheidung',
  'home.noneWaiting': 'Niemand wartet auf deine Entscheidung.',
  'home.peopleAsk': { one: '{count} Person fragt an', other: '{count} Personen fragen an' },
  'home.comingEvents': 'Kommende Veranstaltungen',
  'home.allEvents': 'Alle Veranstaltungen',
  'home.noEvents': 'Für deine Gruppen ist keine Veranstaltung geplant.',
  'home.pastEvents': 'Vergangene ansehen',
}
