import type { Translation } from '#platform/i18n/message.ts'
import type { en } from './words.en.ts'

export const de: Translation<typeof en> = {
  'participation.state.0': 'angefragt',
  'participation.state.1': 'bestätigt',
  'participation.state.2': 'abgesagt durch helfende Person',
  'participation.state.3': 'abgelehnt durch verantwortliche Person',
  'participation.state.4': 'in Zuteilung',
}
