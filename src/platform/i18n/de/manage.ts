import type { manage as english } from '../en/manage.ts'
import type { Translation } from '../message.ts'

export const manage: Translation<typeof english> = {
  'manage.title': 'Verwaltung',
  'manage.intro': 'Was eure Organisation am Laufen hält',
  'manage.people': 'Personen',
  'manage.people_text': 'Wer dabei ist, wer was kann und wer sich anmelden kann',
  'manage.groups': 'Gruppen',
  'manage.groups_text': 'Wer welche Veranstaltungen sieht und wer was darf',
  'manage.event_types': 'Veranstaltungsarten',
  'manage.event_types_text': 'Farben und Vorgaben für neue Veranstaltungen',
  'manage.qualifications': 'Qualifikationen',
  'manage.qualifications_text': 'Wofür man ausgebildet sein kann und was was einschließt',
  'manage.blocks': 'Bausteine',
  'manage.blocks_text': 'Trupps und Einheiten, aus denen Schichten bestehen',
  'manage.log': 'Protokoll',
  'manage.log_text': 'Wer was wann getan hat',
  'manage.instance': 'Instanz',
  'manage.instance_text': 'Name, Logo, rechtliche Seiten und Regeln dieser Installation',
  'manage.applications': 'Anwendungen',
  'manage.applications_text': 'Programme, die Personen um Zugriff bitten dürfen',
}
