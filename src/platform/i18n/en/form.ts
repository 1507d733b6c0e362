import type { Room } from '../message.ts'

export const form = {
  'form.missing': 'Please fill this in.',
  'form.invalid': 'Please check this value.',
} as const satisfies Room
