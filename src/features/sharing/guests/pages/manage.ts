import { dayOf } from '#features/accounts/users/rules.ts'
import { refuseEvent } from '#features/events/events/queries/refusals.ts'
import { eventPath } from '#features/events/events/rules/slug.ts'
import { getBranding } from '#features/operations/settings/queries.ts'
import { html } from '#platform/html/html.ts'
import { signedIn } from '#platform/http/access.ts'
import { actionPage, formPage, type Page, type PageRequest, viewPage } from '#platform/http/page.ts'
import { Problem, requireFound } from '#platform/http/problem.ts'
import { assetUrl } from '#platform/ui/assets.ts'
import { confirmView } from '#platform/ui/confirm.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { decideQualification, mailLinkTo } from '../commands/manage.ts'
import { removeGuest } from '../commands/removal.ts'
import { renewGuestShare, switchGuestShare } from '../commands/share.ts'
import { findGuests, getManagedEvent } from '../queries.ts'
import { guestPath, guestsPath, type ManagedEvent, type ManagedGuest, registrationPath } from '../rules.ts'
import { switchForm, verdictForm } from '../schema.ts'
import { manageView, posterView } from '../views/manage.ts'

type EventRequest = PageRequest<{ event: number }>
type GuestRequest = PageRequest<{ event: number; id: number }>

const head = html`<link rel="stylesheet" href="${assetUrl('federation.css')}"><link rel="stylesheet" href="${assetUrl('guests.css')}">`

/** Contact data of guests is for people who may change the event. */
async function requireEvent({ context, path }: EventRequest): Promise<ManagedEvent> {
  const event = await getManagedEvent(context.db, context.actor, path.event)
  if (!event) throw await refuseEvent(context.db, context.actor, path.event)
  return event
}

async function requireGuest(request: GuestRequest): Promise<{ event: ManagedEvent; guest: ManagedGuest }> {
  const event = await requireEvent(request)
  const [guest] = await findGuests(request.context.db, event.id, request.path.id)
  if (!guest) throw new Problem('not_found')
  return { event, guest }
}

const linkOf = ({ context: { site } }: PageRequest, { id, share }: ManagedEvent) =>
  share && { url: `${site.url}${registrationPath(id, site.keyring.unseal(share.tokenSealed))}`, isActive: share.isActive }

const crumbsOf = ({ id, title }: ManagedEvent, label?: string) => [
  { href: eventPath(id, title), label: title },
  ...(label === undefined ? [] : [{ href: guestsPath(id), label }]),
]

const listPage = ({ hasMail }: { hasMail: boolean }): Page =>
  viewPage({
    path: '/events/{event}/guests/',
    access: signedIn,
    show: async (request) => {
      const { context, csrfToken } = request
      const { words, now, db, site } = context
      const event = await requireEvent(request)
      const guests = await findGuests(db, event.id)
      return {
        title: words.t('guests.title'),
        head,
        breadcrumb: crumbsOf(event),
        main: manageView({
          words,
          now,
          today: dayOf(now, site.timeZone),
          csrfToken,
          event,
          link: linkOf(request, event),
          guests: guests.map((guest) => ({
            ...guest,
            personalLink:
              hasMail || guest.tokenSealed === null
                ? undefined
                : `${site.url}${guestPath(site.keyring.unseal(guest.tokenSealed))}`,
          })),
        }),
      }
    },
  })

const switchPage = actionPage({
  path: '/events/{event}/guests/switch/',
  access: signedIn,
  form: switchForm,
  submit: async (request, { active }) => {
    const { words } = request.context
    const event = await requireEvent(request)
    const isActive = active === 'on'
    const outcome = await switchGuestShare(request.commandContext, event.id, isActive)
    if (!outcome) throw await refuseEvent(request.context.db, request.context.actor, event.id)
    const text = words.t(isActive ? 'guests.activated' : 'guests.deactivated')
    return { redirect: guestsPath(event.id), flash: { kind: 'good', text } }
  },
})

