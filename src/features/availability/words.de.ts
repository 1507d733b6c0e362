import type { Translation } from '#platform/i18n/message.ts'
import type { en } from './words.en.ts'

export const de: Translation<typeof en> = {
  'settings.availability': 'Verfügbarkeit',
  'availability.title': 'Verfügbarkeit',
  'availability.intro':
    'Planende sehen nur, ob du während einer Schicht verfügbar bist, nicht deine Einträge. Anmelden kannst du dich trotzdem jederzeit.',
  'availability.weekly': 'Jede Woche',
  'availability.days': 'Einzelne Tage und Zeiträume',
  'availability.no_weekly': 'Du hast keine wöchentlichen Zeiten eingetragen.',
  'availability.no_days': 'Du hast keine einzelnen Tage eingetragen, zum Beispiel Urlaub.',
  'availability.kind': 'Zu dieser Zeit',
  'availability.kind_can': 'verfügbar',
  'availability.kind_cannot': 'nicht verfügbar',
  'availability.weekday': 'Tag',
  'availability.from': 'Von',
  'availability.until': 'Bis',
  'availability.first': 'Erster Tag',
  'availability.last': 'Letzter Tag',
  'availability.add': 'Hinzufügen',
  'availability.delete': 'Löschen',
  'availability.saved': 'Deine Verfügbarkeit wurde gespeichert.',
  'availability.deleted': 'Der Eintrag wurde gelöscht.',
  'availability.time_invalid': 'Bitte eine Uhrzeit wie 08:30 eingeben. Das Ende des Tages ist 24:00.',
  'availability.day_invalid': 'Bitte ein Datum eingeben.',
  'availability.refused_order': 'Das Ende muss nach dem Beginn liegen.',
  'availability.refused_past': 'Dieser Zeitraum ist vorbei.',
  'availability.refused_too_many': 'Es gibt zu viele Einträge. Lösche zuerst einige.',
}
