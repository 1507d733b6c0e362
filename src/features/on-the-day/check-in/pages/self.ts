import { randomUUID } from 'node:crypto'
import { eventPath } from '#features/events/events/rules/slug.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { html } from '#platform/html/html.ts'
import { signedIn } from '#platform/http/access.ts'
import { actionPage, formPage, type Page, type PageBody, type PageRequest, viewPage } from '#platform/http/page.ts'
import { Problem } from '#platform/http/problem.ts'
import { assetUrl } from '#platform/ui/assets.ts'
import type { Flash } from '#platform/ui/flash.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { markSelf, type SelfOutcome, undoSelf } from '../commands/self.ts'
import { renewCheckInCode, saveCheckInSettings } from '../commands/settings.ts'
import { type CheckInEvent, getStoredSettings, requireCheckInEvent, type StoredSettings } from '../queries/roster.ts'
import { findOwnShifts, getCheckInLink } from '../queries/self.ts'
import { isCurrentCode, makeCode, STEP_SECONDS } from '../rules/codes.ts'
import { DEFAULT_MINUTES_BEFORE } from '../rules/limits.ts'
import { checkInPath, selfPath } from '../rules/paths.ts'
import { judgeArrival, judgeLeaving } from '../rules/window.ts'
import { ownMarkForm, selfForm, settingsForm } from '../schema.ts'
import { closedView, screenView, selfView, settingsView, windowText } from '../views/self.ts'

/** Codes are secrets, so browsers must not keep the page. */
const HEADERS = { 'cache-control': 'no-store' }
const head = html`<link rel="stylesheet" href="${assetUrl('federation.css')}"><link rel="stylesheet" href="${assetUrl('guests.css')}"><link rel="stylesheet" href="${assetUrl('check-in.css')}">`

type EventRequest = PageRequest<{ event: number }>

const crumbsOf = ({ context: { words } }: PageRequest, event: CheckInEvent) => [
  { href: eventPath(event.id, event.title), label: event.title },
  { href: checkInPath(event.id), label: words.t('check_in.title') },
]

function urlOf({ site, now }: RequestContext, { tokenSealed, isChanging }: StoredSettings): string {
  const token = site.keyring.unseal(tokenSealed)
  return `${site.url}${selfPath(token, isChanging ? makeCode(site.keyring, token, now) : undefined)}`
}

const settingsPage = formPage({
  path: '/events/{event}/check-in/self/',
  access: signedIn,
  form: settingsForm.schema.partial(),
  show: async (request: EventRequest, refused) => {
    const { context, csrfToken, path } = request
    const { words, db } = context
    const event = await requireCheckInEvent(context, path.event)
    const stored = await getStoredSettings(db, event.id)
    const state = settingsForm.state({
      is_active: stored?.isActive ?? false,
      minutes_before: stored?.minutesBefore ?? DEFAULT_MINUTES_BEFORE,
      is_changing: stored?.isChanging ?? false,
    })
    return {
      title: words.t('check_in.self'),
      breadcrumb: crumbsOf(request, event),
      head,
      headers: HEADERS,
      main: settingsView({
        words,
        csrfToken,
        event,
        state: refused ?? state,
        link: stored && { url: urlOf(context, stored), isActive: stored.isActive, isChanging: stored.isChanging },
      }),
    }
  },
  submit: async (request, { is_active = false, is_changing = false, minutes_before }) => {
    const { words } = request.context
    const event = await requireCheckInEvent(request.context, request.path.event)
    if (minutes_before === undefined)
      return { refused: [{ field: 'minutes_before', text: words.t('check_in.minutes_invalid') }], status: 422 }
    await saveCheckInSettings(request.commandContext, event.id, { is_active, is_changing, minutes_before })
    return { redirect: checkInPath(event.id, 'self'), flash: { kind: 'good', text: words.t('check_in.settings_saved') } }
  },
})

const renewPage = actionPage({
  path: '/events/{event}/check-in/renew/',
  access: signedIn,
  form: emptyForm,
  submit: async (request) => {
    const { words } = request.context
    const event = await requireCheckInEvent(request.context, request.path.event)
    const isRenewed = await renewCheckInCode(request.commandContext, event.id)
    if (!isRenewed) throw new Problem('conflict')
    return { redirect: checkInPath(event.id, 'self'), flash: { kind: 'info', text: words.t('check_in.renewed') } }
  },
})