const renewPage = formPage({
  path: '/events/{event}/guests/renew/',
  access: signedIn,
  form: emptyForm,
  show: async (request) => {
    const { words } = request.context
    const event = await requireEvent(request)
    const title = words.t('guests.renew_title', { event: event.title })
    const main = confirmView({
      words,
      title,
      csrfToken: request.csrfToken,
      action: `${guestsPath(event.id)}renew/`,
      submit: words.t('guests.renew'),
      cancel: { href: guestsPath(event.id) },
      consequences: [words.t('guests.renew_effect'), words.t('guests.renew_guests')],
    })
    return { title, main, breadcrumb: crumbsOf(event, words.t('guests.title')) }
  },
  submit: async (request) => {
    const event = await requireEvent(request)
    if (!(await renewGuestShare(request.commandContext, event.id))) throw new Problem('not_found')
    return {
      redirect: guestsPath(event.id),
      flash: { kind: 'good', text: request.context.words.t('guests.renewed') },
    }
  },
})

const posterPage = viewPage({
  path: '/events/{event}/guests/poster/',
  access: signedIn,
  show: async (request) => {
    const { words, now, db } = request.context
    const event = await requireEvent(request)
    const link = linkOf(request, event)
    if (!link?.isActive) return { redirect: guestsPath(event.id), flash: { kind: 'info', text: words.t('guests.link_off_text') } }
    const { name } = await getBranding(db)
    return {
      title: words.t('guests.poster_title', { event: event.title }),
      head,
      scripts: [assetUrl('roster.js')],
      breadcrumb: crumbsOf(event, words.t('guests.title')),
      main: posterView({ words, now, event, url: link.url, siteName: name ?? 'Turnout' }),
    }
  },
})

const FLASHES = { confirm: 'confirmed', reject: 'rejected', reopen: 'reopened' } as const

const qualificationPage = actionPage({
  path: '/events/{event}/guests/{id}/qualification/',
  access: signedIn,
  form: verdictForm,
  submit: async (request, { qualification: qualificationId, verdict }) => {
    const { words } = request.context
    const { event, guest } = await requireGuest(request)
    const declared = guest.declared.find(({ id }) => id === qualificationId)
    const outcome = await decideQualification(request.commandContext, {
      eventId: event.id,
      guestId: guest.id,
      qualificationId,
      verdict,
    })
    if (!outcome || !declared) throw new Problem('not_found')
    const text = words.t(`guests.${FLASHES[verdict]}_flash`, { qualification: declared.title, name: guest.name })
    return {
      redirect: `${guestsPath(event.id)}#guest-${guest.id}`,
      flash: { kind: verdict === 'confirm' ? 'good' : 'info', text },
    }
  },
})

const sendLinkPage = actionPage({
  path: '/events/{event}/guests/{id}/send-link/',
  access: signedIn,
  form: emptyForm,
  submit: async (request) => {
    const { event, guest } = await requireGuest(request)
    if (!(await mailLinkTo(request.commandContext, { eventId: event.id, guestId: guest.id }))) throw new Problem('not_found')
    const text = request.context.words.t('guests.link_sent', { email: guest.email })
    return { redirect: guestsPath(event.id), flash: { kind: 'good', text } }
  },
})

const removePage = formPage({
  path: '/events/{event}/guests/{id}/remove/',
  access: signedIn,
  form: emptyForm,
  show: async (request) => {
    const { words } = request.context
    const { event, guest } = await requireGuest(request)
    const title = words.t('guests.remove_title', { name: guest.name })
    const main = confirmView({
      words,
      title,
      csrfToken: request.csrfToken,
      action: `${guestsPath(event.id)}${guest.id}/remove/`,
      submit: words.t('guests.remove'),
      cancel: { href: guestsPath(event.id) },
      consequences: [words.t('guests.remove_places'), words.t('guests.remove_data'), words.t('guests.remove_again')],
    })
    return { title, main, breadcrumb: crumbsOf(event, words.t('guests.title')) }
  },
  submit: async (request) => {
    const { event, guest } = await requireGuest(request)
    const removed = requireFound(await removeGuest(request.commandContext, { eventId: event.id, guestId: guest.id }))
    const text = request.context.words.t('guests.removed', { name: removed.name })
    return { redirect: guestsPath(event.id), flash: { kind: 'good', text } }
  },
})

export const manageGuestPages = (options: { hasMail: boolean }): Page[] => [
  listPage(options),
  switchPage,
  renewPage,
  posterPage,
  qualificationPage,
  sendLinkPage,
  removePage,
]
