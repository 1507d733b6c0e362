import type { Origin } from '#features/staffing/participations/rules/links.ts'
import type { ReasonContext } from '#features/staffing/staffing/rules/model.ts'
import { noteView } from '#features/staffing/staffing/views/reasons.ts'
import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView, type Tone } from '#platform/ui/badge.ts'
import { cardView } from '#platform/ui/card.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { linkButtonView, postButtonView } from '#platform/ui/form.ts'
import type { FormState } from '#platform/ui/form-values.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { tableView } from '#platform/ui/table.ts'
import type { WaitingListEntry } from '../queries/waiting-list.ts'
import { joinPath, leavePath, offerEntryPath, removeEntryPath, waitingListPath } from '../rules/links.ts'
import type { EntryState, OwnWaitingList, PassedOver, WaitingListMode } from '../rules/waiting-list.ts'
import { modeForm, outOfOrderForm } from '../schema.ts'

const CODES = ['not_available', 'conflict', 'not_qualified', 'type_not_qualified'] as const
type NamedCode = (typeof CODES)[number] | 'limit' | 'other'

/** Several codes have one text. */
function namedCode(code: PassedOver): NamedCode {
  if (code.startsWith('limit_')) return 'limit'
  return CODES.find((one) => one === code) ?? 'other'
}

const isWaiting = (state: EntryState | undefined): boolean => state === 'waiting' || state === 'offered'

/** The state of the reader on the waiting list in a few words. */
export function waitingListPill(words: Words, { own }: OwnWaitingList): { tone: Tone; text: string } | undefined {
  if (own?.state === 'offered') return { tone: 'warn', text: words.t('offers.pill_offered') }
  if (own?.state === 'waiting') return { tone: 'info', text: words.t('offers.pill_position', { position: own.position ?? 1 }) }
  return undefined
}

/** A place that the reader has to take soon. */
export const waitingListAlertsView = (words: Words, { own }: OwnWaitingList): Html | false =>
  own?.state === 'offered' &&
  noteView('hand-helping', html`<b>${words.t('offers.offered_note', { until: words.dateTime(own.offeredUntil!) })}</b>`)

/** Below the reasons why the reader cannot sign up. */
export function waitingListNotesView(words: Words, { own, canJoin, waiting }: OwnWaitingList): Html | false {
  if (own?.state === 'waiting') {
    const why = own.passedOver && words.t('offers.passed_over', { why: words.t(`offers.you_code.${namedCode(own.passedOver)}`) })
    return noteView('hourglass', html`${words.t('offers.position', { position: own.position ?? 1 })}${why && html` ${why}`}`)
  }
  if (!canJoin) return false
  const text = waiting ? words.t('offers.can_wait_count', { count: waiting }) : words.t('offers.can_wait')
  return noteView('hourglass', html`${own?.state === 'expired' && html`${words.t('offers.expired_note')} `}${text}`)
}

type Buttons = { words: Words; csrfToken: string; shift: string; from: Origin }

export function joinView({ words, csrfToken, shift, from }: Buttons, { shiftId, canJoin, own }: OwnWaitingList): Html | false {
  return (
    canJoin &&
    !isWaiting(own?.state) &&
    postButtonView({
      action: joinPath(shiftId),
      csrfToken,
      label: words.t('offers.join_short'),
      kind: 'primary',
      fields: { from },
      attributes: { 'aria-label': words.t('signup.for_shift', { action: words.t('offers.join'), shift }) },
      id: `join-line-${shiftId}`,
    })
  )
}

export function leaveView({ words, csrfToken, shift, from }: Buttons, { shiftId, own }: OwnWaitingList): Html | false {
  const label = words.t('offers.leave')
  return (
    isWaiting(own?.state) &&
    postButtonView({
      action: leavePath(shiftId),
      csrfToken,
      label,
      kind: 'quiet',
      fields: { from },
      attributes: { 'aria-label': words.t('signup.for_shift', { action: label, shift }) },
      id: `leave-${shiftId}`,
    })
  )
}

type Entry = Pick<WaitingListEntry, 'id' | 'name' | 'since' | 'state' | 'offeredUntil' | 'passedOver' | 'offeredBy' | 'reason'>

