import type { Translation } from '#platform/i18n/message.ts'
import type { en } from './words.en.ts'

export const de: Translation<typeof en> = {
  'viewing.action': 'Sehen, was diese Person sieht',
  'viewing.action_help': 'Sieh dir die Seiten wie diese Person an. Ändern lässt sich dabei nichts, und es steht im Protokoll.',
  'viewing.title': 'Sehen, was {name} sieht?',
  'viewing.read_only': 'Du siehst die Seiten so, wie {name} sie sieht. Ändern lässt sich dabei nichts.',
  'viewing.personal': 'Konto und Benachrichtigungen der Person bleiben zu.',
  'viewing.ends': {
    one: 'Nach {count} Minute endet die Ansicht von selbst.',
    other: 'Nach {count} Minuten endet die Ansicht von selbst.',
  },
  'viewing.logged': 'Im Protokoll steht, dass du das getan hast.',
  'viewing.start': 'Ansicht beginnen',
  'viewing.banner': 'Du siehst, was {name} sieht, bis {time}. Ändern lässt sich nichts.',
  'viewing.stop': 'Ansicht beenden',
  'viewing.stopped': 'Du siehst wieder deine eigenen Seiten.',
  'viewing.refused': 'Das geht nur für Personen mit aktivem Konto, die nicht mehr Rechte haben als du.',
  'viewing.members': 'Was Mitglieder sehen',
  'viewing.members_text': 'Sieh dir die Seiten wie ein Mitglied an. Ändern lässt sich dabei nichts, und es steht im Protokoll.',
  'viewing.members_none': 'Sobald die Gruppe Mitglieder hat, kannst du dir die Seiten so ansehen, wie sie sie sehen.',
  'viewing.members_more': 'Alle Mitglieder',
}
