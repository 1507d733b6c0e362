/** For whom a part of the handbook is, and its chapters in the order in which they are read. A chapter is a file in each language. */
export const PARTS = [
  { name: 'volunteers', chapters: ['volunteers'] },
  { name: 'planners', chapters: ['first-event', 'festival', 'series', 'asking', 'the-day', 'afterwards'] },
  {
    name: 'administrators',
    chapters: [
      'first-evening',
      'groups',
      'members-from-excel',
      'poster',
      'qualifications',
      'lost-phone',
      'leaving',
      'turning-18',
      'data-protection',
      'backup-test',
    ],
  },
  { name: 'operators', chapters: ['operating'] },
  { name: 'integrators', chapters: ['connecting'] },
] as const

export type PartName = (typeof PARTS)[number]['name']
export type ChapterName = (typeof PARTS)[number]['chapters'][number]

export const CHAPTERS: readonly ChapterName[] = PARTS.flatMap(({ chapters }) => chapters)

export const isChapter = (text: string): text is ChapterName => (CHAPTERS as readonly string[]).includes(text)

export const HELP = '/help/'
/** The guide of the API, which is in English only. */
export const API_GUIDE = `${HELP}api/`
export const bookPath = (language: string): string => `${HELP}${language}/`
export const chapterPath = (language: string, chapter: string): string => `${bookPath(language)}${chapter}/`
export const picturePath = (file: string): string => `${HELP}images/${file}`
