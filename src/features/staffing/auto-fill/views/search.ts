import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import type { WorkProgress } from '#platform/page-work.ts'
import { cardView } from '#platform/ui/card.ts'
import { linkButtonView, postButtonView } from '#platform/ui/form.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { progressView } from '#platform/ui/progress.ts'

type SearchData = {
  words: Words
  csrfToken: string
  /** How many people were judged; the search begins after all of them. */
  progress: WorkProgress | undefined
  url: string
  cancel: string
}

/** Says how far a search for a proposal is. */
export function searchView({ words, csrfToken, progress, url, cancel }: SearchData): Html {
  const isSearching = progress !== undefined && progress.done === progress.total
  const label = words.t(isSearching ? 'fill.searching' : 'fill.judging')
  const stop = postButtonView({
    action: cancel,
    csrfToken,
    label: words.t('fill.stop'),
    icon: 'x',
    kind: 'secondary',
    // The page is loaded again and again: who uses keys would never reach the button.
    attributes: { autofocus: true },
  })
  const body = html`<div class="stack">${progressView({ words, label, ...(!isSearching && progress) })}<p class="help">${words.t('fill.search_help')}</p><div class="cluster">${stop}${linkButtonView({ href: url, label: words.t('fill.reload'), icon: 'refresh-cw' })}</div></div>`
  return html`${pageHeadView({ title: words.t('fill.title') })}
${cardView({ body })}`
}
