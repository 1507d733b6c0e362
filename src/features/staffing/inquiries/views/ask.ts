import { askPath, boardPath } from '#features/staffing/disposition/rules/paths.ts'
import type { Shortage } from '#features/staffing/staffing/rules/coverage.ts'
import type { ReasonContext, SignupStats } from '#features/staffing/staffing/rules/model.ts'
import { missingLines } from '#features/staffing/staffing/views/explanations.ts'
import { staffingBadgeView } from '#features/staffing/staffing/views/staffing.ts'
import { toStaffing } from '#features/staffing/staffing/views/state.ts'
import { type Html, html } from '#platform/html/html.ts'
import { badgeView, type Tone } from '#platform/ui/badge.ts'
import { cardView } from '#platform/ui/card.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { fieldRowView, linkButtonView, postButtonView } from '#platform/ui/form.ts'
import type { FormState } from '#platform/ui/form-values.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { tableView } from '#platform/ui/table.ts'
import type { InquiryPerson } from '../queries/inquiries.ts'
import { stopPath } from '../rules/links.ts'
import { askForm } from '../schema.ts'

type Inquiry = {
  id: number
  createdAt: Date
  createdBy: string | null
  message: string
  wanted: number
  waveSize: number | null
  waveHours: number | null
  nextWaveAt: Date | null
  endedAt: Date | null
  endReason: 'stopped' | 'enough' | 'cancelled' | 'closed' | 'everybody' | null
  people: readonly InquiryPerson[]
}
type AskData = ReasonContext & {
  csrfToken: string
  shift: SignupStats & { id: number; start: Date; end: Date; location: string }
  title: string
  perDay: number
  state: FormState
  candidates: {
    people: readonly { id: number; name: string; asked: number; hours: number; needsForm: boolean }[]
    isCut: boolean
  }
  inquiries: readonly Inquiry[]
  shortages: readonly Shortage[]
}

export function askView(data: AskData): Html {
  const { words, now, shift, title, shortages, inquiries } = data
  const lines = missingLines(data, shortages)
  return html`${pageHeadView({
    title: words.t('inquiries.title'),
    badge: staffingBadgeView({ words, staffing: toStaffing(shift) }),
    facts: html`<span class="fact">${words.span(shift.start, shift.end, now)}</span> <span class="fact">${title}</span>${lines.map((line) => html` <span class="fact">${line}</span>`)}`,
    actions: [linkButtonView({ href: boardPath(shift.id), label: words.t('inquiries.board'), icon: 'list-checks' })],
  })}
<div class="stack">${formPart(data)}${inquiries.map((inquiry) => inquiryView(data, inquiry))}</div>`
}

function formPart({ words, csrfToken, shift, state, candidates: { people, isCut }, perDay }: AskData): Html {
  if (!people.length)
    return emptyView({
      icon: 'users',
      text: words.t('inquiries.none', { count: perDay }),
      action: linkButtonView({ href: boardPath(shift.id), label: words.t('inquiries.board') }),
    })
  const factsOf = ({ asked, hours, needsForm }: AskData['candidates']['people'][number]): string =>
    [
      words.t('inquiries.asked_times', { count: asked }),
      words.t('inquiries.hours', { hours: words.number(hours), month: words.month(shift.start) }),
      ...(needsForm ? [words.t('inquiries.needs_form')] : []),
    ].join(', ')
  return askForm.view({
    words,
    csrfToken,
    state,
    action: askPath(shift.id),
    submit: { label: words.t('inquiries.send'), icon: 'send' },
    layout: (field) => html`${field('people', {
      help: [
        words.t('inquiries.people_help', { count: perDay }),
        ...(isCut ? [words.t('inquiries.people_cut', { count: people.length })] : []),
      ].join(' '),
      options: people.map((person) => ({ value: person.id, label: person.name, help: factsOf(person) })),
    })}
${field('wanted')}
${field('how', {
  options: [
    { value: 'all', label: words.t('inquiries.how_all') },
    { value: 'waves', label: words.t('inquiries.how_waves') },
  ],
})}
${fieldRowView(field('size'), field('hours'))}
${field('message')}`,
  })
}

function stateOf({ words, now }: AskData, person: InquiryPerson): { tone: Tone; text: string } {
  const { answer, withdrawnAt, askedAt, expiresAt } = person
  const tones = { can: 'good', cannot: 'quiet', too_late: 'warn' } as const
  if (answer) return { tone: tones[answer], text: words.t(`inquiries.answer.${answer}`) }
  if (withdrawnAt) return { tone: 'quiet', text: words.t('inquiries.answer.withdrawn') }
  if (!askedAt) return { tone: 'quiet', text: words.t('inquiries.answer.waiting') }
  return expiresAt && expiresAt <= now
    ? { tone: 'quiet', text: words.t('inquiries.answer.expired') }
    : { tone: 'info', text: words.t('inquiries.answer.open') }
}

function inquiryView(data: AskData, inquiry: Inquiry): Html {
  const { words, now, csrfToken, shift } = data
  const { id, createdAt, createdBy, people, endedAt, endReason, nextWaveAt, waveSize, message } = inquiry
  const waiting = people.filter(({ askedAt }) => !askedAt).length
  const status = endReason
    ? words.t(`inquiries.ended.${endReason}`, { when: words.relative(endedAt!, now) })
    : nextWaveAt && waiting > 0
      ? words.t('inquiries.next_wave', { count: Math.min(waveSize ?? 1, waiting), when: words.relative(nextWaveAt, now) })
      : words.t('inquiries.all_asked')
  const canStop = endReason !== 'stopped' && people.some(({ answer, withdrawnAt }) => !answer && !withdrawnAt)
  return cardView({
    title: words.t('inquiries.asked_at', { when: words.dateTime(createdAt), name: createdBy ?? words.t('inquiries.former') }),
    body: html`<p>${status}</p>${message && html`<p class="muted">${message}</p>`}${tableView<InquiryPerson>({
      caption: words.t('inquiries.asked_people'),
      rows: people,
      columns: [
        { label: words.t('inquiries.person'), main: true, cell: ({ name }) => name },
        { label: words.t('inquiries.when'), cell: ({ askedAt }) => (askedAt ? words.relative(askedAt, now) : '–') },
        { label: words.t('inquiries.answer'), cell: (person) => badgeView(stateOf(data, person)) },
        { label: words.t('inquiries.why'), cell: ({ reason }) => reason },
      ],
    })}`,
    footer:
      canStop &&
      postButtonView({
        action: stopPath(shift.id, id),
        csrfToken,
        label: words.t('inquiries.stop'),
        kind: 'secondary',
        icon: 'x',
      }),
  })
}
