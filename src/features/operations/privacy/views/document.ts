import { attrs, type Html, html, renderHtml, trustedHtml } from '#platform/html/html.ts'
import { isMessageKey } from '#platform/i18n/catalogue.ts'
import { directionOf } from '#platform/i18n/languages.ts'
import { readStoredMoment } from '#platform/i18n/stored-moments.ts'
import type { Words } from '#platform/i18n/words.ts'

// A document without external parts, for reading and printing outside of the instance.
const STYLE = trustedHtml(`<style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 72rem; margin: 0 auto; padding: 1.5rem 1rem; }
h1 { margin: 0 0 .25rem; font-size: 1.6rem; } h2 { margin: 2.5rem 0 .5rem; font-size: 1.2rem; }
.lead, .count { color: GrayText; margin: 0 0 .75rem; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-size: .875rem; }
th, td { text-align: start; vertical-align: top; padding: .35rem .6rem; border-bottom: 1px solid color-mix(in srgb, currentColor 20%, transparent); overflow-wrap: anywhere; }
th { font-weight: 600; white-space: nowrap; } td { min-width: 5rem; }
dl { display: grid; grid-template-columns: minmax(8rem, 16rem) 1fr; gap: .35rem 1rem; margin: 0; } dt { font-weight: 600; } dd { margin: 0; overflow-wrap: anywhere; }
@media print { body { max-width: none; padding: 0; font-size: 10pt; } .scroll { overflow: visible; } h2 { break-after: avoid; } tr { break-inside: avoid; } }
@media (max-width: 30rem) { dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .5rem; } }
</style>`)

export function documentStart({
  words,
  now,
  name,
  siteName,
}: {
  words: Words
  now: Date
  name: string
  siteName: string
}): string {
  const title = words.t('privacy.document_title', { name })
  return `${renderHtml(html`<!doctype html>
<html ${attrs({ lang: words.language, dir: directionOf(words.language) })}><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">${STYLE}</head>`)}
<body>${renderHtml(html`<h1>${title}</h1><p class="lead">${words.t('privacy.document_lead', { site: siteName, time: words.dateTime(now) })}</p>
<p>${words.t('privacy.document_withheld')}</p>`)}`
}

export const documentEnd = (words: Words): string =>
  `${renderHtml(html`<p class="lead">${words.t('privacy.document_end')}</p>`)}</body></html>\n`

type Row = Record<string, unknown>

/** Ids and versions help programs only; data.json has them. */
const isForReaders = (name: string): boolean => !/(^|_)id$|^version$|^structure_data$/.test(name)
const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || (typeof value === 'object' && Object.keys(value as object).length === 0)

export function sectionView({
  words,
  section,
  rows,
  count,
}: {
  words: Words
  section: string
  rows: readonly Row[]
  count: number
}): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter(
    (name) => isForReaders(name) && rows.some((row) => !isEmpty(row[name] ?? null)),
  )
  const cell = (row: Row, name: string) => valueText(words, name, row[name] ?? null)
  const body =
    rows.length === 1
      ? html`<dl>${names.map((name) => html`<dt>${fieldLabel(words, name)}</dt><dd>${cell(rows[0]!, name)}</dd>`)}</dl>`
      : html`<div class="scroll"><table><thead><tr>${names.map((name) => html`<th scope="col">${fieldLabel(words, name)}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${names.map((name) => html`<td>${cell(row, name)}</td>`)}</tr>`)}</tbody></table></div>`
  const more = count - rows.length
  return renderHtml(
    html`<section><h2>${sectionTitle(words, section)}</h2>${count > 1 && html`<p class="count">${words.t('privacy.entries', { count })}</p>`}${body}${more > 0 && html`<p class="count">${words.t('privacy.entries_more', { count: more })}</p>`}</section>`,
  )
}

export const filesView = (words: Words, files: readonly { path: string; name: string }[]): string =>
  files.length
    ? renderHtml(
        html`<section><h2>${words.t('privacy.files')}</h2><ul>${files.map(({ path, name }) => html`<li><a href="${encodeURI(path)}">${name}</a></li>`)}</ul></section>`,
      )
    : ''

/** Tables and columns that were added without a text are shown by their names. */
function named(words: Words, key: string, name: string): string {
  return isMessageKey(key) ? words.t(key as 'ui.cancel') : name.replaceAll('_', ' ')
}

export const sectionTitle = (words: Words, section: string): string => named(words, `privacy.section_${section}`, section)
const fieldLabel = (words: Words, name: string): string => named(words, `privacy.field_${name}`, name)

function valueText(words: Words, name: string, value: unknown): string | Html {
  if (isEmpty(value)) return '–'
  if (typeof value === 'boolean') return words.t(value ? 'privacy.yes' : 'privacy.no')
  if (name === 'state' && typeof value === 'number' && value >= 0 && value <= 4)
    return words.t(`log.state_${value as 0 | 1 | 2 | 3 | 4}`)
  const moment = typeof value === 'string' ? readStoredMoment(value) : undefined
  if (moment) return moment.isDay ? words.date(moment.at) : words.dateTime(moment.at)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
