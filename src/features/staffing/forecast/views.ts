import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import type { Forecast } from './rules/pickup.ts'

/** Why a shift will probably stay short, in two sentences. */
export function forecastView(words: Words, forecast: Forecast, { needed, taken }: { needed: number; taken: number }): Html {
  const { usualPercent, low, high, comparedWith } = forecast
  const usual = words.t('forecast.usual', { usual: usualPercent, now: Math.round((100 * taken) / needed) })
  const end =
    low === high ? words.t('forecast.end', { count: low, needed }) : words.t('forecast.end_range', { low, high, needed })
  return html`<small class="muted" title="${words.t('forecast.title', { count: comparedWith })}">${usual} ${end}</small>`
}
