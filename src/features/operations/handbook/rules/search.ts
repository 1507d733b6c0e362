import type { ChapterName } from './contents.ts'

/** A part of a chapter below one heading; the text before the first heading has no id. */
export type Section = { id: string; heading: string; text: string }
export type RenderedChapter = { title: string; markup: string; sections: Section[] }
export type Chapter = RenderedChapter & { name: ChapterName }
/** `lang`: of a text in another language than the page. */
export type Searched = RenderedChapter & { path: string; lang?: string }
export type Hit = { chapter: Searched; section: Section; excerpt: string }

const MAX_HITS = 20
const BEFORE = 60
const AFTER = 120

const fold = (text: string): string => text.toLowerCase()

/** Sections that contain every word, those with a word in the heading first. The second books come after the first ones. */
export const searchBooks = (books: readonly (readonly Searched[])[], query: string): Hit[] =>
  books.flatMap((chapters) => searchChapters(chapters, query)).slice(0, MAX_HITS)

function searchChapters(chapters: readonly Searched[], query: string): Hit[] {
  const wanted = fold(query).split(/\s+/).filter(Boolean)
  if (wanted.length === 0) return []
  const found = chapters.flatMap((chapter) =>
    chapter.sections
      .filter(({ heading, text }) => wanted.every((word) => fold(`${heading} ${text}`).includes(word)))
      .map((section) => ({ chapter, section, excerpt: excerptOf(section.text.trim(), wanted[0]!) })),
  )
  const isInHeading = ({ section }: Hit) => (wanted.some((word) => fold(section.heading).includes(word)) ? 0 : 1)
  return found.toSorted((a, b) => isInHeading(a) - isInHeading(b))
}

function excerptOf(text: string, word: string): string {
  const at = Math.max(fold(text).indexOf(word), 0)
  const start = at <= BEFORE ? 0 : text.indexOf(' ', at - BEFORE) + 1
  const part = text.slice(start, at + AFTER)
  return `${start > 0 ? '… ' : ''}${part}${start + part.length < text.length ? ' …' : ''}`
}
