import { eventListView } from '#features/events/events/views/event-row.ts'
import type { ShiftForSignup } from '#features/staffing/eligibility/queries/reachable-shifts.ts'
import { answerFactsView } from '#features/staffing/participations/views/answer-facts.ts'
import type { Reason, ReasonContext } from '#features/staffing/staffing/rules/model.ts'
import { noteView, reasonText } from '#features/staffing/staffing/views/reasons.ts'
import { type ShiftName, shiftNameOf } from '#features/staffing/waiting-list/rules/links.ts'
import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import type { Span } from '#platform/time-span.ts'
import { badgeView, type Tone } from '#platform/ui/badge.ts'
import { cardView, gridView } from '#platform/ui/card.ts'
import type { Contact } from '#platform/ui/contact.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { buttonView, linkButtonView, postButtonView } from '#platform/ui/form.ts'
import type { FormState } from '#platform/ui/form-values.ts'
import { iconView } from '#platform/ui/icon.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { tableView } from '#platform/ui/table.ts'
import { proposePath, swapPath, swapStepPath } from '../rules/links.ts'
import type { OwnSwap, SwapRole, SwapState } from '../rules/swap.ts'
import { swapForm } from '../schema.ts'

const describe = (words: Words, now: Date, place: Span & ShiftName): string =>
  `${words.span(place.start, place.end, now)}, ${shiftNameOf(place)}`

/** Beside a button: `swapNotesView` says the same in full length. */
export const swapBriefView = (words: Words, swaps: readonly OwnSwap[]): Html =>
  html`${swaps.map(({ name }) => noteView('repeat', html`${words.t('swap.brief', { name })}`))}`

/** Of the first proposal that waits for the reader. */
export function swapAnswerLinkView(words: Words, swaps: readonly OwnSwap[], shift: string): Html | false {
  const href = swaps.find(({ state }) => state === 'open')?.answerPath
  const label = words.t('swap.answer')
  return (
    href !== undefined &&
    linkButtonView({
      href,
      label,
      kind: 'primary',
      attributes: { 'aria-label': words.t('signup.for_shift', { action: label, shift }) },
    })
  )
}

/** Below the own place on the page of the event. */
export const swapNotesView = (words: Words, shiftId: number, swaps: readonly OwnSwap[]): Html =>
  html`${swaps.map((swap) => {
    const what = swap.state === 'accepted' ? 'accepted' : swap.isMine ? 'out' : 'in'
    const text = words.t(`swap.note_${what}`, { name: swap.name })
    const isAnswered = swap.state !== 'open' || swap.answerPath === undefined
    return noteView('repeat', html`<a class="note-link" href="${isAnswered ? swapPath(shiftId) : swap.answerPath}">${text}</a>`)
  })}`

export function swapLinkView(words: Words, shiftId: number, shift: string): Html {
  const label = words.t('swap.link')
  return linkButtonView({
    href: swapPath(shiftId),
    label,
    kind: 'quiet',
    icon: 'repeat',
    attributes: { 'aria-label': words.t('signup.for_shift', { action: label, shift }) },
  })
}

type Option = Span & ShiftName & { id: number; name: string; location: string }

type SwapPageData = {
  words: Words
  now: Date
  csrfToken: string
  shift: Span & { id: number; title: string }
  eventPath: string
  refusal: 'off' | 'no_place' | 'begun' | undefined
  needsAgreement: boolean
  open: readonly OwnSwap[]
  options: readonly Option[]
}

export function swapPageView(data: SwapPageData): Html {
  const { words, now, shift } = data
  return html`${pageHeadView({
    title: words.t('swap.title'),
    facts: html`<span class="fact">${words.span(shift.start, shift.end, now)}</span> <span class="fact">${shift.title}</span>`,
  })}<div class="stack">${data.open.length > 0 && openView(data)}${optionsView(data)}</div>`
}

