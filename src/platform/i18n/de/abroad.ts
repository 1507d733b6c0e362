import type { abroad as english } from '../en/abroad.ts'
import type { Translation } from '../message.ts'

export const abroad: Translation<typeof english> = {
  'abroad.nav': 'Extern',
  'abroad.title': 'Externe Veranstaltungen',
  'abroad.intro': 'Von anderen Organisationen geteilt. Du meldest dich dort an, mit deinem Konto von hier.',
  'abroad.none': 'Zurzeit teilt keine Organisation eine kommende Veranstaltung mit uns.',
  'abroad.none_linked': 'Diese Instanz ist mit keiner anderen Organisation verbunden.',
  'abroad.lately': 'Kürzlich beendet',
  'abroad.see_own': 'Eigene Veranstaltungen ansehen',
  'abroad.link_now': 'Einladung einlösen',
  'abroad.at': 'bei {host}',
  'abroad.stale': 'Stand {when}; {host} ist nicht erreichbar',
  'abroad.stale_ended': 'Stand {when}; {host} teilt nichts Neues mehr mit uns',
  'abroad.stale_paused': 'Stand {when}; Neues von {host} ist angehalten',
  'abroad.stale_never': '{host} hat noch nicht geantwortet',
  'abroad.oauth_error':
    'Du wurdest bei der anderen Organisation nicht angemeldet, weil es abgelehnt wurde oder unterwegs etwas schiefging. Öffne die Veranstaltung noch einmal, um es erneut zu versuchen.',
  'abroad.event_error': 'Die andere Organisation teilt diese Veranstaltung nicht mehr mit uns.',
  'abroad.other_error': 'Die andere Organisation konnte die Veranstaltung nicht zeigen.',
  'abroad.filter': 'Wessen Veranstaltungen',
  'abroad.filter_all': 'Unsere und die von anderen',
  'abroad.filter_ours': 'Nur unsere',
  'abroad.filter_others': 'Nur die von anderen Organisationen',
}
