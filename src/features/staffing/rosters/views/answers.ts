import type { Total } from '#features/events/questionnaires/rules.ts'
import { boardPath } from '#features/staffing/disposition/rules/paths.ts'
import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { linkButtonView } from '#platform/ui/form.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'

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
      label: words.t('roster.csv'),
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
  const rows =
    question.kind === 'text'
      ? texts.map(({ name, text }) => ({ head: name, cell: text }))
      : counts.map(({ choice, count }) => ({ head: choice, cell: words.number(count) }))
  const isAnswered = texts.length > 0 || counts.some(({ count }) => count > 0)
  return html`<section class="section-block"><header class="section-head"><h2>${question.name}</h2></header><p class="muted">${question.text}</p>
${isAnswered ? html`<table class="totals${question.kind !== 'text' && ' counts'}"><caption class="sr-only">${question.name}</caption><tbody>${rows.map(({ head, cell }) => html`<tr><th scope="row">${head}</th><td>${cell}</td></tr>`)}</tbody></table>` : html`<p>${words.t('answers.nobody')}</p>`}
${isAnswered && unanswered.length > 0 && html`<p class="muted">${words.t('answers.unanswered', { count: unanswered.length, names: words.list(unanswered) })}</p>`}</section>`
}
