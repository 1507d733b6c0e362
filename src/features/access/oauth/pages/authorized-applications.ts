import { settingsView } from '#features/accounts/users/views/settings.ts'
import { open, signedIn } from '#platform/http/access.ts'
import { actionPage, type Page, viewPage } from '#platform/http/page.ts'
import { Problem } from '#platform/http/problem.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { revokeApplication } from '../commands/consents.ts'
import { findAuthorizedApplications } from '../queries/accounts.ts'
import { authorizedApplicationsView } from '../views/authorized-applications.ts'

const AUTHORIZED_APPLICATIONS = '/settings/applications/'

const authorizedApplicationsPage = viewPage({
  path: AUTHORIZED_APPLICATIONS,
  access: signedIn,
  show: async ({ context, csrfToken }) => {
    const { words, db, actor } = context
    const applications = await findAuthorizedApplications(db, actor.userId)
    const main = settingsView({
      context,
      current: 'applications',
      main: authorizedApplicationsView({ words, csrfToken, applications }),
    })
    return { title: words.t('oauth.granted_title'), main }
  },
})

const revokePage = actionPage({
  path: `${AUTHORIZED_APPLICATIONS}{id}/revoke/`,
  access: signedIn,
  form: emptyForm,
  submit: async ({ context, commandContext, path }) => {
    const { actor, words } = context
    const { id } = path
    const name = (await findAuthorizedApplications(context.db, actor.userId)).find((each) => each.id === id)?.name
    if (!(await revokeApplication(commandContext, actor.userId, id))) throw new Problem('not_found')
    return { redirect: AUTHORIZED_APPLICATIONS, flash: { kind: 'good', text: words.t('oauth.revoked', { name: name ?? '' }) } }
  },
})

/** Keeps old links working. */
const legacyRedirectPage = viewPage({
  path: '/api/settings/applications/',
  access: open('only says where the page is'),
  show: async () => ({ redirect: AUTHORIZED_APPLICATIONS }),
})

export const authorizedApplicationPages: Page[] = [authorizedApplicationsPage, revokePage, legacyRedirectPage]
