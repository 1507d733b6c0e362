import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { po as library } from 'gettext-parser'
import { findTranslations } from './languages.ts'
import type { Message } from './message.ts'
import { choosePlural, countedForms, pluralFor } from './plural.ts'
import { judgeEntry, type Objection, readEntries, readTranslation } from './translations.ts'

const folder = mkdtempSync(join(tmpdir(), 'turnout-languages-'))
after(() => rmSync(folder, { recursive: true }))

const ENGLISH = new Map<string, Message>([
  ['shift.sign_up', 'Sign up'],
  ['shift.hello', 'Hello {name}'],
  ['shift.places', { one: '{count} place left', other: '{count} places left' }],
])

describe('plural forms of whole numbers', () => {
  const TABLE: [language: string, forms: string[], samples: [count: number, form: string][]][] = [
    [
      'en',
      ['one', 'other'],
      [
        [0, 'other'],
        [1, 'one'],
        [2, 'other'],
      ],
    ],
    [
      'fr',
      ['one', 'other'],
      [
        [0, 'one'],
        [1, 'one'],
        [2, 'other'],
      ],
    ],
    [
      'pl',
      ['one', 'few', 'many'],
      [
        [1, 'one'],
        [2, 'few'],
        [4, 'few'],
        [5, 'many'],
        [12, 'many'],
        [22, 'few'],
        [25, 'many'],
        [112, 'many'],
      ],
    ],
    [
      'uk',
      ['one', 'few', 'many'],
      [
        [1, 'one'],
        [3, 'few'],
        [5, 'many'],
        [11, 'many'],
        [21, 'one'],
        [24, 'few'],
        [111, 'many'],
      ],
    ],
    [
      'ja',
      ['other'],
      [
        [1, 'other'],
        [7, 'other'],
      ],
    ],
  ]
  for (const [language, forms, samples] of TABLE)
    test(language, () => {
      assert.deepEqual(countedForms(language), forms)
      const rules = new Intl.PluralRules(language)
      for (const [count, form] of samples) assert.equal(rules.select(count), form, String(count))
    })

  test('a form that a text lacks is that of a few, or its last one', () => {
    assert.equal(choosePlural({ one: 'a', few: 'b', other: 'c' }, 'few'), 'b')
    assert.equal(choosePlural({ one: 'a', few: 'b', other: 'c' }, 'many'), 'b')
    assert.equal(choosePlural({ one: 'a', other: 'c' }, 'many'), 'c')
  })

  const SAID = { one: 'one day', few: '{count} few', other: '{count} days' }
  const WITHOUT = { one: 'this day', other: 'these days' }
  for (const [what, message, language, count, text] of [
    ['one', SAID, 'fr', 1, 'one day'],
    ['another number of the same form', SAID, 'fr', 0, '{count} days'],
    ['a fraction of the same form', SAID, 'fr', 1.5, '{count} days'],
    ['21 in a language with one form for it', SAID, 'uk', 21, '{count} days'],
    ['another form', SAID, 'uk', 22, '{count} few'],
    ['a text that names the number', { one: '{count} day', other: '{count} days' }, 'uk', 21, '{count} day'],
    ['a text that names no number', WITHOUT, 'fr', 0, 'this day'],
  ] as const)
    test(`a text that says “one” is for one only: ${what}`, () =>
      assert.equal(pluralFor(message, new Intl.PluralRules(language), count), text))
})

const po = (entries: string, header = '') =>
  `msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n${header}"\n\n${entries}`

