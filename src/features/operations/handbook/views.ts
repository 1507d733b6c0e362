import { attrs, type Child, type Html, html, trustedHtml } from '#platform/html/html.ts'
import { SOURCE_LANGUAGES, type SourceLanguage } from '#platform/i18n/languages.ts'
import type { Words } from '#platform/i18n/words.ts'
import { assetUrl, pageAssets } from '#platform/ui/assets.ts'
import { buttonView } from '#platform/ui/form.ts'
import { iconView } from '#platform/ui/icon.ts'
import { logoView } from '#platform/ui/mark.ts'
import { bookPath, type ChapterName, chapterPath, PARTS, picturePath } from './rules/contents.ts'
import type { Chapter, Hit, RenderedChapter } from './rules/search.ts'

type Frame = { words: Words; siteName: string; logo: string | undefined; chapters: readonly Chapter[] }

/** Without scripts. */
export const HANDBOOK_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Names of languages are in the language itself. */
const LANGUAGE_NAMES: Record<SourceLanguage, string> = { en: 'English', de: 'Deutsch' }

/** Shorter chapters are seen at a glance. */
const MIN_LISTED = 5

type Document = { title: string; current?: ChapterName | undefined; main: Child; query?: string }

export function handbookView(frame: Frame, { title, current, main, query = '' }: Document): Html {
  const { words, siteName, logo } = frame
  const { stylesheets, favicon, touchIcon } = pageAssets()
  return html`<!doctype html>
<html lang="${words.language}">
<head>
<meta charset="utf-8">
<title>${title} · ${siteName}</title>
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
${[...stylesheets, assetUrl('handbook.css')].map((href) => html`<link rel="stylesheet" href="${href}">`)}
<link rel="icon" href="${favicon}" type="image/svg+xml">
<link rel="apple-touch-icon" href="${touchIcon}">
<link rel="manifest" href="/manifest.webmanifest">
</head>
<body class="framed handbook">
<a class="skip" href="#main">${words.t('ui.skip')}</a>
<header class="top-bar"><div class="top-inner"><a class="brand" href="/">${logoView(logo, 28)}<span>${siteName}</span></a><div class="top-end">${languageSwitch(words, current)}</div></div></header>
<div class="book">
<main id="main" tabindex="-1">
${main}
</main>
<div class="book-side" id="contents">
<form class="book-search" role="search" action="${bookPath(words.language)}"><label for="book-search">${words.t('handbook.search')}</label><div class="cluster"><input id="book-search" type="search" name="q" maxlength="100" ${attrs({ value: query })}>${buttonView({ label: words.t('handbook.find'), kind: 'secondary' })}</div></form>
${contentsView(frame, current)}
</div>
</div>
</body>
</html>
`
}

function languageSwitch(words: Words, current: ChapterName | undefined): Html {
  const others = SOURCE_LANGUAGES.filter((language) => language !== words.language)
  return html`<nav aria-label="${words.t('handbook.language')}">${others.map(
    (language) =>
      html`<a class="button quiet" href="${current ? chapterPath(language, current) : bookPath(language)}" hreflang="${language}" lang="${language}">${iconView('globe')}${LANGUAGE_NAMES[language]}</a>`,
  )}</nav>`
}

/** All chapters by part, for the side of a page and for the page of contents. */
function contentsView({ words, chapters }: Frame, current?: ChapterName): Html {
  const titleOf = (name: ChapterName) => chapters.find((chapter) => chapter.name === name)!.title
  return html`<nav class="book-contents" aria-label="${words.t('handbook.contents')}">
<p class="book-title"><a href="${bookPath(words.language)}">${words.t('handbook.title')}</a></p>
${PARTS.map(
  (part) =>
    html`<h2>${words.t(`handbook.part_${part.name}`)}</h2><ul role="list">${part.chapters.map((name) => html`<li><a href="${chapterPath(words.language, name)}" ${attrs({ 'aria-current': name === current && 'page' })}>${titleOf(name)}</a></li>`)}</ul>`,
)}</nav>`
}

export function articleView(words: Words, { title, sections, markup }: RenderedChapter): Html {
  const headings = sections.filter(({ id }) => id !== '')
  return html`<article><h1>${title}</h1>
<p class="book-up"><a href="#contents">${words.t('handbook.contents')}</a></p>
${headings.length > MIN_LISTED && html`<ul class="book-headings" role="list">${headings.map(({ id, heading }) => html`<li><a href="#${id}">${heading}</a></li>`)}</ul>`}
<div class="prose">${trustedHtml(markup)}</div></article>`
}

export function chapterView({ words, chapters }: Frame, chapter: Chapter): Html {
  const position = chapters.indexOf(chapter)
  const [before, after] = [chapters[position - 1], chapters[position + 1]]
  return html`${articleView(words, chapter)}
<nav class="book-pages" aria-label="${words.t('handbook.pages')}">
${before && html`<a rel="prev" href="${chapterPath(words.language, before.name)}">${iconView('arrow-left')}<span><span class="muted">${words.t('handbook.previous')}</span> ${before.title}</span></a>`}
${after && html`<a rel="next" href="${chapterPath(words.language, after.name)}"><span><span class="muted">${words.t('handbook.next')}</span> ${after.title}</span>${iconView('arrow-right')}</a>`}
</nav>`
}

export const startView = ({ words }: Frame): Html =>
  html`<h1>${words.t('handbook.title')}</h1><p>${words.t('handbook.intro')}</p>`

export function hitsView({ words }: Frame, query: string, hits: readonly Hit[]): Html {
  if (hits.length === 0)
    return html`<h1>${words.t('handbook.title')}</h1><p role="status">${words.t('handbook.none', { query })}</p>`
  return html`<h1>${words.t('handbook.title')}</h1><p role="status">${words.t('handbook.found', { count: hits.length, query })}</p>
<ul class="book-hits" role="list">${hits.map(
    ({ chapter, section, excerpt }) =>
      html`<li ${attrs({ lang: chapter.lang })}><a href="${chapter.path + (section.id && `#${section.id}`)}">${section.heading}</a>${section.id && html` <span class="muted">${chapter.title}</span>`}<p>${excerpt}</p></li>`,
  )}</ul>`
}

export const unknownView = ({ words }: Frame): Html =>
  html`<h1>${words.t('handbook.unknown')}</h1><p>${words.t('handbook.unknown_text')}</p>`

/** A picture of the handbook on another page. */
export const pictureView = (
  file: string,
  { alt, width, height, class: className }: { alt: string; width: number; height: number; class: string },
): Html => html`<img ${attrs({ src: picturePath(file), alt, width, height, class: className })} loading="lazy">`
