import type { Translation } from '#platform/i18n/message.ts'
import type { en } from './words.en.ts'

export const de: Translation<typeof en> = {
  'participation.state.0': 'angefragt',
  'participation.state.1': 'bestätigt',
  'participation.state.2': 'abgesagt durch helfende Person',
  'participation.state.3': 'abgelehnt durch verantwortliche Person',
  'participation.state.4': 'in Zuteilung',

  'instance.unknown_age_blocks': 'Schichten mit Mindestalter setzen ein Geburtsdatum voraus',
  'instance.unknown_age_blocks_help': 'Sonst können sich auch Personen ohne Geburtsdatum anmelden.',
  'instance.expiring_qualification_warns': 'Bei Qualifikationen, die vor der Schicht ablaufen, nur warnen',
  'instance.expiring_qualification_warns_help': 'Sonst zählen diese Qualifikationen für die Schicht nicht.',
  'instance.waiting_list': 'Wartelisten voller Schichten',
  'instance.waiting_list_help':
    'Man kann auf einen Platz warten. Ein frei werdender Platz wird der nächsten passenden Person angeboten. Planende können das für eine Schicht abschalten.',
  'instance.tolerance': 'Toleranz für individuelle Zeiten, in Minuten',
  'instance.tolerance_help': 'So viel früher darf man kommen und so viel länger bleiben, als die Schicht dauert.',
  'instance.waiting_list_hours': 'Zeit für die Antwort auf einen angebotenen Platz, in Stunden',
  'instance.waiting_list_hours_help':
    'So lange bleibt der Platz reserviert, höchstens bis drei Stunden vor der Schicht. Kurz vor der Schicht bleibt eine Stunde.',
}
