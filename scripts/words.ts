// Files for translators, in the format of gettext (PO), which Weblate, Crowdin, Poedit and others read.
//   npm run words                      how much of each language is translated, and why entries are not used
//   npm run words -- export fr FILE    writes every text for a translator: what is translated stays, texts that have changed are fuzzy
//   npm run words -- import FILE       takes over what a translator has filled in; the header Language names the language
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type GetTextTranslation, po } from 'gettext-parser'
import { messagesIn } from '#platform/i18n/catalogue.ts'
import { findTranslations, isSourceLanguage } from '#platform/i18n/languages.ts'
import { type Message, placeholdersOf } from '#platform/i18n/message.ts'
import { countedForms } from '#platform/i18n/plural.ts'
import { type Entry, judgeEntry, type Objection, readEntries } from '#platform/i18n/translations.ts'
import { FEATURES } from '../src/features.ts'
import { pluralHeader } from './words/plural-header.ts'

const FOLDER = fileURLToPath(new URL('../languages/', import.meta.url))
const english = messagesIn('en')
const fileOf = (language: string) => join(FOLDER, `${language}.po`)

/** The feature of each key, for the order of the file and the comments. */
function featuresByKey(): Map<string, string> {
  const owners = FEATURES.flatMap(({ name, words }) => Object.keys(words?.en ?? {}).map((key) => [key, name] as const))
  return new Map(owners)
}

function readKnown(language: string): Map<string, Entry> {
  if (!findTranslations().includes(language)) return new Map()
  return new Map([...readEntries(readFileSync(fileOf(language), 'utf8'))].map((entry) => [entry.key, entry]))
}

/** `isWhole`: also what is not translated yet. */
function writeFile(
  path: string,
  { language, known, isWhole }: { language: string; known: ReadonlyMap<string, Entry>; isWhole: boolean },
): void {
  const forms = countedForms(language).length
  const owners = featuresByKey()
  const german = messagesIn('de')
  const translations: Record<string, Record<string, GetTextTranslation>> = {}
  for (const [key, message] of english) {
    const entry = known.get(key)
    const objection = entry && judgeEntry(entry, message, forms)
    const isKept = entry && objection !== 'empty' && objection !== 'forms'
    if (!isKept && !isWhole) continue
    const [msgid, plural] = typeof message === 'string' ? [message] : [message.one ?? message.other, message.other]
    translations[key] = {
      [msgid]: {
        msgctxt: key,
        msgid,
        ...(plural === undefined ? {} : { msgid_plural: plural }),
        msgstr: isKept ? [...entry.texts] : Array.from({ length: plural === undefined ? 1 : forms }, () => ''),
        comments: {
          extracted: [owners.get(key) ?? 'every page', describe(message), `German: ${one(german.get(key)!)}`]
            .filter(Boolean)
            .join('\n'),
          ...(isKept && objection ? { flag: 'fuzzy' } : {}),
        } as GetTextTranslation['comments'] & object,
      },
    }
  }
  const headers = {
    Language: language,
    'Content-Type': 'text/plain; charset=UTF-8',
    'Content-Transfer-Encoding': '8bit',
    'Plural-Forms': pluralHeader(language),
  }
  writeFileSync(path, po.compile({ charset: 'utf-8', headers, translations }, { foldLength: 0 }))
}

const one = (message: Message): string => (typeof message === 'string' ? message : message.other)

function describe(message: Message): string {
  const names = placeholdersOf(message)
  return names.length ? `Keep ${names.map((name) => `{${name}}`).join(', ')}.` : ''
}

type Summary = { used: number; objections: Map<Objection, string[]> }

function judge(language: string, entries: Iterable<Entry>): Summary {
  const forms = countedForms(language).length
  const objections = new Map<Objection, string[]>()
  let used = 0
  for (const entry of entries) {
    const objection = judgeEntry(entry, english.get(entry.key), forms)
    if (objection === undefined) used++
    else objections.set(objection, [...(objections.get(objection) ?? []), entry.key])
  }
  return { used, objections }
}

function print(language: string, { used, objections }: Summary): void {
  console.log(`${language}: ${used} of ${english.size} texts, ${Math.floor((used / english.size) * 100)} %`)
  for (const [objection, keys] of objections)
    if (objection !== 'empty')
      console.log(`  ${objection}: ${keys.length} (${keys.slice(0, 5).join(', ')}${keys.length > 5 ? ' …' : ''})`)
}

function importFile(path: string): void {
  const content = readFileSync(path, 'utf8')
  const language = po.parse(content).headers.Language
  if (!language || isSourceLanguage(language) || Intl.PluralRules.supportedLocalesOf(language).length === 0)
    throw new Error(`${path}: the header Language must name a language other than English and German`)
  const entries = [...readEntries(content)]
  const summary = judge(language, entries)
  // What the file leaves empty does not delete what is there.
  const given = entries.filter(({ key, texts }) => english.has(key) && texts.some(Boolean))
  const known = new Map([...readKnown(language), ...given.map((entry) => [entry.key, entry] as const)])
  writeFile(fileOf(language), { language, known, isWhole: false })
  print(language, summary)
}

const [command, argument, path] = process.argv.slice(2)
const CODE = /^[a-z]{2,3}(-[A-Z][A-Za-z]{1,3})?$/
if (command === undefined)
  for (const language of findTranslations()) print(language, judge(language, readKnown(language).values()))
else if (command === 'export' && argument && path && CODE.test(argument) && !isSourceLanguage(argument))
  writeFile(path, { language: argument, known: readKnown(argument), isWhole: true })
else if (command === 'import' && argument) importFile(argument)
else {
  console.error('npm run words, npm run words -- export LANGUAGE FILE, npm run words -- import FILE')
  process.exitCode = 2
}
