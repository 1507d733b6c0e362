import '#app'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { messagesIn } from '#platform/i18n/catalogue.ts'
import { findTranslations, LANGUAGES, SOURCE_LANGUAGES } from '#platform/i18n/languages.ts'
import { countedForms } from '#platform/i18n/plural.ts'
import { judgeEntry, readEntries } from '#platform/i18n/translations.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { ANN, OLGA } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld } from '#test/support/world.ts'

const REGION = '/manage/instance/region/'
const languageOf = (page: string) => /<html lang="([\w-]+)"/.exec(page)?.[1]

describe('files of translators', () => {
  const english = messagesIn('en')
  for (const language of findTranslations())
    test(`${language} fits the texts: names in braces, plural forms, nothing twice`, () => {
      const entries = [...readEntries(readFileSync(new URL(`../../languages/${language}.po`, import.meta.url), 'utf8'))]
      assert.ok(entries.length > 100, `${entries.length} texts`)
      assert.equal(new Set(entries.map(({ key }) => key)).size, entries.length)
      const forms = countedForms(language).length
      const wrong = entries.flatMap((entry) => {
        const objection = judgeEntry(entry, english.get(entry.key), forms)
        // A text that was changed or removed in the code since is left out, until somebody translates it again.
        return objection === undefined || objection === 'outdated' || objection === 'unknown'
          ? []
          : [`${entry.key}: ${objection}`]
      })
      assert.deepEqual(wrong, [])
    })

  // 21 and 101 have the form of 1 in Ukrainian: a text such as “one person” would be wrong there.
  for (const language of findTranslations())
    test(`${language} names the number in each form that stands for several numbers`, () => {
      const rules = new Intl.PluralRules(language)
      const counts = Array.from({ length: 200 }, (_, count) => rules.select(count))
      const isOfMany = countedForms(language).map((form) => counts.filter((each) => each === form).length > 2)
      const entries = readEntries(readFileSync(new URL(`../../languages/${language}.po`, import.meta.url), 'utf8'))
      const silent = [...entries].flatMap(({ key, source, texts }) =>
        typeof source === 'string' || !source.other.includes('{count}')
          ? []
          : texts.filter((text, index) => isOfMany[index] && !text.includes('{count}')).map((text) => `${key}: ${text}`),
      )
      assert.deepEqual(silent, [])
    })

  // Which of the three forms each count takes.
  const COUNTS = [0, 1, 2, 5, 12, 22, 25, 101, 112]
  const FORM_OF_COUNT = { pl: [2, 0, 1, 2, 2, 1, 2, 2, 2], uk: [2, 0, 1, 2, 2, 1, 2, 0, 2] }
  type Counted = 'ui.places_left' | 'ui.free_count' | 'event.list_count' | 'notification.days_before'
  const PLURALS: [language: 'pl' | 'uk', key: Counted, one: string, few: string, many: string][] = [
    ['pl', 'ui.places_left', '# wolne miejsce', '# wolne miejsca', '# wolnych miejsc'],
    ['pl', 'event.list_count', '# wydarzenie', '# wydarzenia', '# wydarzeń'],
    ['pl', 'notification.days_before', '# dzień przed', '# dni przed', '# dni przed'],
    ['uk', 'ui.free_count', '# вільне місце', '# вільні місця', '# вільних місць'],
    ['uk', 'event.list_count', '# подія', '# події', '# подій'],
    ['uk', 'notification.days_before', 'за # день', 'за # дні', 'за # днів'],
  ]
  for (const [language, key, ...forms] of PLURALS)
    test(`${language} counts ${key} as ${forms.join(', ')}`, () => {
      const { t } = wordsFor(language, 'UTC')
      assert.deepEqual(
        COUNTS.map((count) => t(key, { count })),
        COUNTS.map((count, index) => forms[FORM_OF_COUNT[language][index]!]!.replace('#', String(count))),
      )
    })

  test('a text that nobody has translated is English, with English plurals', () => {
    const { t } = wordsFor('fr', 'UTC')
    assert.equal(t('home.next'), 'Prochain créneau')
    assert.deepEqual(
      [0, 1, 2].map((count) => t('ui.places_left', { count })),
      ['0 place restante', '1 place restante', '2 places restantes'],
    )
    assert.equal(messagesIn('fr').has('modules.count'), false)
    assert.equal(t('instance.region'), 'Time zone and language')
    assert.equal(t('modules.saved', { count: 0 }), wordsFor('en', 'UTC').t('modules.saved', { count: 0 }))
  })

  test('numbers, days and times are written as people of the language do', () => {
    const words = wordsFor('fr', 'Europe/Paris')
    const at = new Date('2026-11-14T07:00:00Z')
    assert.deepEqual(
      [
        words.day(at),
        words.date(at),
        words.shortDate(at),
        words.time(at),
        words.number(1234.5),
        words.list(['Ann', 'Ben', 'Cem']),
      ],
      ['sam 14 nov.', '14 novembre 2026', '14/11/2026', '08:00', '1\u202f234,5', 'Ann, Ben et Cem'],
    )
  })
})

