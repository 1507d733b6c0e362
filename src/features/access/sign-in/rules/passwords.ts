import { COMMON_PASSWORDS } from './common-passwords.ts'

export const MIN_PASSWORD_LENGTH = 10
/** Longer passwords are not hashed. */
const MAX_PASSWORD_LENGTH = 1_000

export type PasswordRefusal =
  | 'password_short'
  | 'password_long'
  | 'password_digits'
  | 'password_pattern'
  | 'password_common'
  | 'password_similar'

export type Owner = { name: string; email: string }

/** The first reason for a refusal; undefined: the password is accepted. */
export function checkPasswordRules(password: string, owner: Owner): PasswordRefusal | undefined {
  // First, because the other checks take time proportional to the length.
  if (password.length > MAX_PASSWORD_LENGTH) return 'password_long'
  if ([...password].length < MIN_PASSWORD_LENGTH) return 'password_short'
  // Includes phone numbers and dates.
  if (/^[\p{Nd}\s./()+-]+$/u.test(password)) return 'password_digits'
  if (isPattern(password.toLowerCase())) return 'password_pattern'
  if (isCommon(password.toLowerCase())) return 'password_common'
  if (isSimilar(password.toLowerCase(), owner)) return 'password_similar'
  return undefined
}

const ROWS = ['1234567890', 'qwertyuiop', 'qwertzuiop', 'asdfghjkl', 'zxcvbnm', 'yxcvbnm', 'abcdefghijklmnopqrstuvwxyz']
const NEIGHBOURS = new Set(ROWS.flatMap((row) => [...row].slice(1).flatMap((key, i) => [`${row[i]}${key}`, `${key}${row[i]}`])))
const NEIGHBOUR_SHARE = 0.7

/** Repeated characters or sequences on the keyboard or in the alphabet. */
function isPattern(text: string): boolean {
  if (new Set(text).size <= 3 || /^(.{1,6}?)\1+.{0,3}$/s.test(text)) return true
  const pairs = Array.from({ length: text.length - 1 }, (_, i) => text.slice(i, i + 2))
  return pairs.filter((pair) => pair[0] === pair[1] || NEIGHBOURS.has(pair)).length >= NEIGHBOUR_SHARE * pairs.length
}

const DISGUISES: Record<string, string> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', '@': 'a', $: 's', '!': 'i' }

/** Also with digits and signs around a word and with common replacements of letters, which attackers try first. */
function isCommon(text: string): boolean {
  const core = text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
  const plain = (word: string) => word.replace(/[013457@$!]/g, (sign) => DISGUISES[sign]!)
  return [text, core, plain(core), plain(text)].some((word) => COMMON_PASSWORDS.has(word))
}

const MIN_PART_LENGTH = 3

/** At least half of it consists of parts of the owner's name and e-mail address. */
function isSimilar(text: string, { name, email }: Owner): boolean {
  const parts = `${name} ${email}`
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part.length >= MIN_PART_LENGTH)
    .sort((a, b) => b.length - a.length)
  const rest = parts.reduce((left, part) => left.replaceAll(part, ''), text)
  return rest.length * 2 <= text.length
}
