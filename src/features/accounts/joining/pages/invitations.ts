import { createInvitation, revokeInvitation } from '#features/access/sign-in/commands/links.ts'
import { PEOPLE, personPath } from '#features/accounts/people/views/people.ts'
import { requireEditor } from '#features/accounts/users/access.ts'
import { type Person, requireVisiblePerson } from '#features/accounts/users/queries/person.ts'
import { canSignIn, isUnreachable, mayChangeEmail } from '#features/accounts/users/rules.ts'
import { html } from '#platform/html/html.ts'
import { permission } from '#platform/http/access.ts'
import { actionPage, formPage, type Page, type PageBody, type PageRequest } from '#platform/http/page.ts'
import { assetUrl } from '#platform/ui/assets.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { manageCrumbs } from '#platform/ui/manage.ts'
import { getInvitation } from '../queries.ts'
import { invitationView } from '../views/invitation.ts'

function whyNot(request: PageRequest, person: Person): 'signed_in_before' | 'inactive' | 'locked' | 'no_sign_in' | undefined {
  if (!person.isActive) return 'inactive'
  if (!canSignIn(person)) return 'no_sign_in'
  const needsLink = request.context.site.isMailOff || isUnreachable(person)
  if ((person.hasPassword || person.lastSeenAt !== null) && !needsLink) return 'signed_in_before'
  return mayChangeEmail(requireEditor(request.context.actor), person) ? undefined : 'locked'
}

async function showInvitation(
  request: PageRequest<{ id: number }>,
  made?: { url: string; expiresAt: Date } | undefined,
): Promise<PageBody> {
  const { words, db, now } = request.context
  const person = await requireVisiblePerson(request.context, request.path.id)
  const refusal = whyNot(request, person)
  const main = invitationView({
    words,
    now,
    csrfToken: request.csrfToken,
    person,
    refusal,
    made,
    valid: refusal === undefined ? await getInvitation(db, person.userId, now) : undefined,
  })
  const crumbs = manageCrumbs(
    words,
    { href: PEOPLE, label: words.t('people.title') },
    { href: personPath(person.userId), label: person.name },
  )
  return {
    title: words.t('joining.invitation_title', { name: person.name }),
    breadcrumb: crumbs,
    head: html`<link rel="stylesheet" href="${assetUrl('federation.css')}">`,
    headers: { 'cache-control': 'no-store' },
    main,
  }
}

/** The link is shown in the answer to the form, once. */
const invitationPage = formPage({
  path: `${PEOPLE}{id}/invitation/`,
  access: permission('change_user'),
  form: emptyForm,
  show: (request) => showInvitation(request),
  submit: async (request) => {
    const { words, site } = request.context
    const { userId } = await requireVisiblePerson(request.context, request.path.id)
    const outcome = await createInvitation(request.commandContext, userId)
    if (!outcome.ok)
      return { redirect: personPath(userId), flash: { kind: 'bad', text: words.t(`joining.not_invited_${outcome.reason}`) } }
    const url = `${site.url}/accounts/invitation/${outcome.token}/`
    return showInvitation(request, { url, expiresAt: outcome.expiresAt })
  },
})

const revokePage = actionPage({
  path: `${PEOPLE}{id}/invitation/revoke/`,
  access: permission('change_user'),
  form: emptyForm,
  submit: async (request) => {
    const { words } = request.context
    const { userId } = await requireVisiblePerson(request.context, request.path.id)
    const isRevoked = await revokeInvitation(request.commandContext, userId)
    const text = words.t(isRevoked ? 'joining.invitation_revoked' : 'joining.not_revoked')
    return { redirect: personPath(userId, 'invitation'), flash: { kind: isRevoked ? 'good' : 'info', text } }
  },
})

export const invitationPages: Page[] = [invitationPage, revokePage]
