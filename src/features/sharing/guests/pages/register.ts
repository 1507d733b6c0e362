import { dayOf } from '#features/accounts/users/rules.ts'
import { eventPath } from '#features/events/events/rules/slug.ts'
import { getBranding, getSettings } from '#features/operations/settings/queries.ts'
import { logoPath } from '#features/operations/settings/views.ts'
import { findNeeds } from '#features/staffing/staffing/queries/needs.ts'
import { html } from '#platform/html/html.ts'
import { open } from '#platform/http/access.ts'
import { mailRefusalText } from '#platform/http/mail-limits.ts'
import { formPage, type Page, type PageBody, type PageRequest, type Refused } from '#platform/http/page.ts'
import { addressKey, type RateLimiter } from '#platform/http/rate-limiter.ts'
import { assetUrl } from '#platform/ui/assets.ts'
import { registerGuest } from '../commands/register.ts'
import { findDeclarable, findPublicShifts, getEventOfLink } from '../queries.ts'
import { guestPath, type PublicEvent, registrationPath, whyClosed } from '../rules.ts'
import { guestForm, guestSettings } from '../schema.ts'
import { guestFields } from '../views/form.ts'
import { previewTags, registerView } from '../views/register.ts'
import { closedRegistration, SECRET_HEADERS } from './closed.ts'

type GuestOptions = {
  /** Whether mails reach people; without, only the screen shows personal links. */
  hasMail: boolean
  /** Registrations by network address, and by event. */
  perAddress: RateLimiter
  perEvent: RateLimiter
}

type RegisterRequest = PageRequest<{ event: number; token: string }>

async function showRegistration(request: RegisterRequest, event: PublicEvent, refused: Refused | undefined): Promise<PageBody> {
  const { context, csrfToken, path } = request
  const { words, db, now, site } = context
  const shifts = await findPublicShifts(context, event.id)
  const [needs, declarable, branding, settings] = await Promise.all([
    findNeeds(context, shifts),
    findDeclarable(db),
    getBranding(db),
    getSettings(db, guestSettings),
  ])
  const action = registrationPath(event.id, path.token)
  const state = refused ?? guestForm.state({})
  const form = guestForm.view({
    words,
    csrfToken,
    action,
    state,
    submit: words.t('guests.register'),
    guard: false,
    layout: guestFields({
      words,
      declarable,
      today: dayOf(now, site.timeZone),
      isUnfolded: 'qualifications' in state.values,
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
      form,
      retentionDays: settings.guest_retention_days,
      shifts: shifts.map((shift) => ({ ...shift, needs: needs.get(shift.id)! })),
    }),
  }
}

export const registerPage = ({ hasMail, perAddress, perEvent }: GuestOptions): Page =>
  formPage({
    path: '/guests/register/{event}/{token}/',
    access: open('guests have no account; the token in the link is the secret'),
    form: guestForm.schema,
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
      const outcome = await registerGuest(commandContext, {
        eventId: path.event,
        token: path.token,
        language: words.language,
        hasMail,
        form,
      })
      if (!outcome.ok) {
        // The page says why.
        if (outcome.reason === 'closed') return { redirect: registrationPath(path.event, path.token) }
        if (outcome.reason === 'mails') return { refused: [{ text: mailRefusalText(words, now, outcome.refusal) }], status: 429 }
        if (outcome.reason === 'too_many') return { refused: [{ text: words.t('guests.too_many') }], status: 409 }
        return { refused: [{ field: 'qualifications', text: words.t('guests.unknown_qualification') }] }
      }
      if (outcome.isNew)
        return { redirect: guestPath(outcome.token), flash: { kind: 'good', text: words.t('guests.registered') } }
      const text = words.t(hasMail ? 'guests.link_on_its_way' : 'guests.already_registered', { email: form.email })
      return { redirect: registrationPath(path.event, path.token), flash: { kind: hasMail ? 'info' : 'warn', text } }
    },
  })
