import { randomUUID } from 'node:crypto'
import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView } from '#platform/ui/badge.ts'
import { cardView } from '#platform/ui/card.ts'
import { copyView } from '#platform/ui/copy.ts'
import { hiddenField } from '#platform/ui/fields.ts'
import { buttonView, csrfField, linkButtonView, postButtonView } from '#platform/ui/form.ts'
import type { FormState } from '#platform/ui/form-values.ts'
import { iconView } from '#platform/ui/icon.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { qrView } from '#platform/ui/qr.ts'
import type { Attendance } from '../rules/attendance.ts'
import { checkInPath, ownMarkPath } from '../rules/paths.ts'
import type { WindowVerdict } from '../rules/window.ts'
import { settingsForm } from '../schema.ts'
import { stateOf, stateView } from './state.ts'

type OwnShift = Attendance & {
  participationId: number
  label: string
  start: Date
  end: Date
  markId: string | null
  isOwnMark: boolean
  arrival: WindowVerdict
  leaving: WindowVerdict
}

/** `by`: with a button on the home page, or only by the code at the place. */
export type OwnCheckIn = OwnShift & { by: 'button' | 'code' }

type SelfData = {
  words: Words
  now: Date
  csrfToken: string
  action: string
  code: string
  event: { id: number; title: string; location: string }
  shifts: readonly OwnShift[]
}

/** What a person sees after scanning the code. */
export function selfView(data: SelfData): Html {
  const { words, event, shifts } = data
  return html`${pageHeadView({ title: words.t('check_in.self_title'), facts: html`<span>${event.title}</span>${event.location && html` · <span>${event.location}</span>`}` })}
${shifts.length ? html`<div class="stack">${shifts.map((shift) => ownShiftView(data, shift))}</div>` : html`<p>${words.t('check_in.self_no_shift')}</p>`}
<p>${linkButtonView({ href: `/events/${event.id}/`, label: words.t('check_in.self_event'), kind: 'quiet' })}</p>`
}

function ownShiftView(data: SelfData, shift: OwnShift): Html {
  const { words, now } = data
  const state = stateOf(shift)
  const send = (kind: 'arrived' | 'left', label: string) =>
    html`<form class="ci-big" method="post" action="${data.action}">${csrfField(data.csrfToken)}${hiddenField('id', randomUUID())}${hiddenField('person', shift.participationId)}${hiddenField('code', data.code)}${buttonView({ label, kind: 'primary', name: 'kind', value: kind })}</form>`
  const part = () => {
    if (state === 'gone') return html`<p>${words.t('check_in.self_gone')}</p>`
    if (state === 'there')
      return shift.leaving.ok
        ? send('left', words.t('check_in.self_leave'))
        : html`<p>${words.t('check_in.self_too_late_leave')}</p>`
    if (!shift.arrival.ok) return html`<p class="notice tone-warn">${windowText(words, shift.arrival)}</p>`
    return html`${state === 'no_show' && html`<p class="notice tone-warn">${words.t('check_in.self_no_show')}</p>`}${send('arrived', words.t('check_in.self_here'))}`
  }
  return cardView({
    title: shift.label || words.hours(shift.start, shift.end),
    aside: stateView(words, shift),
    body: html`<p>${words.span(shift.start, shift.end, now)}</p>${part()}${
      shift.isOwnMark &&
      state !== 'none' &&
      html`<form method="post" action="${data.action}">${csrfField(data.csrfToken)}${hiddenField('id', randomUUID())}${hiddenField('person', shift.participationId)}${hiddenField('code', data.code)}${hiddenField('undo', shift.markId ?? '')}${buttonView({ label: words.t('ui.undo'), kind: 'quiet', small: true, icon: 'undo-2' })}</form>`
    }`,
  })
}

