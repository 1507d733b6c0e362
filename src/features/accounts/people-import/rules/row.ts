import { USERNAME } from '#features/accounts/users/rules.ts'
import { LANGUAGES, type Language, SOURCE_LANGUAGES } from '#platform/i18n/languages.ts'
import { type DateOrder, parseDay } from '#platform/i18n/typed-dates.ts'
import { isPublicMailAddress } from '#platform/mail-address.ts'
import { foldName } from '#platform/spreadsheet/fold-name.ts'
import { type ColumnUse, qualificationOf } from './columns.ts'
import { splitNames, splitUntil } from './lists.ts'

/** Why somebody cannot be the guardian of the person of a row. */
export type GuardianProblemCode =
  | 'guardian_unknown'
  | 'guardian_row'
  | 'guardian_self'
  | 'guardian_minor'
  | 'guardian_has_guardian'
  | 'guardian_locked'
  | 'child_has_powers'
  | 'child_adult'
  | 'child_is_guardian'

type RowProblemCode =
  | 'name_missing'
  | 'too_long'
  | 'email_missing'
  | 'email_invalid'
  | 'username_invalid'
  /** Another account has the user name. */
  | 'username_taken'
  /** Another row has the user name. */
  | 'username_repeated'
  | 'birth_date_invalid'
  | 'birth_date_ambiguous'
  | 'birth_date_future'
  | 'phone_invalid'
  | 'language_unknown'
  | 'until_invalid'
  | 'until_ambiguous'
  | 'holds_invalid'
  | 'group_unknown'
  | 'group_locked'
  | 'group_gone'
  | 'qualification_unknown'
  | 'qualification_locked'
  | 'qualification_external'
  | 'qualification_gone'
  /** Another row has the same address and other values. */
  | 'email_repeated'
  /** Another row says the same. */
  | 'row_repeated'
  | 'person_other_name'
  | 'person_inactive'
  | 'person_locked'
  /** The user name belongs to a person with another address. */
  | 'person_other_address'
  | GuardianProblemCode
/** Why a row cannot be used. `value`: what the cell contains, or what it is about. */
export type RowProblem = { code: RowProblemCode; value?: string }

export type PersonLanguage = Language
/** `qualificationId`: from the column of that qualification. `until` null: the row does not say it. */
type WantedQualification = { name: string; qualificationId?: number; until: string | null }

/** What a row says about a person. Empty cells say nothing. */
export type RowInput = {
  number: number
  /** Empty: the row has none. */
  email: string
  username: string | null
  name: string
  birthDate: string | null
  /** In E.164 if it can be called, else as it is in the list. */
  phone: string | null
  isPhoneValid: boolean
  language: PersonLanguage | null
  groups: string[]
  qualifications: WantedQualification[]
  /** E-mail addresses or user names. */
  guardians: string[]
  problems: RowProblem[]
}

export type Reading = {
  uses: readonly ColumnUse[]
  /** Of the columns. */
  headings: readonly string[]
  /** Of dates with slashes, by column. */
  orders: Readonly<Record<number, DateOrder>>
  /** `YYYY-MM-DD` */
  today: string
  /** By folded name. */
  isGroup: (folded: string) => boolean
  isQualification: (folded: string) => boolean
  /** Undefined: no number that can be called. */
  parsePhone: (text: string) => string | undefined
}

const LONGEST = 254
/** By code, and by name in the language itself, in English and in German. */
const LANGUAGE_NAMES = new Map<string, PersonLanguage>([
  ['eng', 'en'],
  ['deu', 'de'],
  ['ger', 'de'],
  ...LANGUAGES.flatMap((language) => {
    const names = [language, ...SOURCE_LANGUAGES].map((reader) =>
      new Intl.DisplayNames([reader], { type: 'language' }).of(language),
    )
    return [language, ...names].map((name) => [foldName(name ?? language), language] as const)
  }),
])
const YES = new Set(['x', 'ja', 'j', 'yes', 'y', 'true', 'wahr', '1', 'unlimited', 'unbegrenzt', 'unbefristet'])
/** Also a dash, which folds to nothing. */
const NO = new Set(['', 'nein', 'n', 'no', 'false', 'falsch', '0'])
const FIRST_YEAR = 1900
/** Short years of expiries mean years up to then. */
const YEARS_AHEAD = 50

/** `Müller, Anna` → `Anna Müller` */
function orderName(name: string): string {
  const [, last, first] = /^([^,]+),\s*([^,]+)$/.exec(name) ?? []
  return last === undefined ? name : `${first} ${last}`
}
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
/** `Anna <anna@a.example>` and `mailto:anna@a.example` */
const bareEmail = (text: string): string => (/<([^<>]+)>$/.exec(text)?.[1] ?? text).replace(/^mailto:/i, '').trim()

