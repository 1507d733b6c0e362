import type { Messages } from '#platform/i18n/message.ts'

export const en = {
  'handbook.title': 'Handbook',
  'handbook.help': 'Help',
  'handbook.part_volunteers': 'For volunteers',
  'handbook.part_planners': 'For planners',
  'handbook.part_administrators': 'For administrators',
  'handbook.part_operators': 'For operators',
  'handbook.part_integrators': 'For integrators',
  'handbook.contents': 'Contents',
  'handbook.previous': 'Previous',
  'handbook.next': 'Next',
  'handbook.pages': 'Previous and next chapter',
  'handbook.language': 'Language',
  'handbook.search': 'Search the handbook',
  'handbook.find': 'Search',
  'handbook.found': {
    one: '{count} place in the handbook for “{query}”',
    other: '{count} places in the handbook for “{query}”',
  },
  'handbook.none': 'The handbook says nothing about “{query}”. Try another word, or look at the contents.',
  'handbook.unknown': 'This chapter does not exist',
  'handbook.unknown_text': 'The handbook has these chapters:',
  'handbook.intro': 'Short chapters for everybody who takes part, plans or looks after this site.',
} as const satisfies Messages
