import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import '../../../features.ts'
import { messagesIn } from '#platform/i18n/catalogue.ts'
import { SOURCE_LANGUAGES, type SourceLanguage } from '#platform/i18n/languages.ts'
import { textsOf as textsOfMessage } from '#platform/i18n/message.ts'
import { findChapters, getApiDocument, readChapter } from './queries/chapters.ts'
import { getPicture } from './queries/pictures.ts'
import { anchorOf, renderChapter } from './queries/render.ts'
import { API_GUIDE, CHAPTERS, type ChapterName, chapterPath, picturePath } from './rules/contents.ts'
import { searchBooks } from './rules/search.ts'
import { findTarget, TARGETS } from './rules/targets.ts'

const folder = fileURLToPath(new URL('../../../../handbook/', import.meta.url))
const EVERY = SOURCE_LANGUAGES.flatMap((language) => CHAPTERS.map((name) => ({ language, name })))

const levels = (language: SourceLanguage, name: ChapterName): number[] =>
  [...readChapter(language, name).matchAll(/^(#+) /gm)].map(([, marks]) => marks!.length)

/** What stands in bold is a text of the pages, letter by letter. */
const labelsIn = (text: string): string[] => [...text.matchAll(/\*\*(.+?)\*\*/g)].map(([, label]) => label!)

/** All texts of the pages, those with values as patterns. */
function textsOf(language: SourceLanguage): { has: (label: string) => boolean } {
  const all = [...messagesIn(language).values()].flatMap(textsOfMessage)
  const plain = new Set(all.filter((text) => !text.includes('{')))
  return { has: (label) => plain.has(label) }
}

describe('the chapters of the handbook', () => {
  test('are the same files in both languages, each in the contents', () => {
    for (const language of SOURCE_LANGUAGES)
      assert.deepEqual(
        globSync(`${language}/*.md`, { cwd: folder }).sort(),
        CHAPTERS.map((name) => `${language}/${name}.md`).sort(),
      )
  })

  test('have the same headings in both languages, and one heading of the page, in the first line', () => {
    for (const name of CHAPTERS) {
      assert.deepEqual(levels('de', name), levels('en', name), name)
      assert.equal(levels('en', name).filter((level) => level === 1).length, 1, name)
      for (const language of SOURCE_LANGUAGES) assert.match(readChapter(language, name), /^# /)
    }
  })

  for (const language of SOURCE_LANGUAGES)
    test(`name buttons and fields as the pages do (${language})`, () => {
      const texts = textsOf(language)
      const unknown = CHAPTERS.flatMap((name) =>
        labelsIn(readChapter(language, name))
          .filter((label) => !texts.has(label))
          .map((label) => `${name}: ${label}`),
      )
      assert.deepEqual(unknown, [])
    })

  test('have as many names of buttons and fields in both languages', () => {
    for (const name of CHAPTERS)
      assert.equal(labelsIn(readChapter('de', name)).length, labelsIn(readChapter('en', name)).length, name)
  })

  test('link to chapters, headings and pictures that exist', () => {
    const anchors = new Map(
      EVERY.map(({ language, name }) => [
        chapterPath(language, name),
        new Set(
          findChapters(language)
            .find((chapter) => chapter.name === name)!
            .sections.map(({ id }) => id),
        ),
      ]),
    )
    const broken = EVERY.flatMap(({ language, name }) => {
      const { markup } = renderChapter(readChapter(language, name), language)
      const targets = [...markup.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, target]) => target!)
      return targets
        .filter((target) => {
          if (target.startsWith(picturePath(''))) return getPicture(target.slice(picturePath('').length)) === undefined
          if (target === API_GUIDE) return false
          if (!target.startsWith('/help/')) return !target.startsWith('/') && !target.startsWith('https://')
          const [page, anchor = ''] = target.split('#')
          return !anchors.get(page!)?.has(anchor)
        })
        .map((target) => `${language}/${name}: ${target}`)
    })
    assert.deepEqual(broken, [])
  })

  test('are rendered once, each language by itself', () => {
    for (const language of SOURCE_LANGUAGES) assert.equal(findChapters(language), findChapters(language))
    assert.notEqual(findChapters('en'), findChapters('de'))
    assert.equal(getApiDocument('guide'), getApiDocument('guide'))
  })

  test('have headings with different anchors', () => {
    for (const { language, name } of EVERY) {
      const ids = findChapters(language)
        .find((chapter) => chapter.name === name)!
        .sections.map(({ id }) => id)
      assert.equal(new Set(ids).size, ids.length, `${language}/${name}`)
    }
  })
})

describe('rendering and searching', () => {
  const TEXT = '# Title\n\nBefore.\n\n## Ärger & Maß\n\nSee [this](series.md#a), ![x](../pictures/en/home.webp) and <b>.\n'

  test('links of files become addresses, headings get anchors, markup of the text is escaped', () => {
    const { title, markup, sections } = renderChapter(TEXT, 'en')
    assert.equal(title, 'Title')
    assert.match(markup, /<h2 id="arger-mass">/)
    assert.match(markup, /href="\/help\/en\/series\/#a"/)
    assert.match(markup, /<img src="\/help\/images\/en\/home\.webp" alt="x" width="640" height="\d+" loading="lazy">/)
    assert.match(markup, /&lt;b&gt;/)
    assert.doesNotMatch(markup, /<h1/)
    assert.deepEqual(
      sections.map(({ id, text }) => [id, text.trim()]),
      [
        ['', 'Before.'],
        ['arger-mass', 'See this, x and <b>.'],
      ],
    )
  })

  test('an anchor has letters, digits and hyphens only', () => {
    assert.equal(anchorOf('You can’t come after all'), 'you-can-t-come-after-all')
    assert.equal(anchorOf('Wer fehlt? Zwei Wege!'), 'wer-fehlt-zwei-wege')
  })

  test('every word has to be in the section; headings come first', () => {
    const chapters = [
      { path: '/series/', ...renderChapter('# One\n\nA stand-in helps.\n\n## Other\n\nNothing.', 'en') },
      { path: '/asking/', ...renderChapter('# Two\n\n## Stand-in\n\nAsk **somebody**.', 'en') },
    ]
    const other = [{ path: '/api/', ...renderChapter('# API\n\n## The stand-in\n\nText.', 'en') }]
    const find = (query: string, books = [chapters]) => searchBooks(books, query).map(({ section }) => section.heading)
    assert.deepEqual(find('stand-in', [chapters, other]), ['Stand-in', 'One', 'The stand-in'])
    assert.deepEqual(find('STAND-IN'), ['Stand-in', 'One'])
    assert.deepEqual(find('stand-in somebody'), ['Stand-in'])
    assert.deepEqual(find('nobody'), [])
    assert.deepEqual(find('  '), [])
  })
})

describe('which chapter belongs to a page', () => {
  test('the longest path decides, and a star is one segment', () => {
    assert.equal(findTarget('/'), 'volunteers')
    assert.equal(findTarget('/events/12-summer-fair/'), 'volunteers')
    assert.equal(findTarget('/events/12/check-in/'), 'the-day')
    assert.equal(findTarget('/events/12/check-in/hours/'), 'afterwards')
    assert.equal(findTarget('/nothing/'), undefined)
  })

  test('every chapter in the table exists', () => {
    for (const [path, target] of Object.entries(TARGETS)) assert.ok(CHAPTERS.includes(target), `${path}: ${target}`)
  })
})
