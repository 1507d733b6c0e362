import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { iconView } from './icon.ts'

type PagerData = {
  words: Words
  /** Counted from 1. */
  page: number
  pageSize: number
  total: number
  /** There are more than `total`; nobody counted them. */
  hasMore?: boolean
  href: (page: number) => string
}

/** Renders nothing if everything fits on one page. */
export function pagerView({ words, page, pageSize, total, hasMore = false, href }: PagerData): Html | false {
  const pages = Math.ceil(total / pageSize)
  if (pages <= 1) return false
  const range = { from: (page - 1) * pageSize + 1, to: Math.min(page * pageSize, total), total }
  return html`<nav class="pager" aria-label="${words.t('ui.pager_label')}">
${
  page > 1
    ? html`<a class="button secondary" rel="prev" href="${href(page - 1)}">${iconView('chevron-left')}${words.t('ui.previous')}</a>`
    : html`<span class="pager-gap"></span>`
}
<p>${hasMore ? words.t('ui.range_of_more', range) : html`${words.t('ui.range_of', range)}<span class="pager-page"> · ${words.t('ui.page_of', { page, pages })}</span>`}</p>
${
  page < pages || hasMore
    ? html`<a class="button secondary" rel="next" href="${href(page + 1)}">${words.t('ui.next')}${iconView('chevron-right')}</a>`
    : html`<span class="pager-gap"></span>`
}</nav>`
}