describe('languages of an instance', async () => {
  const world = await openWorld()
  const staff = await browserOf(world, OLGA)
  const visit = async (language: string) =>
    languageOf((await world.nobody.get('/accounts/login/', { headers: { 'accept-language': language }, unchecked: true })).text)
  const choose = (languages: string[], language = 'en') =>
    staff.post(REGION, { form: { time_zone: 'Europe/Berlin', default_language: language, languages } })

  test('are those of the code until an administrator chooses others', async () => {
    assert.deepEqual(await Promise.all(['fr', 'de', 'en', 'nl'].map(visit)), ['en', 'de', 'en', 'en'])
    assert.equal((await choose(['en', 'fr'])).statusCode, 303)
    assert.deepEqual(await Promise.all(['fr-CA', 'de', 'en', 'de;q=0.9,fr;q=0.1'].map(visit)), ['fr', 'en', 'en', 'fr'])
    const stored = await world.db.read.selectFrom('setting').select('value').where('name', '=', 'languages').executeTakeFirst()
    assert.equal(stored?.value, 'en fr')
  })

  test('always include the default language, and no unknown one', async () => {
    await choose(['en', 'xx'], 'fr')
    assert.deepEqual(await Promise.all(['de', 'en', 'fr'].map(visit)), ['fr', 'en', 'fr'])
    assert.equal((await choose(['en'], 'xx')).statusCode, 422)
    assert.equal(await visit('de'), 'fr')
    await choose([...SOURCE_LANGUAGES, 'fr'])
  })

  test('are the choices of people, who keep one that is no longer offered', async () => {
    const ann = await browserOf(world, ANN)
    const offered = async () =>
      [...(await ann.get('/settings/profile/')).body.matchAll(/name="language" value="(\w+)"/g)].map(([, each]) => each)
    assert.deepEqual(await offered(), ['en', 'de', 'fr'])
    assert.equal((await ann.post('/settings/profile/', { form: { language: 'fr' } })).statusCode, 303)
    const home = await ann.get('/')
    assert.equal(languageOf(home.body), 'fr')
    assert.match(home.body, /Bonjour Ann/)
    await choose(['en', 'de'])
    assert.equal(languageOf((await ann.get('/')).body), 'fr')
    assert.deepEqual(await offered(), ['en', 'de', 'fr'])
    assert.equal((await ann.post('/settings/profile/', { form: { language: 'en' } })).statusCode, 303)
    assert.deepEqual(await offered(), ['en', 'de'])
  })

  test('do not change the answers of the API', async () => {
    await choose([...LANGUAGES], 'fr')
    for (const [wanted, language] of [
      ['fr', 'en'],
      ['de', 'de'],
      ['fr,de;q=0.1', 'de'],
    ] as const) {
      const { headers, body } = await world.nobody.get('/api/events/', { headers: { 'accept-language': wanted } })
      assert.deepEqual(
        [headers['content-language'], body.detail],
        [language, wordsFor(language, 'UTC').t('problem.not_authenticated.detail')],
      )
    }
  })
})
