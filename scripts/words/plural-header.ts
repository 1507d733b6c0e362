import { countedForms } from '#platform/i18n/plural.ts'

/** As the manual of gettext lists them. */
const FORMULAS: Readonly<Record<string, string>> = {
  one: '0',
  'one other': '(n != 1)',
  'one few many': '(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2)',
}
/** Languages whose formula is not that of their number of forms. */
const OWN: Readonly<Record<string, string>> = {
  fr: '(n > 1)',
  'pt-BR': '(n > 1)',
  pl: '(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2)',
  cs: '(n==1 ? 0 : n>=2 && n<=4 ? 1 : 2)',
  sk: '(n==1 ? 0 : n>=2 && n<=4 ? 1 : 2)',
}

/** The header `Plural-Forms`, which tools of translators need; the program itself goes by Unicode CLDR. */
export function pluralHeader(language: string): string {
  const forms = countedForms(language)
  const formula = OWN[language] ?? FORMULAS[forms.join(' ')] ?? (forms.length === 1 ? '0' : undefined)
  if (formula === undefined)
    throw new Error(
      `scripts/words/plural-header.ts has no formula for ${language} (${forms.join(', ')}): add the one of the gettext manual`,
    )
  return `nplurals=${forms.length}; plural=${formula};`
}