/** Reads the cells of a row by the use of their columns. */
export function readRow({ number, cells }: { number: number; cells: readonly string[] }, reading: Reading): RowInput {
  const problems: RowProblem[] = []
  const cellOf = (use: ColumnUse) => {
    const column = reading.uses.indexOf(use)
    return column === -1 ? '' : oneLine(cells[column] ?? '')
  }
  const email = bareEmail(cellOf('email'))
  const name = orderName(cellOf('name')) || oneLine(`${cellOf('first_name')} ${cellOf('last_name')}`)
  if (email && !isPublicMailAddress(email)) problems.push({ code: 'email_invalid', value: email.slice(0, 80) })
  if (!name) problems.push({ code: 'name_missing' })
  const username = cellOf('username') || null
  if (username && !USERNAME.test(username)) problems.push({ code: 'username_invalid', value: username.slice(0, 80) })
  const phone = cellOf('phone')
  const parsed = phone ? reading.parsePhone(phone) : undefined
  const row: RowInput = {
    number,
    name,
    email,
    username,
    birthDate: readBirthDate(cellOf('birth_date'), reading, problems),
    phone: parsed ?? (phone || null),
    isPhoneValid: !phone || parsed !== undefined,
    language: readLanguage(cellOf('language'), problems),
    groups: readGroups(cells, reading),
    qualifications: readQualifications(cells, reading, problems),
    guardians: readGuardians(cells, reading),
    problems,
  }
  for (const value of [
    name,
    email,
    row.phone ?? '',
    ...row.groups,
    ...row.guardians,
    ...row.qualifications.map((each) => each.name),
  ])
    if (value.length > LONGEST) problems.push({ code: 'too_long', value: `${value.slice(0, 40)}…` })
  return row
}

function readLanguage(text: string, problems: RowProblem[]): PersonLanguage | null {
  if (!text) return null
  const language = LANGUAGE_NAMES.get(foldName(text))
  if (!language) problems.push({ code: 'language_unknown', value: text })
  return language ?? null
}

function readBirthDate(text: string, { uses, orders, today }: Reading, problems: RowProblem[]): string | null {
  if (!text) return null
  const day = parseDay(text, { order: orders[uses.indexOf('birth_date')], lastYear: Number(today.slice(0, 4)) })
  if (day === 'ambiguous') problems.push({ code: 'birth_date_ambiguous', value: text })
  else if (day === undefined || Number(day.slice(0, 4)) < FIRST_YEAR) problems.push({ code: 'birth_date_invalid', value: text })
  else if (day > today) problems.push({ code: 'birth_date_future', value: text })
  else return day
  return null
}

function readGroups(cells: readonly string[], { uses, isGroup }: Reading): string[] {
  const names = uses.flatMap((use, column) =>
    use === 'groups' ? splitNames(cells[column] ?? '', (name) => isGroup(foldName(name))).map(oneLine) : [],
  )
  return firstOfEach(
    names.filter((name) => foldName(name) !== ''),
    foldName,
  )
}

function readGuardians(cells: readonly string[], { uses }: Reading): string[] {
  const names = uses.flatMap((use, column) => (use === 'guardians' ? splitNames(cells[column] ?? '', () => false) : []))
  return firstOfEach(
    names.map((name) => bareEmail(oneLine(name))).filter((name) => foldName(name) !== ''),
    (name) => name.toLowerCase(),
  )
}

function readQualifications(cells: readonly string[], reading: Reading, problems: RowProblem[]): WantedQualification[] {
  const { uses, headings, orders, today, isQualification } = reading
  const lastYear = Number(today.slice(0, 4)) + YEARS_AHEAD
  const parse = (text: string, column: number) => parseDay(text, { order: orders[column], lastYear })
  const readUntil = (text: string, column: number): string | null => {
    const day = parse(text, column)
    if (day !== undefined && day !== 'ambiguous') return day
    problems.push({ code: day === undefined ? 'until_invalid' : 'until_ambiguous', value: text })
    return null
  }
  const shared = uses.indexOf('qualifications_until')
  const sharedText = shared === -1 ? '' : oneLine(cells[shared] ?? '')
  const readList = (cell: string, column: number): WantedQualification[] => {
    const split = (text: string) => splitUntil(text, (until) => parse(until, column) !== undefined)
    const isKnown = (text: string) => isQualification(foldName(text)) || isQualification(foldName(split(text).name))
    return splitNames(cell, isKnown)
      .filter((each) => foldName(each) !== '')
      .map((each) => {
        const { name, until } = split(oneLine(each))
        if (until !== undefined) return { name, until: readUntil(until, column) }
        return { name, until: sharedText ? readUntil(sharedText, shared) : null }
      })
  }
  const readColumn = (cell: string, column: number, of: Omit<WantedQualification, 'until'>): WantedQualification[] => {
    const text = oneLine(cell)
    if (NO.has(foldName(text))) return []
    if (YES.has(foldName(text))) return [{ ...of, until: null }]
    if (/\d/.test(text)) return [{ ...of, until: readUntil(text, column) }]
    problems.push({ code: 'holds_invalid', value: text })
    return []
  }
  const wanted = uses.flatMap((use, column) => {
    const cell = cells[column] ?? ''
    if (use === 'qualifications') return readList(cell, column)
    if (use === 'named_qualification') return readColumn(cell, column, { name: qualificationOf(headings[column] ?? '') })
    const [, id] = /^qualification:(\d+)$/.exec(use) ?? []
    return id === undefined ? [] : readColumn(cell, column, { name: '', qualificationId: Number(id) })
  })
  const keyOf = ({ name, qualificationId }: WantedQualification) => `${qualificationId ?? foldName(name)}`
  // Lists have a column “Atemschutz” with x beside “Atemschutz gültig bis” with a day.
  const untilOf = (key: string) => wanted.find((each) => each.until !== null && keyOf(each) === key)?.until ?? null
  return firstOfEach(wanted, keyOf).map((each) => ({ ...each, until: untilOf(keyOf(each)) }))
}

function firstOfEach<T>(values: readonly T[], keyOf: (value: T) => string): T[] {
  const keys = values.map(keyOf)
  return values.filter((_, index) => keys.indexOf(keys[index]!) === index)
}

/** Whether two rows say the same about a person. */
export const saysTheSame = (a: RowInput, b: RowInput): boolean =>
  JSON.stringify({ ...a, number: 0 }) === JSON.stringify({ ...b, number: 0 })
