import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { weakEtag } from '#platform/http/etag.ts'
import type { Language } from '#platform/i18n/catalogue.ts'
import { CHAPTERS } from '../rules/contents.ts'
import type { Chapter, RenderedChapter } from '../rules/search.ts'
import { renderChapter } from './render.ts'

const FOLDER = new URL('../../../../../handbook/', import.meta.url)
const GUIDE = new URL('../../../../../docs/api/guide.md', import.meta.url)

const books = new Map<Language, readonly Chapter[]>()

/** All chapters of a language, rendered at first use. */
export function findChapters(language: Language): readonly Chapter[] {
  const known = books.get(language)
  if (known) return known
  const chapters = CHAPTERS.map((name) => ({ name, ...renderChapter(readChapter(language, name), language) }))
  books.set(language, chapters)
  return chapters
}

let guide: RenderedChapter | undefined

/** The guide of the API, rendered at first use. */
export function getGuide(): RenderedChapter {
  guide ??= renderChapter(readFileSync(GUIDE, 'utf8'), 'en')
  return guide
}

export const readChapter = (language: Language, name: string): string =>
  readFileSync(new URL(`${language}/${name}.md`, FOLDER), 'utf8')

export type Picture = { content: Buffer; etag: string }
const pictures = new Map<string, Picture>()

/** Undefined if there is no such file: the name is compared with those of the folder and never part of a path. */
export function getPicture(name: string): Picture | undefined {
  if (pictures.size === 0)
    for (const file of globSync('*.webp', { cwd: fileURLToPath(new URL('images/', FOLDER)) })) {
      const content = readFileSync(new URL(`images/${file}`, FOLDER))
      pictures.set(file, { content, etag: weakEtag(content) })
    }
  return pictures.get(name)
}