type WaitingListData = Pick<ReasonContext, 'words' | 'now'> & {
  csrfToken: string
  shift: { id: number; title: string; start: Date; end: Date; boardPath: string }
  isOn: boolean
  /** False: planners decide about requests. */
  isInstant: boolean
  mode: WaitingListMode
  state: FormState
  entries: readonly Entry[]
  /** Searches for stand-ins. */
  sections: readonly (Html | false)[]
}

const TONES: Record<EntryState, Tone> = {
  waiting: 'info',
  offered: 'warn',
  accepted: 'good',
  declined: 'quiet',
  expired: 'quiet',
  withdrawn: 'quiet',
}

export function waitingListView(data: WaitingListData): Html {
  const { words, now, shift, isOn, isInstant, csrfToken, state, entries } = data
  const waiting = entries.filter((entry) => isWaiting(entry.state)).length
  return html`${pageHeadView({
    title: words.t('offers.line'),
    facts: html`<span class="fact">${words.span(shift.start, shift.end, now)}</span> <span class="fact">${shift.title}</span>${waiting > 0 && html` <span class="fact">${words.t('offers.line_count', { count: waiting })}</span>`}`,
    actions: [linkButtonView({ href: shift.boardPath, label: words.t('offers.board'), icon: 'list-checks' })],
  })}
<div class="stack"><p class="muted">${words.t(isInstant ? 'offers.line_intro' : 'offers.line_no_instant')}</p>${!isOn && html`<p class="notice tone-warn">${words.t('offers.is_off')}</p>`}
${modeForm.view({ words, csrfToken, state, action: waitingListPath(shift.id), submit: words.t('offers.mode_save') })}
${entries.length ? cardView({ title: words.t('offers.line'), body: tableOf(data) }) : emptyView({ icon: 'hourglass', text: words.t('offers.line_none') })}${data.sections}</div>`
}

function tableOf(data: WaitingListData): Html {
  const { words, entries, shift, csrfToken } = data
  return tableView<Entry>({
    caption: words.t('offers.line'),
    rows: entries,
    rowId: ({ id }) => `entry-${id}`,
    columns: [
      { label: words.t('offers.person'), main: true, cell: ({ name }) => name },
      { label: words.t('offers.since'), cell: ({ since }) => words.dateTime(since) },
      {
        label: words.t('offers.state'),
        cell: ({ state, offeredUntil }) =>
          html`${badgeView({ tone: TONES[state], text: words.t(`offers.state.${state}`) })}${state === 'offered' && offeredUntil && html` ${words.t('offers.held_until', { until: words.dateTime(offeredUntil) })}`}`,
      },
      { label: words.t('offers.why'), cell: (entry) => noteOf(words, entry) },
      {
        label: words.t('offers.actions'),
        cell: ({ id, name, state }) =>
          isWaiting(state) &&
          html`${state === 'waiting' && linkButtonView({ href: offerEntryPath(shift.id, id), label: words.t('offers.offer'), kind: 'secondary', small: true, attributes: { 'aria-label': words.t('offers.offer_to', { name }) } })} ${postButtonView({ action: removeEntryPath(shift.id, id), csrfToken, label: words.t('offers.remove'), kind: 'quiet', id: `remove-${id}`, attributes: { 'aria-label': words.t('offers.remove_named', { name }) } })}`,
      },
    ],
  })
}

function noteOf(words: Words, { offeredBy, reason, passedOver, state }: Entry): string {
  if (reason) return words.t('offers.offered_by', { name: offeredBy ?? '–', reason })
  return passedOver && isWaiting(state) ? words.t(`offers.passed_code.${namedCode(passedOver)}`) : ''
}

type OutOfOrderData = { words: Words; csrfToken: string; shiftId: number; entryId: number; name: string; state: FormState }

export function outOfOrderView({ words, csrfToken, shiftId, entryId, name, state }: OutOfOrderData): Html {
  return html`${pageHeadView({ title: words.t('offers.offer_to', { name }) })}${outOfOrderForm.view({
    words,
    csrfToken,
    state,
    action: offerEntryPath(shiftId, entryId),
    submit: { label: words.t('offers.offer'), icon: 'hand-helping' },
    cancel: { href: waitingListPath(shiftId) },
  })}`
}
