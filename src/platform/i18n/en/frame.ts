import type { Room } from '../message.ts'

export const frame = {
  'frame.home': 'Home',
  'frame.events': 'Events',
  'frame.calendar': 'Calendar',
  'frame.styleguide': 'Styleguide',
} as const satisfies Room
