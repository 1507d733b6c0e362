import { dayOf } from '#features/accounts/users/rules.ts'
import { getBranding } from '#features/operations/settings/queries.ts'
import type { MountContext, PageMount } from '#features/staffing/participations/mount.ts'
import { html } from '#platform/html/html.ts'
import { guest } from '#platform/http/access.ts'
import { mailRefusalText } from '#platform/http/mail-limits.ts'
import { actionPage, formPage, type Page, type PageRequest } from '#platform/http/page.ts'
import { confirmView } from '#platform/ui/confirm.ts'
import { linkButtonView } from '#platform/ui/form.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { changeOwnDetails, deleteSelf, mailOwnLink } from '../commands/own.ts'
import { findDeclarable, findDeclared } from '../queries.ts'
import { guestLinks, guestPath, ownDeletionPath, ownDetailsPath } from '../rules.ts'
import { guestForm } from '../schema.ts'
import { guestFields } from '../views/form.ts'
import { guestBannerView } from '../views/guest.ts'
import { SECRET_HEADERS } from './closed.ts'
import { provePages } from './prove.ts'
import { head, whileActive } from './while-active.ts'

type GuestRequest = PageRequest<{ token: string; shift?: number }>

/** For guests: the event that they registered for and its shifts, while its link is active. */
export const guestMount: PageMount = {
  access: guest,
  paths: {
    signup: '/guests/{token}/shifts/{shift}/signup/',
    decline: '/guests/{token}/shifts/{shift}/decline/',
    undo: '/guests/{token}/shifts/{shift}/undo/',
  },
  authorize: whileActive(async (request, own): Promise<MountContext> => {
    const { context, csrfToken, path } = request as GuestRequest
    return {
      links: guestLinks(path.token),
      eventId: own.eventId,
      head,
      headers: SECRET_HEADERS,
      banner: guestBannerView({
        words: context.words,
        csrfToken,
        token: path.token,
        guest: own,
        declared: await findDeclared(context.db, own.id),
        url: `${context.site.url}${guestPath(path.token)}`,
        hasMail: !context.site.isMailOff,
        isShort: path.shift !== undefined,
      }),
    }
  }),
}

/** The path of the event page, for `guestMount`. */
export const GUEST_EVENT_PATH = '/guests/{token}/'

const detailsPage = formPage({
  path: '/guests/{token}/details/',
  access: guest,
  form: guestForm.schema,
  show: whileActive(async ({ context, csrfToken, path }, own, refused) => {
    const { words, db, now, site } = context
    const [declared, declarable] = await Promise.all([findDeclared(db, own.id), findDeclarable(db)])
    const stored = guestForm.state({
      name: own.name,
      email: own.email,
      date_of_birth: own.birthDate,
      phone: own.phone,
      qualifications: declared.map(({ id }) => id),
    })
    const stateTexts = {
      waiting: words.t('guests.waiting'),
      verified: words.t('guests.verified'),
      rejected: words.t('guests.rejected'),
    }
    const title = words.t('guests.own_details')
    const form = guestForm.view({
      words,
      csrfToken,
      action: ownDetailsPath(path.token),
      state: refused ?? stored,
      submit: words.t('guests.details_save'),
      cancel: { href: guestPath(path.token) },
      extra: linkButtonView({
        href: ownDeletionPath(path.token),
        label: words.t('guests.delete'),
        kind: 'quiet',
        icon: 'trash-2',
      }),
      layout: guestFields({
        words,
        declarable,
        notes: new Map(declared.map(({ id, state }) => [id, stateTexts[state]])),
        today: dayOf(now, site.timeZone),
        isUnfolded: declared.length > 0 || refused !== undefined,
      }),
    })
    return {
      title,
      head,
      headers: SECRET_HEADERS,
      breadcrumb: [{ href: guestPath(path.token), label: own.eventTitle }],
      main: html`${pageHeadView({ title, facts: words.t('guests.details_intro') })}${form}`,
    }
  }),
  submit: whileActive(async ({ context, commandContext, path }, _own, form) => {
    const { words, now, site } = context
    if (form.date_of_birth > dayOf(now, site.timeZone))
      return { refused: [{ field: 'date_of_birth', text: words.t('guests.birth_future') }] }
    const outcome = await changeOwnDetails(commandContext, form)
    if (!outcome.ok && outcome.reason === 'email_taken')
      return { refused: [{ field: 'email', text: words.t('guests.email_unusable') }] }
    if (!outcome.ok && outcome.reason === 'mails')
      return { refused: [{ field: 'email', text: mailRefusalText(words, now, outcome.refusal) }], status: 429 }
    if (!outcome.ok) return { refused: [{ field: 'qualifications', text: words.t('guests.unknown_qualification') }] }
    const text = outcome.isMailed
      ? words.t('guests.details_mailed', { email: form.email })
      : words.t(outcome.isChanged ? 'guests.details_saved' : 'guests.unchanged')
    return { redirect: guestPath(path.token), flash: { kind: outcome.isChanged ? 'good' : 'info', text } }
  }),
})

const deletePage = formPage({
  path: '/guests/{token}/delete/',
  access: guest,
  form: emptyForm,
  show: whileActive(async ({ context, csrfToken, path }, own) => {
    const { words } = context
    const title = words.t('guests.delete_title', { event: own.eventTitle })
    const main = confirmView({
      words,
      title,
      csrfToken,
      action: ownDeletionPath(path.token),
      submit: words.t('guests.delete'),
      cancel: { href: guestPath(path.token) },
      consequences: [words.t('guests.delete_places'), words.t('guests.delete_data'), words.t('guests.delete_link')],
    })
    return { title, main, head, headers: SECRET_HEADERS, breadcrumb: [{ href: guestPath(path.token), label: own.eventTitle }] }
  }),
  submit: whileActive(async ({ context, commandContext }, own) => {
    const { words, db } = context
    await deleteSelf(commandContext)
    const { name } = await getBranding(db)
    const title = words.t('guests.deleted_title')
    const home = html`<p>${linkButtonView({ href: '/', label: name ?? 'Turnout' })}</p>`
    return {
      title,
      bare: true,
      headers: SECRET_HEADERS,
      main: html`<h1>${title}</h1><p>${words.t('guests.deleted_text', { event: own.eventTitle })}</p>${home}`,
    }
  }),
})

const mailAgainPage = actionPage({
  path: '/guests/{token}/send-link/',
  access: guest,
  form: emptyForm,
  submit: whileActive(async ({ context, commandContext, path }, own) => {
    const { words, now } = context
    const mail = await mailOwnLink(commandContext)
    const text = mail.ok ? words.t('guests.mail_again_done', { email: own.email }) : mailRefusalText(words, now, mail)
    return { redirect: guestPath(path.token), flash: { kind: mail.ok ? 'good' : 'info', text } }
  }),
})

export const guestPages: Page[] = [detailsPage, deletePage, mailAgainPage, ...provePages]
