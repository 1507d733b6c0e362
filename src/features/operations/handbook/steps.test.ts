import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SOURCE_LANGUAGES, type SourceLanguage } from '#platform/i18n/languages.ts'
import { freshSample, PASSWORDS } from '#test/support/demo-instance.ts'
import { openTestApp } from '#test/support/every-page.ts'
import { addressOf, findIds } from '#test/support/handbook/pictures.ts'
import { parseHtml, textOf, walk } from '#test/support/html-tree.ts'
import { Browser } from '#test/support/http-browser.ts'
import { readChapter } from './queries/chapters.ts'
import { CHAPTERS, type ChapterName } from './rules/contents.ts'

type Place = { who: keyof typeof PASSWORDS; pages: Record<number, string | readonly string[]> }

/** For each section with steps: who follows it, and from which step on one is on which page. A step that goes on may need two. */
const PLACES: Partial<Record<ChapterName, Record<number, Place | 'elsewhere'>>> = {
  volunteers: { 2: { who: 'ann', pages: { 1: ['/', '/shifts/'], 3: '/my-shifts/' } } },
  // The journey about the first event follows its first section in a browser.
  'first-event': {
    1: 'elsewhere',
    4: { who: 'paul', pages: { 1: '/events/{festival}/', 2: '/shifts/{busy}/disposition/' } },
  },
  festival: {
    1: { who: 'paul', pages: { 1: '/events/{festival}/', 3: '/events/{festival}/shifts/' } },
    5: { who: 'paul', pages: { 1: '/events/{guests}/', 2: '/events/{guests}/guests/' } },
  },
  series: {
    1: { who: 'paul', pages: { 1: '/events/{festival}/', 2: '/events/{festival}/duplicate/' } },
    3: { who: 'paul', pages: { 1: '/events/{festival}/', 2: '/events/{festival}/template/' } },
    // The journey of the first evening publishes the draft.
    4: { who: 'paul', pages: { 1: '/planning/templates/starters/', 2: '/planning/templates/{template}/use/', 3: [] } },
  },
  asking: { 2: { who: 'paul', pages: { 1: '/planning/', 2: '/shifts/{short}/ask/' } } },
  'the-day': {
    2: { who: 'paul', pages: { 1: '/events/{checkIn}/', 2: '/events/{checkIn}/check-in/' } },
    3: {
      who: 'paul',
      pages: { 1: ['/events/{checkIn}/', '/events/{checkIn}/check-in/'], 2: '/events/{checkIn}/check-in/self/' },
    },
  },
  afterwards: { 1: { who: 'paul', pages: { 1: '/events/{checkIn}/', 2: '/events/{checkIn}/check-in/hours/' } } },
  // The sample data is complete, so its home page has no first steps; their own test follows each link.
  'first-evening': { 1: 'elsewhere' },
  groups: {
    2: {
      who: 'olga',
      pages: { 1: '/manage/groups/', 2: '/manage/groups/patterns/', 3: '/manage/groups/patterns/?pattern=youth' },
    },
    3: {
      who: 'olga',
      pages: {
        1: '/manage/',
        2: '/manage/groups/',
        3: '/manage/groups/new/',
      },
    },
    // What the third step names is on every page of the view: the test of the feature presses it.
    4: { who: 'olga', pages: { 1: '/manage/groups/{group}/', 2: '/manage/people/{ann}/view/', 3: [] } },
  },
  // The journey about the import follows what comes after the file.
  'members-from-excel': { 1: { who: 'olga', pages: { 1: '/manage/people/import/', 4: [] } } },
  poster: {
    1: { who: 'olga', pages: { 1: '/manage/groups/{group}/', 2: '/manage/groups/{group}/join-links/' } },
  },
  qualifications: {
    1: { who: 'olga', pages: { 1: '/manage/qualifications/', 2: '/manage/qualifications/new/' } },
    2: { who: 'olga', pages: { 1: '/manage/people/{child}/' } },
  },
  'lost-phone': { 1: { who: 'olga', pages: { 1: '/manage/people/{child}/' } } },
  leaving: { 1: { who: 'olga', pages: { 1: '/manage/people/{child}/' } } },
  'turning-18': { 2: { who: 'olga', pages: { 1: '/manage/people/{child}/' } } },
  'backup-test': { 1: { who: 'olga', pages: { 1: '/manage/status/' } } },
}

/** Shown only after something that the step before does: a link that was created, a second factor that was set up. */
const LATER: Record<SourceLanguage, readonly string[]> = {
  de: ['Aushang drucken', 'Zweiten Faktor zurücksetzen'],
  en: ['Print poster', 'Reset second factor'],
}

type Step = { section: number; number: number; labels: string[] }

const stepsOf = (language: SourceLanguage, name: ChapterName): Step[] =>
  readChapter(language, name)
    .split(/^## /m)
    .flatMap((text, section) =>
      [...text.matchAll(/^(\d+)\. (.*)$/gm)].map(([, number, step]) => ({
        section,
        number: Number(number),
        labels: [...step!.matchAll(/\*\*(.+?)\*\*/g)].map(([, label]) => label!),
      })),
    )
    .filter(({ labels }) => labels.length > 0)

/** What stands alone on a page: names of links, buttons, fields and headings. */
function namesIn(page: string): string[] {
  return [...walk(parseHtml(page))].flatMap((element) => [textOf(element), element.attributes['aria-label'] ?? ''])
}

test('every section with steps has its pages in the table', () => {
  for (const name of CHAPTERS)
    for (const { section } of stepsOf('en', name)) assert.ok(PLACES[name]?.[section], `${name}, section ${section}`)
})

describe('what a step names is on the page where the step is done', () => {
  for (const language of SOURCE_LANGUAGES)
    test(language, async () => {
      const testApp = await openTestApp(await freshSample(language), { isUnlimited: true })
      try {
        const ids = await findIds(testApp.db)
        const { host, port } = new URL(testApp.origin)
        const read = new Map<string, Promise<string[]>>()
        const browsers = new Map<string, Browser>()
        const namesAt = async (who: keyof typeof PASSWORDS, page: string): Promise<string[]> => {
          const browser = browsers.get(who) ?? new Browser({ port: Number(port) }, { host, language })
          if (!browsers.has(who)) await browser.signIn(PASSWORDS[who], `${who}@demo.example`)
          browsers.set(who, browser)
          const answer = await browser.get(addressOf({ page }, ids))
          const { body, statusCode } = answer.headers.location ? await browser.get(String(answer.headers.location)) : answer
          assert.equal(statusCode, 200, page)
          return namesIn(body)
        }
        const missing: string[] = []
        for (const name of CHAPTERS)
          for (const { section, number, labels } of stepsOf(language, name)) {
            const place = PLACES[name]![section]!
            if (place === 'elsewhere') continue
            const from = Object.keys(place.pages)
              .map(Number)
              .filter((first) => first <= number)
            const pages = [place.pages[Math.max(...from)]!].flat()
            if (pages.length === 0) continue
            const names: string[] = []
            for (const page of pages) {
              const key = `${place.who} ${page}`
              if (!read.has(key)) read.set(key, namesAt(place.who, page))
              names.push(...(await read.get(key)!))
            }
            for (const label of labels)
              if (!LATER[language].includes(label) && !names.some((text) => text === label || text.startsWith(`${label} `)))
                missing.push(`${name}, step ${number}: ${label} is not on ${pages.join(' or ')}`)
          }
        assert.deepEqual(missing, [])
      } finally {
        await testApp.close()
      }
    })
})
