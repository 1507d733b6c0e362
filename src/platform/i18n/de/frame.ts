import type { frame as english } from '../en/frame.ts'
import type { Translation } from '../message.ts'

export const frame: Translation<typeof english> = {
  'frame.home': 'Start',
  'frame.events': 'Veranstaltungen',
  'frame.calendar': 'Kalender',
  'frame.styleguide': 'Gestaltung',
}
