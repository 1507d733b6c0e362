import { readFileSync } from 'node:fs'
import type { SourceLanguage } from '#platform/i18n/languages.ts'
import { type ApiDocument, CHAPTERS } from '../rules/contents.ts'
import type { Chapter, RenderedChapter } from '../rules/search.ts'
import { renderChapter } from './render.ts'

const FOLDER = new URL('../../../../../handbook/', import.meta.url)
const API_FOLDER = new URL('../../../../../docs/api/', import.meta.url)

const books = new Map<SourceLanguage, readonly Chapter[]>()

/** All chapters of a language, rendered at first use. */
export function findChapters(language: SourceLanguage): readonly Chapter[] {
  const known = books.get(language)
  if (known) return known
  const chapters = CHAPTERS.map((name) => ({ name, ...renderChapter(readChapter(language, name), language) }))
  books.set(language, chapters)
  return chapters
}

const documents = new Map<ApiDocument, RenderedChapter>()

/** A document of the API, rendered at first use. */
export function getApiDocument(name: ApiDocument): RenderedChapter {
  const known = documents.get(name)
  if (known) return known
  const rendered = renderChapter(readFileSync(new URL(`${name}.md`, API_FOLDER), 'utf8'), 'en')
  documents.set(name, rendered)
  return rendered
}

export const readChapter = (language: SourceLanguage, name: string): string =>
  readFileSync(new URL(`${language}/${name}.md`, FOLDER), 'utf8')
