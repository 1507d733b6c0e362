import type { Language } from './languages.ts'

/** RFC 9110, section 12.5.4: the wanted language of highest weight that is offered; `de-AT` counts as `de`. */
export function negotiateLanguage(
  acceptLanguage: string | undefined,
  fallback: Language,
  offered: readonly Language[],
): Language {
  if (!acceptLanguage) return fallback
  let best: Language | undefined
  let bestWeight = 0
  for (const part of acceptLanguage.slice(0, 1000).split(',')) {
    const [tag = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase())
    const given = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    const weight = given === undefined ? 1 : Number(given)
    const language = tag === '*' ? fallback : (tag.split('-')[0] ?? '')
    // `>` keeps the first of equals; a broken weight is NaN and never wins.
    if (offered.includes(language) && weight > bestWeight && weight <= 1) {
      best = language
      bestWeight = weight
    }
  }
  return best ?? fallback
}