/** For the card of the next shift: what was marked, and the button for the next step. False before the time for it. */
export function ownCheckInView(words: Words, csrfToken: string, eventId: number, shift: OwnCheckIn): Html | false {
  const state = stateOf(shift)
  const button = (kind: 'arrived' | 'left', label: string) =>
    postButtonView({
      action: ownMarkPath(eventId, shift.participationId),
      csrfToken,
      label,
      kind: 'primary',
      icon: kind === 'arrived' ? 'check' : 'log-out',
      fields: { kind },
      id: `check-in-${kind}`,
    })
  if (state === 'gone') return html`<p class="own-state">${stateView(words, shift)}</p>`
  if (state === 'there')
    return html`<p class="own-state">${badgeView({ tone: 'good', icon: 'check', text: words.t('check_in.own_there', { time: words.time(shift.arrivedAt!) }) })}</p>${shift.by === 'button' && shift.leaving.ok && button('left', words.t('check_in.own_leave'))}`
  if (!shift.arrival.ok) return false
  return shift.by === 'button'
    ? button('arrived', words.t('check_in.self_here'))
    : html`<p class="own-state">${iconView('info', { size: 16 })}<span>${words.t('check_in.own_scan')}</span></p>`
}

export function windowText(words: Words, verdict: Exclude<WindowVerdict, { ok: true }>): string {
  return verdict.reason === 'too_early'
    ? words.t('check_in.self_too_early', { time: words.dateTime(verdict.from) })
    : words.t('check_in.self_too_late')
}

/** The code does not work: it was renewed, is switched off, or the one on the screen has changed. */
export const closedView = ({ words, reason }: { words: Words; reason: 'unknown' | 'off' | 'old_code' }): Html =>
  html`${pageHeadView({ title: words.t('check_in.self_title') })}<p>${words.t(`check_in.closed_${reason}`)}</p><p>${linkButtonView({ href: '/my-shifts/', label: words.t('check_in.self_shifts') })}</p>`

type SettingsData = {
  words: Words
  csrfToken: string
  event: { id: number; title: string }
  state: FormState
  link: { url: string; isActive: boolean; isChanging: boolean } | undefined
}

export function settingsView({ words, csrfToken, event, state, link }: SettingsData): Html {
  return html`${pageHeadView({ title: words.t('check_in.self'), facts: event.title })}
<p class="ci-intro">${words.t('check_in.self_intro')}</p>
<div class="stack">${cardView({
    body: settingsForm.view({
      words,
      csrfToken,
      action: checkInPath(event.id, 'self'),
      state,
      submit: words.t('check_in.save'),
      cancel: { href: checkInPath(event.id), label: words.t('check_in.back_to_list') },
    }),
  })}
${link?.isActive && cardView({ title: words.t('check_in.code'), body: html`${link.isChanging ? html`<p>${words.t('check_in.changing_note')}</p>` : html`${copyView({ words, id: 'check-in-link', label: words.t('check_in.link'), value: link.url })}<figure class="qr-figure">${qrView({ text: link.url, title: words.t('check_in.code') })}</figure>`}<div class="button-row">${linkButtonView({ href: checkInPath(event.id, 'code'), label: words.t(link.isChanging ? 'check_in.show_screen' : 'check_in.show_poster'), kind: 'primary', icon: link.isChanging ? 'monitor' : 'printer' })}${postButtonView({ action: checkInPath(event.id, 'renew'), csrfToken, label: words.t('check_in.renew'), kind: 'quiet', icon: 'refresh-cw' })}</div><p class="help">${words.t('check_in.renew_help')}</p>` })}</div>`
}

type ScreenData = { words: Words; event: { title: string; location: string }; url: string; isChanging: boolean }

/** The code in full size, to print or for a tablet at the entrance. */
export function screenView({ words, event, url, isChanging }: ScreenData): Html {
  return html`<div class="poster-bar"><p class="muted">${words.t(isChanging ? 'check_in.screen_hint' : 'check_in.poster_hint')}</p>${
    !isChanging &&
    buttonView({
      label: words.t('check_in.print'),
      kind: 'primary',
      icon: 'printer',
      attributes: { type: 'button', 'data-print': true, hidden: true },
    })
  }</div>
<article class="poster"><p class="poster-site">${event.title}</p><h1>${words.t('check_in.poster_title')}</h1>
<p class="poster-call">${words.t('check_in.poster_call')}</p><div class="poster-code" id="check-in-code">${qrView({ text: url, title: words.t('check_in.code') })}</div>
<p>${words.t('check_in.poster_text')}</p>${!isChanging && html`<p class="poster-url">${url.replace(/^https?:\/\//, '')}</p>`}</article>`
}
