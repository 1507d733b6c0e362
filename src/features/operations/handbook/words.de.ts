import type { Translation } from '#platform/i18n/message.ts'
import type { en } from './words.en.ts'

export const de: Translation<typeof en> = {
  'handbook.title': 'Handbuch',
  'handbook.help': 'Hilfe',
  'handbook.part_volunteers': 'Für alle, die mitmachen',
  'handbook.part_planners': 'Für alle, die planen',
  'handbook.part_administrators': 'Für alle, die verwalten',
  'handbook.part_operators': 'Für alle, die den Server betreiben',
  'handbook.part_integrators': 'Für alle, die Programme verbinden',
  'handbook.contents': 'Inhalt',
  'handbook.previous': 'Zurück',
  'handbook.next': 'Weiter',
  'handbook.pages': 'Voriges und nächstes Kapitel',
  'handbook.language': 'Sprache',
  'handbook.search': 'Im Handbuch suchen',
  'handbook.find': 'Suchen',
  'handbook.found': { one: '{count} Stelle im Handbuch zu „{query}“', other: '{count} Stellen im Handbuch zu „{query}“' },
  'handbook.none': 'Zu „{query}“ steht nichts im Handbuch. Versuch ein anderes Wort oder schau ins Inhaltsverzeichnis.',
  'handbook.unknown': 'Dieses Kapitel gibt es nicht',
  'handbook.unknown_text': 'Das Handbuch hat diese Kapitel:',
  'handbook.intro': 'Kurze Kapitel für alle, die mitmachen, planen oder sich um diese Seite kümmern.',
}
