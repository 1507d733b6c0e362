import { staff } from '#platform/http/access.ts'
import { actionPage, formPage, type Page, type PageBody, type Redirect, viewPage } from '#platform/http/page.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { EMPTY_STATE } from '#platform/ui/form-values.ts'
import { inviteInstance, withdrawInvite } from '../commands/invites.ts'
import { findOpenInvites, getOpenInvite } from '../queries/invites.ts'
import { findGuestLinks, findHostLinks } from '../queries/links.ts'
import { inviteForm } from '../schema.ts'
import { invitationView, inviteFormView } from '../views/invitations.ts'
import { FEDERATION, hostOf, INVITE, invitePath, linksView } from '../views/links.ts'
import { crumbs, head, type PartnerAccess, redirectWithFlash } from './federation-page.ts'
import { guestPages } from './guests.ts'
import { hostPages } from './hosts.ts'
import { joinPages } from './join.ts'

const listPage = viewPage({
  path: FEDERATION,
  access: staff,
  show: async ({ context: { db, now, words }, csrfToken }) => {
    const [guests, hosts, invites] = await Promise.all([findGuestLinks(db, now), findHostLinks(db), findOpenInvites(db, now)])
    return {
      title: words.t('federation.place'),
      head: head(),
      main: linksView({ words, now, csrfToken, guests, hosts, invites }),
    }
  },
})

const invitePage = formPage({
  path: INVITE,
  access: staff,
  form: inviteForm.schema,
  show: async ({ context: { words }, csrfToken }, refused) => ({
    title: words.t('federation.invite'),
    head: head(),
    breadcrumb: crumbs(words),
    main: inviteFormView({ words, csrfToken, state: refused ?? EMPTY_STATE }),
  }),
  submit: async ({ context: { words }, commandContext }, { url }) => {
    const invited = await inviteInstance(commandContext, url)
    if (invited.ok) return { redirect: invitePath(invited.id) }
    const text = words.t(invited.reason === 'own_url' ? 'federation.url_own' : 'federation.url_bad')
    return { refused: [{ field: 'url', text }] }
  },
})

const revealPage = viewPage({
  path: `${FEDERATION}invites/{id}/`,
  access: staff,
  show: async (request): Promise<PageBody | Redirect> => {
    const { words, db, now, site } = request.context
    const invite = await getOpenInvite(db, site, now, request.path.id)
    if (!invite) return redirectWithFlash(FEDERATION, 'warn', words.t('federation.not_shown'))
    return {
      title: words.t('federation.invite_title', { host: hostOf(invite.url) }),
      head: head(),
      breadcrumb: crumbs(words),
      headers: { 'cache-control': 'no-store' },
      main: invitationView({ words, now, csrfToken: request.csrfToken, invite }),
    }
  },
})

const withdrawPage = actionPage({
  path: `${FEDERATION}invites/{id}/withdraw/`,
  access: staff,
  form: emptyForm,
  submit: async (request) => {
    const { words, db, site, now } = request.context
    const id = request.path.id
    const invite = await getOpenInvite(db, site, now, id)
    if (!(await withdrawInvite(request.commandContext, id)) || !invite)
      return redirectWithFlash(FEDERATION, 'warn', words.t('federation.withdraw_late'))
    return redirectWithFlash(FEDERATION, 'good', words.t('federation.withdrawn', { url: hostOf(invite.url) }))
  },
})

export const federationManagePages = (partnerAccess: PartnerAccess): Page[] => [
  listPage,
  invitePage,
  revealPage,
  withdrawPage,
  ...joinPages(partnerAccess),
  ...hostPages(partnerAccess),
  ...guestPages,
]
