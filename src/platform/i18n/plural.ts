import type { Plural, PluralForm } from './message.ts'

const FORMS: readonly PluralForm[] = ['zero', 'one', 'two', 'few', 'many', 'other']
/** Languages that choose by the last two digits repeat every hundred; larger round numbers are left to `other`. */
const COUNTED_TO = 200

/** The forms of whole numbers, in the order in which files of translators (gettext) number them. */
export function countedForms(locale: string): PluralForm[] {
  const rules = new Intl.PluralRules(locale)
  const found = new Set(Array.from({ length: COUNTED_TO }, (_, count) => rules.select(count)))
  return FORMS.filter((form) => found.has(form))
}

/** Files of translators have no form for fractions in languages where whole numbers never need it. There, nouns after them mostly look as after two. */
export const choosePlural = (message: Plural, form: PluralForm): string => message[form] ?? message.few ?? message.other

/**
 * The form of a number. Some texts say “one” instead of `{count}`; where their form is that of other numbers, too (0 in French, 21 in
 * Ukrainian), these have the form with the number.
 */
export function pluralFor(message: Plural, rules: Intl.PluralRules, count: number): string {
  const form = rules.select(count)
  const text = choosePlural(message, form)
  const saysOne = form === 'one' && !text.includes('{count}') && message.other.includes('{count}')
  return saysOne && count !== 1 ? message.other : text
}