describe('files of translators', () => {
  test('add a language by their names', () => {
    for (const name of ['fr.po', 'pt-BR.po', 'sr-Latn.po', 'notes.txt', 'FR.po', 'a.po', 'it.po.bak'])
      writeFileSync(join(folder, name), po(''))
    assert.deepEqual(findTranslations(folder), ['fr', 'pt-BR', 'sr-Latn'])
    assert.deepEqual(findTranslations(join(folder, 'missing')), [])
  })

  test('give texts by their keys, with the plural forms of the language', () => {
    writeFileSync(
      join(folder, 'pl.po'),
      po(`
msgctxt "shift.sign_up"
msgid "Sign up"
msgstr "Zapisz się"

msgctxt "shift.places"
msgid "{count} place left"
msgid_plural "{count} places left"
msgstr[0] "{count} wolne miejsce"
msgstr[1] "{count} wolne miejsca"
msgstr[2] "{count} wolnych miejsc"
`),
    )
    assert.deepEqual(
      readTranslation('pl', ENGLISH, folder),
      new Map<string, Message>([
        ['shift.sign_up', 'Zapisz się'],
        [
          'shift.places',
          {
            one: '{count} wolne miejsce',
            few: '{count} wolne miejsca',
            many: '{count} wolnych miejsc',
            other: '{count} wolne miejsca',
          },
        ],
      ]),
    )
  })

  test('are read as the library of translators’ tools writes them', () => {
    const texts = ['', 'Ja', 'He said "no"', 'two\nlines\n', 'a\tb', 'C:\\path', 'Größe → €', ' spaces ', '{count} %d']
    const translations = Object.fromEntries(
      texts.map((text, index) => {
        const key = `key.${index}`
        return [key, { [`${text}?`]: { msgctxt: key, msgid: `${text}?`, msgid_plural: `${text}!`, msgstr: [text, `${text}.`] } }]
      }),
    )
    const headers = { Language: 'nl', 'Content-Type': 'text/plain; charset=UTF-8' }
    for (const foldLength of [0, 20])
      assert.deepEqual(
        [...readEntries(library.compile({ charset: 'utf-8', headers, translations }, { foldLength }).toString('utf8'))],
        texts.map((text, index) => ({
          key: `key.${index}`,
          source: { one: `${text}?`, other: `${text}!` },
          texts: [text, `${text}.`],
          isUnsure: false,
        })),
      )
  })

  test('may lack blank lines, and have marks, comments and former texts', () => {
    const content = `#, fuzzy, c-format
msgctxt "a"
msgid "A"
msgstr "a"
# about B
msgctxt "b"
msgid "B"
msgstr "b"
#~ msgctxt "c"
#~ msgid "C"
#~ msgstr "c"
`
    assert.deepEqual(
      [...readEntries(content)].map(({ key, texts, isUnsure }) => ({ key, texts, isUnsure })),
      [
        { key: 'a', texts: ['a'], isUnsure: true },
        { key: 'b', texts: ['b'], isUnsure: false },
      ],
    )
  })

  test('that are damaged name the line', () => {
    assert.throws(() => [...readEntries('msgctxt "a"\nmsgid "A"\nmsgstr "\\x"\n')], /line 3 has a text that cannot be read/)
    assert.throws(() => [...readEntries('msgctxt "a"\n<html>\n')], /line 2 is not of a PO file: <html>/)
  })

  type Entry = Parameters<typeof judgeEntry>[0]
  const PLACES = ENGLISH.get('shift.places')!
  const HELLO: Entry = { key: 'shift.hello', source: 'Hello {name}', texts: ['Bonjour {name}'], isUnsure: false }
  const COUNTED: Entry = { key: 'shift.places', source: PLACES, texts: ['{count} place', '{count} places'], isUnsure: false }
  const JUDGED: [what: string, entry: Entry, objection: Objection | undefined][] = [
    ['a translation', HELLO, undefined],
    ['one with all forms', COUNTED, undefined],
    ['a singular without the number', { ...COUNTED, texts: ['une place', '{count} places'] }, undefined],
    ['a key that is gone', { ...HELLO, key: 'shift.former' }, 'unknown'],
    ['nothing yet', { ...HELLO, texts: [''] }, 'empty'],
    ['no form yet', { ...COUNTED, texts: ['', ''] }, 'empty'],
    ['a text whose English has changed', { ...HELLO, source: 'Hi {name}' }, 'outdated'],
    [
      'a plural whose English has changed',
      { ...COUNTED, source: { one: '{count} place left', other: '{count} places' } },
      'outdated',
    ],
    ['a guess of a tool', { ...HELLO, isUnsure: true }, 'unsure'],
    ['a name left out', { ...HELLO, texts: ['Bonjour'] }, 'placeholders'],
    ['a name that nobody fills', { ...HELLO, texts: ['Bonjour {name} {nom}'] }, 'placeholders'],
    ['a form too few', { ...COUNTED, texts: ['{count} places'] }, 'forms'],
    ['a form too many', { ...COUNTED, texts: ['{count} a', '{count} b', '{count} c'] }, 'forms'],
    ['an empty form', { ...COUNTED, texts: ['{count} place', ''] }, 'forms'],
  ]
  for (const [what, entry, objection] of JUDGED)
    test(`${what}: ${objection ?? 'used'}`, () => assert.equal(judgeEntry(entry, ENGLISH.get(entry.key), 2), objection))

  test('what cannot be used is left out, and English stays', () => {
    writeFileSync(
      join(folder, 'it.po'),
      po(
        'msgctxt "shift.hello"\nmsgid "Hello {name}"\nmsgstr "Ciao"\n\nmsgctxt "shift.sign_up"\nmsgid "Sign up"\nmsgstr "Iscriviti"\n',
      ),
    )
    assert.deepEqual(readTranslation('it', ENGLISH, folder), new Map([['shift.sign_up', 'Iscriviti']]))
  })
})
