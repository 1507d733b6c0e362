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

/** A text that lacks the form, as of fractions, has the last one. */
export const choosePlural = (message: Plural, form: PluralForm): string => message[form] ?? message.other
