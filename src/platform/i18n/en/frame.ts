import type { Room } from '../message.ts'

export const frame = {
  'frame.home': 'Home',
  'frame.events': 'Events',
  'frame.styleguide': 'Styleguide',
} as const satisfies Room
