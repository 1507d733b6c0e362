import type { Translation } from '#platform/i18n/message.ts'
import type { en } from './words.en.ts'

export const de: Translation<typeof en> = {
  'steps.title': 'Erste Schritte',
  'steps.progress': 'Diese Liste hakt sich selbst ab.',
  'steps.done': 'Erledigt',
  'steps.open': 'Offen',
  'steps.dismiss': 'Liste ausblenden',
  'steps.dismissed': 'Die Liste ist ausgeblendet. Alles findest du unter Verwaltung.',
  'steps.name': 'Name und Zeitzone',
  'steps.name_text': 'Der Name deiner Organisation steht auf allen Seiten und in E-Mails.',
  'steps.modules': 'Was ihr nutzt',
  'steps.modules_text': 'Sag, was für eine Organisation ihr seid. Bis dahin sind wenige Module an.',
  'steps.mail': 'E-Mails',
  'steps.mail_text': 'Der Server braucht die Einstellung MAIL_URL. Ohne sie bekommt niemand eine E-Mail.',
  'steps.groups': 'Gruppen',
  'steps.groups_text': 'Sie entscheiden, wer welche Veranstaltungen sieht und wer planen darf.',
  'steps.qualifications': 'Qualifikationen',
  'steps.qualifications_text': 'Schichten können sie verlangen.',
  'steps.people': 'Personen',
  'steps.people_text': 'Importiere eine Mitgliederliste, oder lege Personen einzeln an.',
  'steps.event': 'Die erste Veranstaltung',
  'steps.event_text': 'Mit Schichten, für die sich Personen anmelden.',
  'steps.backup': 'Sicherungen',
  'steps.backup_text': 'Der Server braucht die Einstellung BACKUP_DIR. Die erste Sicherung entsteht in der Nacht.',
}
