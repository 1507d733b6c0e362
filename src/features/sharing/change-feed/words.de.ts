import type { Translation } from '#platform/i18n/message.ts'
import type { en } from './words.en.ts'

export const de: Translation<typeof en> = {
  'changes.bad_cursor': 'Das ist keine Leseposition. Nimm den Wert von „next“ aus einer früheren Antwort oder „start“.',
  'changes.bad_number': 'Gib eine ganze Zahl von {from} bis {to} ein.',
  'changes.gone':
    'Die Änderungen nach dieser Leseposition werden nicht mehr aufbewahrt. Lies deine Listen neu ein und mach mit der Leseposition in „next“ weiter.',
}
