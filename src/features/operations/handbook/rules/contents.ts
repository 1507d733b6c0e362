import { type Language, sourceLanguageOf } from '#platform/i18n/languages.ts'
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
/** The documents of the API, which are in English only. The guide is the first. */
export const API_GUIDE = `${HELP}api/`
export const API_DOCUMENTS = ['guide', 'problems', 'changelog', 'tools', 'recipes'] as const
export type ApiDocument = (typeof API_DOCUMENTS)[number]
export const isApiDocument = (text: string): text is ApiDocument => (API_DOCUMENTS as readonly string[]).includes(text)
export const apiDocumentPath = (name: ApiDocument): string => (name === 'guide' ? API_GUIDE : `${API_GUIDE}${name}/`)
/** The handbook is in the languages of the code. */
export const bookPath = (language: Language): string => `${HELP}${sourceLanguageOf(language)}/`
export const chapterPath = (language: string, chapter: string): string => `${bookPath(language)}${chapter}/`
/** `file`: with the language, `de/home.webp`. */
export const picturePath = (file: string): string => `${HELP}images/${file}`
