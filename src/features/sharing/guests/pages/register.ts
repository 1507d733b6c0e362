import type { z } from 'zod'
import { dayOf } from '#features/accounts/users/rules.ts'
import { eventPath } from '#features/events/events/rules/slug.ts'
import { getBranding, getSettings } from '#features/operations/settings/queries.ts'
import { logoPath } from '#features/operations/settings/views.ts'
import type { Candidacy } from '#features/staffing/eligibility/rules/candidacy.ts'
import { findNeeds } from '#features/staffing/staffing/queries/needs.ts'
import { loadReasonContext } from '#features/staffing/staffing/queries/qualifications.ts'
import { reasonText } from '#features/staffing/staffing/views/reasons.ts'
import { html } from '#platform/html/html.ts'
import { open } from '#platform/http/access.ts'
import { mailRefusalText } from '#platform/http/mail-limits.ts'
import { formPage, type Page, type PageBody, type PageRequest, type Refused } from '#platform/http/page.ts'
import { addressKey, type RateLimiter } from '#platform/http/rate-limiter.ts'
import type { Words } from '#platform/i18n/words.ts'
import { assetUrl } from '#platform/ui/assets.ts'
import type { Flash } from '#platform/ui/flash.ts'
import type { FormError } from '#platform/ui/form.ts'
import { registerGuest, signUpNewGuest } from '../commands/register.ts'
import { findDeclarable, findPublicShifts, getEventOfLink, judgeStranger } from '../queries.ts'
import { guestPath, type PublicEvent, registrationPath, whyClosed } from '../rules.ts'
import { guestSettings, registrationForm } from '../schema.ts'
import { registrationFields } from '../views/form.ts'
import { previewTags, registerView } from '../views/register.ts'
import { closedRegistration, SECRET_HEADERS } from './closed.ts'

type GuestOptions = {
  /** Whether mails reach people; without, only the screen shows personal links. */
  hasMail: boolean
  /** Registrations by network address, and by event. */
  perAddress: RateLimiter
  perEvent: RateLimiter
}

type Registered = z.infer<typeof registrationForm.schema>
type RegisterRequest = PageRequest<{ event: number; token: string }>

async function showRegistration(request: RegisterRequest, event: PublicEvent, refused: Refused | undefined): Promise<PageBody> {
  const { context, csrfToken, path } = request
  const { words, db, now, site } = context
  const shifts = await findPublicShifts(context, event.id)
  const [needs, open, reasonContext, declarable, branding, settings] = await Promise.all([
    findNeeds(context, shifts),
    judgeStranger(
      context,
      shifts.map(({ id }) => id),
    ),
    loadReasonContext(context),
    findDeclarable(db),
    getBranding(db),
    getSettings(db, guestSettings),
  ])
  const action = registrationPath(event.id, path.token)
  const choices = shifts.filter(({ id }) => open.get(id)?.canSignUp)
  const state = refused ?? registrationForm.state({ shifts: choices.length === 1 ? [choices[0]!.id] : [] })
  const form = registrationForm.view({
    words,
    csrfToken,
    action,
    state,
    submit: words.t('guests.register'),
    guard: false,
    layout: registrationFields({
      words,
      shifts: choices.map((shift) => ({ value: shift.id, label: nameShift(words, now, shift) })),
      declarable,
      today: dayOf(now, site.timeZone),
      isUnfolded: refused !== undefined || requiredByTypeOf(open).length > 0,
    }),
  })
  const siteName = branding.name ?? 'Turnout'
  const when = event.start && event.end ? words.span(event.start, event.end, now) : undefined
  return {
    title: event.title,
    headers: SECRET_HEADERS,
    head: html`${previewTags({
      siteName,
      title: event.title,
      text: when
        ? words.t('guests.preview', { event: event.title, when })
        : words.t('guests.preview_timeless', { event: event.title }),
      url: `${site.url}${action}`,
      image: `${site.url}${branding.logoVersion ? logoPath(branding.logoVersion) : assetUrl('preview.png')}`,
    })}<link rel="stylesheet" href="${assetUrl('guests.css')}">`,
    main: registerView({
      words,
      now,
      event,
      form: choices.length > 0 && form,
      requiredByType: requiredByTypeOf(open).map(reasonContext.titleOf),
      retentionDays: settings.guest_retention_days,
      shifts: shifts.map((shift) => ({
        ...shift,
        needs: needs.get(shift.id)!,
        closedBecause: open.get(shift.id)?.reasons['sign-up'].map((reason) => reasonText(reasonContext, reason))[0],
      })),
    }),
  }
}

/** “Sat 4 May 08:00–12:00 · Gate”. */
const nameShift = (words: Words, now: Date, { label, start, end }: { label: string; start: Date; end: Date }): string =>
  [words.span(start, end, now), label].filter(Boolean).join(' · ')

/** The event type requires the same of all its shifts. */
const requiredByTypeOf = (judged: ReadonlyMap<number, Candidacy>): readonly number[] =>
  [...judged.values()][0]?.shift.requiredByType ?? []

