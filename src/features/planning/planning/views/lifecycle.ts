import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { linkButtonView, postButtonView } from '#platform/ui/form.ts'
import type { FormState } from '#platform/ui/form-values.ts'
import { iconView } from '#platform/ui/icon.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { tableView } from '#platform/ui/table.ts'
import { cancelForm } from '../schema.ts'
import { planPath } from './editor.ts'

type CancelData = {
  words: Words
  csrfToken: string
  event: { id: number; title: string; path: string }
  people: number
  state: FormState
}

export function cancelView({ words, csrfToken, event, people, state }: CancelData): Html {
  const consequences = [
    words.t('plan.cancel_first'),
    words.t('plan.cancel_second'),
    ...(people ? [words.t('plan.cancel_people', { count: people })] : []),
  ]
  return html`${pageHeadView({ title: words.t('plan.cancel_title', { title: event.title }) })}
<ul>${consequences.map((text) => html`<li>${text}</li>`)}</ul>
${cancelForm.view({
  words,
  csrfToken,
  state,
  action: planPath(event.id, 'cancel'),
  cancel: { href: event.path, label: words.t('plan.keep') },
  submit: { label: words.t('plan.cancel_submit'), kind: 'danger' },
})}`
}

type BinRow = { id: number; title: string; start: Date | null; deletedAt: Date; goneOn: Date; participations: number }

export function binView({
  words,
  csrfToken,
  rows,
  days,
}: {
  words: Words
  csrfToken: string
  rows: readonly BinRow[]
  days: number
}): Html {
  const head = pageHeadView({ title: words.t('plan.bin'), facts: words.t('plan.bin_intro', { days }) })
  if (!rows.length) {
    const action = linkButtonView({ href: '/events/', label: words.t('event.all_events') })
    return html`${head}${emptyView({ icon: 'trash-2', text: words.t('plan.bin_empty'), action })}`
  }
  return html`${head}${tableView<BinRow>({
    caption: words.t('plan.bin'),
    rows,
    columns: [
      { label: words.t('plan.bin_event'), cell: ({ title }) => title, main: true },
      { label: words.t('plan.bin_when'), cell: ({ start }) => (start ? words.date(start) : '–') },
      { label: words.t('plan.bin_people'), cell: ({ participations }) => words.number(participations), numeric: true },
      { label: words.t('plan.bin_deleted'), cell: ({ deletedAt }) => words.date(deletedAt) },
      { label: words.t('plan.bin_until'), cell: ({ goneOn }) => words.date(goneOn) },
      {
        label: words.t('ui.actions'),
        actions: true,
        cell: ({ id, title }) =>
          postButtonView({
            action: planPath(id, 'restore'),
            csrfToken,
            label: words.t('plan.restore'),
            kind: 'secondary',
            small: true,
            icon: 'undo-2',
            attributes: { 'aria-label': words.t('plan.restore_named', { title }) },
          }),
      },
    ],
  })}`
}

export const draftNoticeView = (words: Words, hasShifts: boolean): Html =>
  html`<div class="notice tone-info">${iconView('pencil')}<div><p class="notice-title">${words.t('plan.is_draft')}</p><p>${words.t(hasShifts ? 'plan.is_draft_text' : 'plan.is_draft_empty')}</p></div></div>`
