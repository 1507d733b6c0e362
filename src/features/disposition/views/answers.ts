import type { Total } from '#features/questionnaires/rules.ts'
import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { linkButtonView } from '#platform/ui/form.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { tableView } from '#platform/ui/table.ts'
import { boardPath } from '../rules/paths.ts'

type TotalsData = {
  words: Words
  now: Date
  shift: { id: number; label: string; start: Date; end: Date; eventId: number }
  totals: readonly Total[]
}

export function answersView({ words, now, shift, totals }: TotalsData): Html {
  const span = words.span(shift.start, shift.end, now)
  const edit = linkButtonView({ href: `/shifts/${shift.id}/edit/`, label: words.t('answers.edit_shift'), icon: 'pencil' })
  const actions = [
    linkButtonView({ href: boardPath(shift.id), label: words.t('answers.open_board') }),
    linkButtonView({
      href: `/events/${shift.eventId}/roster.csv?shift=${shift.id}`,
      label: words.t('answers.download'),
      icon: 'download',
    }),
  ]
  const facts = `${shift.label ? `${shift.label}, ${span}` : span} · ${words.t('answers.intro')}`
  return html`${pageHeadView({ title: words.t('answers.title'), facts, actions: totals.length ? actions : [] })}
${
  totals.length
    ? totals.map((total) => totalView(words, total))
    : emptyView({ icon: 'circle-question-mark', text: words.t('answers.none'), action: edit })
}`
}

function totalView(words: Words, { question, counts, texts, unanswered }: Total): Html {
  const isAnswered = texts.length > 0 || counts.some(({ count }) => count > 0)
  const table =
    question.kind === 'text'
      ? tableView<Total['texts'][number]>({
          caption: question.name,
          rows: texts,
          columns: [
            { label: words.t('answers.person'), main: true, cell: ({ name }) => name },
            { label: words.t('answers.answer'), cell: ({ text }) => text },
          ],
        })
      : tableView<Total['counts'][number]>({
          caption: question.name,
          rows: counts,
          columns: [
            { label: words.t('answers.choice'), main: true, cell: ({ choice }) => choice },
            { label: words.t('answers.count'), numeric: true, cell: ({ count }) => words.number(count) },
          ],
        })
  return html`<section class="section-block answer-total"><header class="section-head"><h2>${question.name}</h2></header><p class="muted">${question.text}</p>
${isAnswered ? table : html`<p>${words.t('answers.nobody')}</p>`}
${isAnswered && unanswered.length > 0 && html`<p class="muted">${words.t('answers.unanswered', { count: unanswered.length, names: words.list(unanswered) })}</p>`}</section>`
}
