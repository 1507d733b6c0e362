import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { FOLDER } from './languages.ts'
import { type Message, placeholdersOf, textsOf } from './message.ts'
import { countedForms } from './plural.ts'

export type Entry = { key: string; source: Message; texts: readonly string[]; isUnsure: boolean }

type Fields = Map<string, string>

const FIELD = /^(msgctxt|msgid|msgid_plural|msgstr(?:\[\d\])?)\s+(".*")$/

/** Entries of a file of translators (PO of gettext), which names each text by its key (`msgctxt`). */
export function* readEntries(content: string): Generator<Entry> {
  let fields: Fields = new Map()
  let isUnsure = false
  let field = ''
  for (const [index, line] of content.replaceAll('\r', '').split('\n').entries()) {
    const [, name, text] = line.startsWith('msg') ? (FIELD.exec(line) ?? []) : []
    // Blank lines between entries are a habit, not a rule.
    const isNext = line === '' || line.startsWith('#,') || (name === 'msgctxt' && fields.size > 0)
    if (isNext && fields.size > 0) {
      yield* entryOf(fields, isUnsure)
      fields = new Map()
      isUnsure = false
    }
    if (name !== undefined && text !== undefined) {
      field = name
      fields.set(field, readText(text, index))
    } else if (line.startsWith('"')) fields.set(field, (fields.get(field) ?? '') + readText(line, index))
    else if (line.startsWith('#,')) isUnsure = line.includes('fuzzy')
    else if (line !== '' && !line.startsWith('#')) throw new Error(`line ${index + 1} is not of a PO file: ${line.slice(0, 40)}`)
  }
  yield* entryOf(fields, isUnsure)
}

/** None for the header, which has no key. */
function entryOf(fields: Fields, isUnsure: boolean): Entry[] {
  const key = fields.get('msgctxt')
  const source = fields.get('msgid')
  if (!key || source === undefined) return []
  const plural = fields.get('msgid_plural')
  const texts = [...fields].flatMap(([name, text]) => (name.startsWith('msgstr') ? [text] : []))
  return [{ key, source: plural === undefined ? source : { one: source, other: plural }, texts, isUnsure }]
}

function readText(quoted: string, index: number): string {
  if (!quoted.includes('\\') && quoted.endsWith('"')) return quoted.slice(1, -1)
  try {
    return JSON.parse(quoted) as string
  } catch (cause) {
    throw new Error(`line ${index + 1} has a text that cannot be read: ${quoted.slice(0, 40)}`, { cause })
  }
}

/** Why a translation cannot be used; undefined: it can. */
export type Objection = 'unknown' | 'outdated' | 'unsure' | 'empty' | 'placeholders' | 'forms'

/** `english`: the text of today. `forms`: how many plural forms the language has. */
export function judgeEntry(
  { source, texts, isUnsure }: Entry,
  english: Message | undefined,
  forms: number,
): Objection | undefined {
  if (english === undefined) return 'unknown'
  if (texts.every((text) => text === '')) return 'empty'
  if (textsOf(source).join('\n') !== textsOf(english).join('\n')) return 'outdated'
  if (isUnsure) return 'unsure'
  if (texts.length !== (typeof english === 'string' ? 1 : forms) || texts.includes('')) return 'forms'
  // The singular may leave out the number: "one shift".
  const known = new Set([...placeholdersOf(english), ...(typeof english === 'string' ? [] : ['count'])])
  const hasAll = (text: string) =>
    placeholdersOf(english).every((name) => name === 'count' || placeholdersOf(text).includes(name))
  return texts.every((text) => hasAll(text) && placeholdersOf(text).every((name) => known.has(name))) ? undefined : 'placeholders'
}

type Messages = Map<string, Message>

/** The usable translations of a language by their keys, after each entry. The others fall back to English. */
function* collectMessages(
  language: string,
  english: ReadonlyMap<string, Message>,
  folder: string,
): Generator<Messages, Messages> {
  const forms = countedForms(language)
  const messages: Messages = new Map()
  for (const entry of readEntries(readFileSync(join(folder, `${language}.po`), 'utf8'))) {
    const { key, source, texts } = entry
    if (judgeEntry(entry, english.get(key), forms.length) === undefined)
      messages.set(key, typeof source === 'string' ? texts[0]! : pluralOf(forms, texts))
    yield messages
  }
  return messages
}

export function readTranslation(language: string, english: ReadonlyMap<string, Message>, folder = FOLDER): Messages {
  const collecting = collectMessages(language, english, folder)
  for (;;) {
    const { done, value } = collecting.next()
    if (done) return value
  }
}

const ENTRIES_PER_TURN = 500

/** Reads a translation in parts, so that requests are served in between. */
export async function readTranslationInTurns(language: string, english: ReadonlyMap<string, Message>): Promise<Messages> {
  const collecting = collectMessages(language, english, FOLDER)
  for (let count = 1; ; count++) {
    const { done, value } = collecting.next()
    if (done) return value
    if (count % ENTRIES_PER_TURN === 0) await nextTurn()
  }
}

const pluralOf = (forms: readonly string[], texts: readonly string[]): Message => ({
  other: texts[forms.indexOf('few')] ?? texts.at(-1)!,
  ...Object.fromEntries(forms.map((form, index) => [form, texts[index]!])),
})
