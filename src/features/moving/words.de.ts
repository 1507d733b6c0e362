import type { Translation } from '#platform/i18n/message.ts'
import type { en } from './words.en.ts'

export const de: Translation<typeof en> = {
  'guest_link.title': 'Dieser Link stammt aus unserem früheren System',
  'guest_link.text':
    '{name} plant jetzt mit einer neuen Software. Gäste können sich dort noch nicht über einen Link anmelden und auch nichts ändern.',
  'guest_link.unknown': 'Wir kennen diesen Link nicht, oder er gilt nicht mehr.',
  'guest_link.event': 'Dein Link gehört zu dieser Veranstaltung:',
  'guest_link.registered': 'Deine bisherigen Angaben sind noch da:',
  'guest_link.contact': 'Bitte wende dich an die Person, die dir den Link geschickt hat. Sie kann Änderungen für dich eintragen.',
  'guest_link.contact_imprint':
    'Bitte wende dich an die Person, die dir den Link geschickt hat, oder an uns. Unsere Adresse findest du hier:',
  'guest_link.organisation': 'Die Organisation',
}
