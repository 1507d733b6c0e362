import type { Translation } from '#platform/i18n/message.ts'
import type { en } from './words.en.ts'

export const de: Translation<typeof en> = {
  'forecast.usual': 'Sonst um diese Zeit zu {usual} % besetzt, diesmal zu {now} %.',
  'forecast.end': 'Am Ende wohl {count} von {needed} Leuten.',
  'forecast.end_range': 'Am Ende wohl {low} bis {high} von {needed} Leuten.',
  'forecast.title': {
    one: 'Verglichen mit {count} früheren Schicht dieses Typs',
    other: 'Verglichen mit {count} früheren Schichten dieses Typs',
  },
}
