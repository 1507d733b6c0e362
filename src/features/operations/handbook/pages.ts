import { getBranding } from '#features/operations/settings/queries.ts'
import { logoPath } from '#features/operations/settings/views.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { type Html, renderHtml } from '#platform/html/html.ts'
import { open } from '#platform/http/access.ts'
import { weakEtag } from '#platform/http/etag.ts'
import { type Download, type Page, viewPage } from '#platform/http/page.ts'
import { requireFound } from '#platform/http/problem.ts'
import { isSourceLanguage, type SourceLanguage, sourceLanguageOf } from '#platform/i18n/languages.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { findChapters, getApiDocument } from './queries/chapters.ts'
import { getPicture } from './queries/pictures.ts'
import { API_DOCUMENTS, apiDocumentPath, bookPath, chapterPath } from './rules/contents.ts'
import { type Chapter, type Searched, searchBooks } from './rules/search.ts'
import { articleView, chapterView, HANDBOOK_POLICY, handbookView, hitsView, startView, unknownView } from './views.ts'

const access = open('the same for everybody')
const MAX_QUERY_LENGTH = 100
/** Nothing in these pages depends on the reader, so that caches may share them. */
const SHARED = { 'cache-control': 'public, max-age=300', vary: 'Accept-Encoding' }

async function loadFrame({ db, words, site }: RequestContext, language: SourceLanguage = sourceLanguageOf(words.language)) {
  const { name, logoVersion } = await getBranding(db)
  return {
    words: wordsFor(language, words.timeZone, site),
    siteName: name ?? 'Turnout',
    logo: logoVersion === undefined ? undefined : logoPath(logoVersion),
    chapters: findChapters(language),
  }
}

function send(view: Html, language: SourceLanguage, status = 200): Download {
  const content = renderHtml(view)
  const headers = { ...SHARED, 'content-security-policy': HANDBOOK_POLICY, 'content-language': language }
  return { content, contentType: 'text/html; charset=utf-8', headers, status, ...(status === 200 && { etag: weakEtag(content) }) }
}

/** The list of chapters, in a language that the reader understands. */
async function sendUnknown(context: RequestContext, language?: SourceLanguage): Promise<Download> {
  const frame = await loadFrame(context, language)
  const view = handbookView(frame, { title: frame.words.t('handbook.unknown'), main: unknownView(frame) })
  const { headers, ...response } = send(view, sourceLanguageOf(frame.words.language), 404)
  return { ...response, headers: { ...headers, 'cache-control': 'no-store' } }
}

const helpPage = viewPage({
  path: '/help/',
  access,
  isForPrograms: true,
  show: async ({ context: { words } }) => ({ redirect: bookPath(words.language) }),
})

const searchedChapters = (chapters: readonly Chapter[], language: SourceLanguage): Searched[] =>
  chapters.map((chapter) => ({ ...chapter, path: chapterPath(language, chapter.name) }))

const searchedDocuments = (language: SourceLanguage): Searched[] =>
  API_DOCUMENTS.map((name) => ({
    ...getApiDocument(name),
    path: apiDocumentPath(name),
    ...(language !== 'en' && { lang: 'en' }),
  }))

const bookPage = viewPage({
  path: '/help/{language}/',
  access,
  isForPrograms: true,
  show: async ({ context, path: { language }, query }) => {
    if (!isSourceLanguage(language)) return sendUnknown(context)
    const frame = await loadFrame(context, language)
    const wanted = (query.get('q') ?? '').trim().slice(0, MAX_QUERY_LENGTH)
    const main = wanted
      ? hitsView(frame, wanted, searchBooks([searchedChapters(frame.chapters, language), searchedDocuments(language)], wanted))
      : startView(frame)
    return send(handbookView(frame, { title: frame.words.t('handbook.title'), main, query: wanted }), language)
  },
})

const chapterPage = viewPage({
  path: '/help/{language}/{chapter}/',
  access,
  isForPrograms: true,
  show: async ({ context, path: { language, chapter: name } }) => {
    if (!isSourceLanguage(language)) return sendUnknown(context)
    const frame = await loadFrame(context, language)
    const chapter = frame.chapters.find((each) => each.name === name)
    if (!chapter) return sendUnknown(context, language)
    const main = chapterView(frame, chapter)
    return send(handbookView(frame, { title: chapter.title, current: chapter.name, main }), language)
  },
})

const apiPages = API_DOCUMENTS.map((name) =>
  viewPage({
    path: apiDocumentPath(name),
    access,
    isForPrograms: true,
    show: async ({ context }) => {
      const frame = await loadFrame(context, 'en')
      const document = getApiDocument(name)
      return send(handbookView(frame, { title: document.title, main: articleView(frame.words, document) }), 'en')
    },
  }),
)

const picturePage = viewPage({
  path: '/help/images/{language}/{file}',
  access,
  isForPrograms: true,
  show: async ({ path: { language, file } }) => {
    const picture = requireFound(getPicture(`${language}/${file}`))
    return { content: picture.content, contentType: 'image/webp', headers: SHARED, etag: picture.etag }
  },
})

export const handbookPages: Page[] = [helpPage, bookPage, ...apiPages, chapterPage, picturePage]