/** Requested again by the browser for a changing code. */
const codePage = viewPage({
  path: '/events/{event}/check-in/code/',
  access: signedIn,
  show: async (request) => {
    const { context, path } = request
    const { words, db } = context
    const event = await requireCheckInEvent(context, path.event)
    const stored = await getStoredSettings(db, event.id)
    if (!stored?.isActive) return { redirect: checkInPath(event.id, 'self') }
    return {
      title: words.t('check_in.poster_title'),
      breadcrumb: crumbsOf(request, event),
      head: html`${head}${stored.isChanging && html`<meta http-equiv="refresh" content="${STEP_SECONDS}">`}`,
      headers: HEADERS,
      scripts: [assetUrl('roster.js')],
      main: screenView({ words, event, url: urlOf(context, stored), isChanging: stored.isChanging }),
    }
  },
})

const closed = ({ context: { words } }: PageRequest, reason: 'unknown' | 'off' | 'old_code'): PageBody => ({
  title: words.t('check_in.self_title'),
  bare: true,
  status: reason === 'unknown' ? 404 : 403,
  headers: HEADERS,
  main: closedView({ words, reason }),
})

const CODE = /^[\w-]{0,20}$/

/** The address behind the code at the place. Opening it changes nothing. */
const selfPage = formPage({
  path: '/check-in/{token}/',
  access: signedIn,
  form: selfForm,
  show: async (request) => {
    const { context, csrfToken, query, path } = request
    const { db, words, now, site } = context
    const userId = context.actor.userId
    const link = await getCheckInLink(db, path.token)
    if (!link) return closed(request, 'unknown')
    if (!link.isActive) return closed(request, 'off')
    const code = query.get('code') ?? ''
    if (link.isChanging && !isCurrentCode(site.keyring, path.token, code, now)) return closed(request, 'old_code')
    const shifts = (await findOwnShifts(db, link.eventId, userId)).map((shift) => ({
      ...shift,
      arrival: judgeArrival(shift, link.minutesBefore, now),
      leaving: judgeLeaving(shift, link.minutesBefore, now),
    }))
    return {
      title: words.t('check_in.self_title'),
      head,
      headers: HEADERS,
      main: selfView({
        words,
        now,
        csrfToken,
        action: selfPath(path.token),
        code: CODE.test(code) ? code : '',
        event: { id: link.eventId, title: link.title, location: link.location },
        shifts,
      }),
    }
  },
  submit: async (request, { id, person, kind, code, undo }) => {
    const { path, commandContext } = request
    const back = selfPath(path.token, CODE.test(code) && code ? code : undefined)
    const isUuid = (text: string) => /^[0-9a-f-]{36}$/.test(text)
    const participationId = Number(person)
    if (!isUuid(id) || !Number.isSafeInteger(participationId)) return { redirect: back }
    if (isUuid(undo)) {
      const outcome = await undoSelf(commandContext, path.token, { id, participationId, markId: undo, code })
      return respond(request, outcome, back, 'check_in.self_undone')
    }
    if (kind !== 'arrived' && kind !== 'left') return { redirect: back }
    const outcome = await markSelf(commandContext, path.token, { id, participationId, kind, code })
    return respond(request, outcome, back, kind === 'arrived' ? 'check_in.self_welcome' : 'check_in.self_bye')
  },
})

/** From the home page. A code that changes must be scanned at the place. */
const ownMarkPage = actionPage({
  path: '/events/{event}/check-in/own/{id}/',
  access: signedIn,
  form: ownMarkForm,
  submit: async (request, { kind }) => {
    const { context, commandContext, path } = request
    const stored = await getStoredSettings(context.db, path.event)
    if (!stored?.isActive || stored.isChanging) throw new Problem('not_found')
    const token = context.site.keyring.unseal(stored.tokenSealed)
    const mark = { id: randomUUID(), participationId: path.id, kind, code: '' }
    const outcome = await markSelf(commandContext, token, mark)
    return respond(request, outcome, '/', kind === 'arrived' ? 'check_in.self_welcome' : 'check_in.self_bye')
  },
})

type Done = 'check_in.self_undone' | 'check_in.self_welcome' | 'check_in.self_bye'

function respond(request: PageRequest, outcome: SelfOutcome, redirect: string, done: Done) {
  const { words } = request.context
  const say = (kind: Flash['kind'], text: string) => ({ redirect, flash: { kind, text } })
  if (outcome.ok)
    return outcome.outcome === 'conflict' ? say('warn', words.t('check_in.self_conflict')) : say('good', words.t(done))
  switch (outcome.reason) {
    case 'unknown':
    case 'off':
    case 'old_code':
      return closed(request, outcome.reason)
    case 'no_shift':
      return say('bad', words.t('check_in.self_no_shift'))
    case 'not_undoable':
      return say('warn', words.t('check_in.self_not_undoable'))
    case 'too_early':
      return say('warn', windowText(words, outcome))
    case 'too_late':
      return say('warn', windowText(words, { ok: false, reason: outcome.reason }))
  }
}

export const selfCheckInPages: Page[] = [settingsPage, renewPage, codePage, selfPage, ownMarkPage]
