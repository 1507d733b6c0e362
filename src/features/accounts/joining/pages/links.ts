import { type GroupWithBundles, requireGroup } from '#features/accounts/people/queries/groups.ts'
import { GROUPS, groupPath } from '#features/accounts/people/views/groups.ts'
import { getBranding } from '#features/operations/settings/queries.ts'
import { html } from '#platform/html/html.ts'
import { permission } from '#platform/http/access.ts'
import { actionPage, formPage, type Page, type PageRequest, viewPage } from '#platform/http/page.ts'
import { requireFound } from '#platform/http/problem.ts'
import type { Words } from '#platform/i18n/words.ts'
import { assetUrl } from '#platform/ui/assets.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { manageCrumbs } from '#platform/ui/manage.ts'
import { createJoinLink, revokeJoinLink } from '../commands/links.ts'
import { findLinks, getLink, type JoinLink } from '../queries.ts'
import { DEFAULT_LINK, whyClosed } from '../rules.ts'
import { joinLinkForm } from '../schema.ts'
import { joinLinksView, joinLinkView, joinPath, joinPosterView, linkPath, linksPath } from '../views/links.ts'

const mayManage = permission('change_group')
const head = html`<link rel="stylesheet" href="${assetUrl('federation.css')}"><link rel="stylesheet" href="${assetUrl('guests.css')}">`
/** Links are secrets, so browsers must not keep the page. */
const SECRET_HEADERS = { 'cache-control': 'no-store' }

async function requireLink(
  request: PageRequest<{ id: number; link: string }>,
): Promise<{ group: GroupWithBundles; link: JoinLink }> {
  const group = await requireGroup(request.context, request.path.id)
  const { link: id } = request.path
  const link = requireFound(/^\d{1,15}$/.test(id) ? await getLink(request.context.db, group.id, Number(id)) : undefined)
  return { group, link }
}

const urlOf = ({ context: { site } }: PageRequest, { sealedToken }: JoinLink): string =>
  `${site.url}${joinPath(site.keyring.unseal(sealedToken))}`

const crumbs = (words: Words, group: GroupWithBundles, showsList = false) =>
  manageCrumbs(
    words,
    { href: GROUPS, label: words.t('groups.title') },
    { href: groupPath(group.id), label: group.name },
    ...(showsList ? [{ href: linksPath(group.id), label: words.t('joining.links') }] : []),
  )

const listPage = formPage({
  path: `${GROUPS}{id}/join-links/`,
  access: mayManage,
  form: joinLinkForm.schema,
  show: async (request, refused) => {
    const { words, now, db } = request.context
    const group = await requireGroup(request.context, request.path.id)
    const main = joinLinksView({
      words,
      now,
      csrfToken: request.csrfToken,
      group,
      links: await findLinks(db, group.id),
      state: refused ?? joinLinkForm.state(DEFAULT_LINK),
    })
    return { title: words.t('joining.links_of', { group: group.name }), breadcrumb: crumbs(words, group), main }
  },
  submit: async (request, form) => {
    const { words } = request.context
    const outcome = requireFound(await createJoinLink(request.commandContext, request.path.id, form))
    if (!outcome.ok)
      return {
        refused: [
          { field: outcome.reason === 'rights' ? undefined : 'approval', text: words.t(`joining.refused_${outcome.reason}`) },
        ],
      }
    return {
      redirect: linkPath(request.path.id, outcome.id),
      flash: { kind: 'good', text: words.t('joining.link_created') },
    }
  },
})

const showPage = viewPage({
  path: `${GROUPS}{id}/join-links/{link}/`,
  access: mayManage,
  show: async (request) => {
    const { words, now } = request.context
    const { group, link } = await requireLink(request)
    if (whyClosed(link, now)) return { redirect: linksPath(group.id) }
    const main = joinLinkView({ words, now, csrfToken: request.csrfToken, group, link, url: urlOf(request, link) })
    return {
      title: words.t('joining.links_of', { group: group.name }),
      breadcrumb: crumbs(words, group, true),
      head,
      headers: SECRET_HEADERS,
      main,
    }
  },
})

const posterPage = viewPage({
  path: `${GROUPS}{id}/join-links/{link}/poster/`,
  access: mayManage,
  show: async (request) => {
    const { words, now, db } = request.context
    const { group, link } = await requireLink(request)
    if (whyClosed(link, now)) return { redirect: linksPath(group.id) }
    const { name } = await getBranding(db)
    return {
      title: words.t('joining.poster_title', { group: group.name }),
      breadcrumb: crumbs(words, group, true),
      head,
      headers: SECRET_HEADERS,
      scripts: [assetUrl('roster.js')],
      main: joinPosterView({ words, siteName: name ?? 'Turnout', group, url: urlOf(request, link) }),
    }
  },
})

const revokePage = actionPage({
  path: `${GROUPS}{id}/join-links/{link}/revoke/`,
  access: mayManage,
  form: emptyForm,
  submit: async (request) => {
    const { words } = request.context
    const { group, link } = await requireLink(request)
    const isRevoked = await revokeJoinLink(request.commandContext, group.id, link.id)
    const text = words.t(isRevoked ? 'joining.revoked' : 'joining.not_revoked')
    return { redirect: linksPath(group.id), flash: { kind: isRevoked ? 'good' : 'info', text } }
  },
})

export const joinLinkPages: Page[] = [listPage, showPage, posterPage, revokePage]