function openView({ words, now, csrfToken, shift, open }: SwapPageData): Html {
  return html`<section class="section-block"><header class="section-head"><h2>${words.t('swap.open')}</h2></header>${gridView(
    ...open.map((swap) =>
      cardView({
        title: words.t(swap.isMine ? 'swap.open_out' : 'swap.open_in', { name: swap.name }),
        body: html`<p>${words.t('ui.label', { label: words.t('swap.you_get') })} ${describe(words, now, swap.get)}</p>${swap.state === 'accepted' && html`<p>${badgeView({ tone: 'warn', text: words.t('swap.home_accepted') })}</p>`}`,
        footer: swap.isMine
          ? postButtonView({
              action: swapStepPath(shift.id, swap.id, 'withdraw'),
              csrfToken,
              label: words.t('swap.withdraw'),
              kind: 'secondary',
              icon: 'x',
              attributes: { 'aria-label': words.t('swap.withdraw_named', { name: swap.name }) },
            })
          : swap.state === 'open' &&
            swap.answerPath !== undefined &&
            linkButtonView({ href: swap.answerPath, label: words.t('swap.answer'), kind: 'primary' }),
      }),
    ),
  )}</section>`
}

function optionsView({ words, now, shift, refusal, needsAgreement, eventPath, options }: SwapPageData): Html {
  if (refusal)
    return html`<p class="notice tone-warn">${words.t(`swap.refusal.${refusal}`)}</p>${linkButtonView({ href: eventPath, label: words.t('offers.see_event') })}`
  const intro = html`<p>${words.t('swap.intro')} ${words.t(needsAgreement ? 'swap.intro_planner' : 'swap.intro_at_once')}</p>`
  if (!options.length)
    return html`${intro}${emptyView({ icon: 'repeat', text: words.t('swap.none'), action: linkButtonView({ href: eventPath, label: words.t('offers.see_event') }) })}`
  const rows = options.map((option) => ({
    href: proposePath(shift.id, option.id),
    title: words.t('swap.option', { name: option.name, shift: shiftNameOf(option) }),
    start: option.start,
    end: option.end,
    location: option.location,
  }))
  return html`${intro}${eventListView({ words, now, heading: words.t('swap.options'), events: rows })}`
}

const placeView = (words: Words, now: Date, title: 'swap.you_get' | 'swap.you_give', place: Span & ShiftName): Html =>
  html`<div class="card"><div class="card-body"><p class="muted">${words.t(title)}</p><p class="answer-time">${words.span(place.start, place.end, now)}</p><p>${shiftNameOf(place)}</p></div></div>`

/** What the reader gives and gets. */
const placesView = (words: Words, now: Date, { give, get }: { give: Span & ShiftName; get: Span & ShiftName }): Html =>
  html`${placeView(words, now, 'swap.you_get', get)}${placeView(words, now, 'swap.you_give', give)}`

type ProposeData = {
  words: Words
  now: Date
  csrfToken: string
  shiftId: number
  placeId: number
  name: string
  give: Span & ShiftName
  get: Span & ShiftName
  needsAgreement: boolean
  state: FormState
}

export function proposeView(data: ProposeData): Html {
  const { words, now, csrfToken, shiftId, placeId, name, give, get, state } = data
  return html`${pageHeadView({ title: words.t('swap.propose_title', { name }) })}<div class="stack">${placesView(words, now, { give, get })}<p>${words.t(data.needsAgreement ? 'swap.intro_planner' : 'swap.intro_at_once')}</p>${swapForm.view(
    {
      words,
      csrfToken,
      state,
      action: proposePath(shiftId, placeId),
      submit: { label: words.t('swap.propose'), icon: 'repeat' },
      cancel: { href: swapPath(shiftId) },
    },
  )}</div>`
}

type AnswerData = ReasonContext & {
  action: string
  reader: string
  name: string
  give: Span & ShiftName
  get: Span & ShiftName
  /** What the reader gets, if they may see it. */
  shift: ShiftForSignup | undefined
  contacts: readonly Contact[]
  calendarPath: string
  message: string
  until: Date
  needsAgreement: boolean
  reasons: readonly Reason[]
  canOther: boolean
}

