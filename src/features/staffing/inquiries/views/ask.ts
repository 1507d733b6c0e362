import { askPath, boardPath } from '#features/staffing/disposition/rules/paths.ts'
import { whenText } from '#features/staffing/exchanges/views/search.ts'
import type { Shortage } from '#features/staffing/staffing/rules/coverage.ts'
import type { ReasonContext, SignupStats } from '#features/staffing/staffing/rules/model.ts'
import { missingLines } from '#features/staffing/staffing/views/explanations.ts'
import { staffingBadgeView } from '#features/staffing/staffing/views/staffing.ts'
import { toStaffing } from '#features/staffing/staffing/views/state.ts'
import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { cardView } from '#platform/ui/card.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { fieldRowView, linkButtonView } from '#platform/ui/form.ts'
import type { FormState } from '#platform/ui/form-values.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { countStates, nextWaveOf } from '../rules/status.ts'
import { askForm } from '../schema.ts'
import { type ChoosingData, choosingView } from './choosing.ts'
import { type Inquiry, inquiryView } from './inquiry.ts'

export type AskData = ReasonContext & {
  csrfToken: string
  shift: SignupStats & { id: number; start: Date; end: Date }
  title: string
  perDay: number
  state: FormState
  /** How many people could be asked; `isCut`: at least. */
  able: { count: number; isCut: boolean }
  choosing: ChoosingData
  inquiries: readonly Inquiry[]
  /** When the messages go out to those who were asked at this time. */
  notifiedAt: (askedAt: Date) => Date
  closesAt: Date
  shortages: readonly Shortage[]
}

/** Belongs to the list of people, too, which stands outside of it. */
const FORM_ID = 'ask'

export function askView(data: AskData): Html {
  const { words, now, shift, title, shortages, inquiries, able } = data
  const lines = missingLines(data, shortages)
  return html`${pageHeadView({
    title: words.t('inquiries.title'),
    badge: staffingBadgeView({ words, staffing: toStaffing(shift) }),
    facts: html`<span class="fact">${words.span(shift.start, shift.end, now)}</span> <span class="fact">${title}</span>${lines.map((line) => html` <span class="fact">${line}</span>`)}`,
    actions: [linkButtonView({ href: boardPath(shift.id), label: words.t('inquiries.board'), icon: 'list-checks' })],
  })}
<div class="stack">${inquiries.length > 0 && statusView(data)}${able.count > 0 ? html`${formPart(data)}${choosingView(data, FORM_ID, data.choosing)}` : nobodyView(data)}${inquiries.map((inquiry) => inquiryView(data, inquiry))}</div>`
}

/** How many were asked and what they said, and what happens next. */
function statusView({ words, now, inquiries, notifiedAt }: AskData): Html {
  const people = inquiries.flatMap((inquiry) => inquiry.people)
  const counts = countStates(people)
  const next = nextWaveOf(inquiries)
  const late = people.filter(
    (person) => person.askedAt && !person.answer && !person.withdrawnAt && notifiedAt(person.askedAt) > now,
  )
  const shown = (['asked', 'can', 'cannot', 'open', 'too_late', 'withdrawn'] as const).filter(
    (name) => counts[name] > 0 || name === 'asked' || name === 'can' || name === 'cannot' || name === 'open',
  )
  const lines = [
    late.length > 0 &&
      words.t('inquiries.status.told', { count: late.length, when: whenText(words, notifiedAt(late[0]!.askedAt!), now) }),
    next && words.t('inquiries.next_wave', { count: next.count, when: whenText(words, next.at, now) }),
    !next && counts.open > 0 && words.t('inquiries.status.no_more'),
  ].filter((line) => line !== false && line !== undefined)
  return cardView({
    title: words.t('inquiries.status.title'),
    body: html`<dl class="ask-status">${shown.map((name) => html`<div><dt>${words.t(`inquiries.status.${name}`)}</dt><dd>${words.number(counts[name])}</dd></div>`)}</dl>${lines.map((line) => html`<p>${line}</p>`)}`,
  })
}

function nobodyView({ words, shift, perDay }: AskData): Html {
  return emptyView({
    icon: 'users',
    text: words.t('inquiries.none', { count: perDay }),
    action: linkButtonView({ href: boardPath(shift.id), label: words.t('inquiries.board') }),
  })
}

/** The first button of a form is the one of the Enter key, also in the search below, and nobody is asked by that key. */
const searchOnEnter = (words: Words): Html =>
  html`<button name="who" value="search" hidden>${words.t('inquiries.search')}</button>`

function formPart({ words, now, csrfToken, shift, state, able, notifiedAt, perDay }: AskData): Html {
  const notified = notifiedAt(now)
  const fit = able.isCut
    ? words.t('inquiries.fit_more', { count: Math.floor(able.count / 10) * 10 })
    : words.t('inquiries.fit', { count: able.count })
  return cardView({
    title: words.t('inquiries.next_title'),
    body: askForm.view({
      words,
      csrfToken,
      state,
      id: FORM_ID,
      action: askPath(shift.id),
      submit: { label: words.t('inquiries.send_next'), icon: 'send', name: 'who', value: 'next' },
      layout: (
        field,
      ) => html`${searchOnEnter(words)}<p>${fit} ${words.t('inquiries.order', { month: words.month(shift.start) })}</p>
${fieldRowView(field('count', { help: words.t('inquiries.count_help', { count: perDay }), max: String(Math.max(1, able.count)) }), field('wanted'))}
${field('how', {
  options: [
    { value: 'all', label: words.t('inquiries.how_all') },
    { value: 'waves', label: words.t('inquiries.how_waves') },
  ],
})}
${fieldRowView(field('size'), field('hours'))}
${field('message')}
${notified > now && html`<p class="side-note">${words.t('inquiries.told_later', { when: whenText(words, notified, now) })}</p>`}`,
    }),
  })
}