/** Why this person cannot take part in any of the chosen shifts; empty if they can in one. */
async function findObstacles({ context }: RegisterRequest, eventId: number, form: Registered): Promise<FormError[]> {
  const { words, now } = context
  const shifts = (await findPublicShifts(context, eventId)).filter(({ id }) => form.shifts.includes(id))
  const stranger = { dateOfBirth: form.date_of_birth, qualifications: form.qualifications }
  const shiftIds = shifts.map(({ id }) => id)
  const [open, judged, reasonContext] = await Promise.all([
    judgeStranger(context, shiftIds),
    judgeStranger(context, shiftIds, stranger),
    loadReasonContext(context),
  ])
  if (!shifts.length) return [{ field: 'shifts', text: words.t('guests.shift_missing') }]
  const obstacles = shifts.map((shift) => {
    const closed = open.get(shift.id)!.reasons['sign-up']
    return { shift, reasons: closed.length ? closed : judged.get(shift.id)!.reasons['sign-up'] }
  })
  if (obstacles.some(({ reasons }) => reasons.length === 0)) return []
  const texts = obstacles.map(({ shift, reasons }) =>
    words.t('guests.obstacle', {
      shift: nameShift(words, now, shift),
      reasons: reasons.map((reason) => reasonText(reasonContext, reason)).join(' '),
    }),
  )
  return [{ field: 'shifts', text: texts.join(' ') }]
}

/** Signs up for the chosen shifts, and says for which of them something is missing. */
async function signUpChosen(request: RegisterRequest, guestId: number, form: Registered): Promise<Flash> {
  const { context, commandContext, path } = request
  const { words, now } = context
  const shifts = await findPublicShifts(context, path.event)
  const chosen = shifts.filter(({ id }) => form.shifts.includes(id))
  const name = (ids: readonly number[]) =>
    words.list(chosen.filter(({ id }) => ids.includes(id)).map((shift) => nameShift(words, now, shift)))
  const shiftIds = chosen.map(({ id }) => id)
  const guest = { eventId: path.event, guestId, name: form.name, language: words.language }
  const left = await signUpNewGuest(commandContext, { ...guest, shiftIds })
  const done = shiftIds.filter((id) => !left.includes(id))
  const texts = [
    ...(done.length ? [words.t('guests.requested', { shifts: name(done) })] : []),
    ...(left.length ? [words.t('guests.incomplete', { shifts: name(left) })] : []),
  ]
  return { kind: left.length ? 'warn' : 'good', text: texts.join(' ') }
}

export const registerPage = ({ hasMail, perAddress, perEvent }: GuestOptions): Page =>
  formPage({
    path: '/guests/register/{event}/{token}/',
    access: open('guests have no account; the token in the link is the secret'),
    form: registrationForm.schema,
    show: async (request, refused) => {
      const { context, path } = request
      const event = await getEventOfLink(context, path.event, path.token)
      if (event?.isOpenToReader) return { redirect: eventPath(event.id, event.title) }
      const closed = whyClosed(event, context.now)
      if (!event || closed) return closedRegistration(request, closed ?? 'unknown', event)
      return showRegistration(request, event, refused)
    },
    submit: async (request, form) => {
      const { context, commandContext, path, browser } = request
      const { words, now, site } = context
      if (form.date_of_birth > dayOf(now, site.timeZone))
        return { refused: [{ field: 'date_of_birth', text: words.t('guests.birth_future') }] }
      // Counted before the work, so that many requests at once cannot pass together.
      const limits = [await perAddress.takeShared(addressKey(browser.ip)), await perEvent.takeShared(String(path.event))]
      const late = limits.find(({ allowed }) => !allowed)
      if (late) return { refused: [{ text: words.t('guests.too_many_requests', { count: late.resetSeconds }) }], status: 429 }
      const event = await getEventOfLink(context, path.event, path.token)
      // The page says why.
      if (whyClosed(event, now)) return { redirect: registrationPath(path.event, path.token) }
      const obstacles = await findObstacles(request, path.event, form)
      if (obstacles.length) return { refused: obstacles }
      const outcome = await registerGuest(commandContext, {
        eventId: path.event,
        token: path.token,
        language: words.language,
        hasMail,
        form,
      })
      if (!outcome.ok) {
        if (outcome.reason === 'closed') return { redirect: registrationPath(path.event, path.token) }
        if (outcome.reason === 'mails') return { refused: [{ text: mailRefusalText(words, now, outcome.refusal) }], status: 429 }
        if (outcome.reason === 'too_many') return { refused: [{ text: words.t('guests.too_many') }], status: 409 }
        return { refused: [{ field: 'qualifications', text: words.t('guests.unknown_qualification') }] }
      }
      if (outcome.isNew)
        return {
          redirect: guestPath(outcome.token),
          flash: await signUpChosen(request, outcome.guestId, form),
        }
      const text = words.t(hasMail ? 'guests.link_on_its_way' : 'guests.already_registered', { email: form.email })
      return { redirect: registrationPath(path.event, path.token), flash: { kind: hasMail ? 'info' : 'warn', text } }
    },
  })