/** The page behind the link, for the person to whom the swap is proposed. */
export function swapAnswerView(data: AnswerData): Html {
  const { words, now, action, name, give, get, message, reasons, canOther } = data
  const button = (answer: 'yes' | 'no') =>
    html`<form method="post" action="${action}"><input type="hidden" name="answer" value="${answer}">${buttonView({ label: words.t(`swap.${answer}`), icon: answer === 'yes' ? 'check' : 'x', kind: answer === 'yes' ? 'primary' : 'secondary' })}${answer === 'yes' && html`<p class="muted">${words.t(data.needsAgreement ? 'swap.by_planner' : 'swap.at_once')}</p>`}</form>`
  const notice = (title: string, texts: readonly string[]) =>
    html`<div class="notice tone-warn">${iconView('triangle-alert')}<div><p class="notice-title">${title}</p>${texts.length > 0 && html`<ul>${texts.map((text) => html`<li>${text}</li>`)}</ul>`}</div></div>`
  const yes = reasons.length
    ? notice(
        words.t('swap.cannot'),
        reasons.map((reason) => reasonText(data, reason)),
      )
    : canOther
      ? button('yes')
      : notice(words.t('swap.other_cannot', { name }), [])
  return html`<div class="answer"><p class="muted">${words.t('offers.hello', { name: data.reader })}</p><h1>${words.t('swap.question', { name })}</h1>
${data.shift ? html`${answerFactsView({ words, now, shift: data.shift, contacts: data.contacts, calendarPath: data.calendarPath, heading: words.t('swap.you_get') })}${placeView(words, now, 'swap.you_give', give)}` : placesView(words, now, { give, get })}${message && html`<p>${words.t('offers.quoted', { text: message })}</p>`}<p class="muted">${words.t('swap.until', { until: words.dateTime(data.until) })}</p>
${yes}${button('no')}<p class="muted">${words.t('offers.only_this')}</p></div>`
}

const TONES: Record<SwapState, Tone> = {
  open: 'info',
  accepted: 'warn',
  done: 'good',
  declined: 'quiet',
  withdrawn: 'quiet',
  expired: 'quiet',
  refused: 'quiet',
  undone: 'quiet',
}

type Side = Span & ShiftName & { shiftId: number; name: string; decidedAt: Date | null }
type Row = Record<SwapRole, Side> & { id: number; state: SwapState; message: string; knows: Record<SwapRole, boolean> }

type SwapsData = { words: Words; now: Date; csrfToken: string; shiftId: number; rows: readonly Row[] }

/** For planners. The titles of events that they do not see are left out. */
export function swapsView({ words, now, csrfToken, shiftId, rows }: SwapsData): Html {
  const button = ({ id, proposer, other }: Row, step: 'agree' | 'refuse' | 'undo', kind: 'primary' | 'quiet') => {
    const label = words.t(`swap.${step}`)
    return postButtonView({
      action: swapStepPath(shiftId, id, step),
      id: `swap-${step}-${id}`,
      csrfToken,
      label,
      kind,
      attributes: { 'aria-label': words.t('swap.deed_named', { action: label, first: proposer.name, second: other.name }) },
    })
  }
  const shiftText = (place: Side, isKnown: boolean): string =>
    place.shiftId === shiftId
      ? words.t('swap.this_shift')
      : isKnown
        ? describe(words, now, place)
        : words.t('swap.other_event', { span: words.span(place.start, place.end, now) })
  const moveText = (name: string, from: string, to: string) => html`<p>${words.t('swap.from_to', { name, from, to })}</p>`
  /** The planners of this shift have agreed. */
  const hasAgreed = ({ proposer, other }: Row): boolean => (proposer.shiftId === shiftId ? proposer : other).decidedAt !== null
  const stateOf = (row: Row) => (row.state === 'accepted' && hasAgreed(row) ? 'agreed' : row.state)
  return cardView({
    title: words.t('swap.list'),
    body: tableView<Row>({
      caption: words.t('swap.list'),
      rows,
      rowId: ({ id }) => `swap-${id}`,
      columns: [
        {
          label: words.t('swap.between'),
          main: true,
          cell: ({ proposer, other, knows }) => {
            const first = shiftText(proposer, knows.proposer)
            const second = shiftText(other, knows.other)
            return html`${moveText(proposer.name, first, second)}${moveText(other.name, second, first)}`
          },
        },
        {
          label: words.t('offers.state'),
          cell: (row) => badgeView({ tone: TONES[row.state], text: words.t(`swap.state.${stateOf(row)}`) }),
        },
        { label: words.t('offers.why'), cell: ({ message }) => message },
        {
          label: words.t('offers.actions'),
          cell: (row) =>
            row.state === 'accepted'
              ? html`${!hasAgreed(row) && button(row, 'agree', 'primary')} ${button(row, 'refuse', 'quiet')}`
              : row.state === 'done' && row.proposer.start > now && row.other.start > now && button(row, 'undo', 'quiet'),
        },
      ],
    }),
  })
}
