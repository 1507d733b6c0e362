import { settingsView } from '#features/users/views/settings.ts'
import { open, signedIn } from '#platform/http/access.ts'
import { actionPage, type Page, viewPage } from '#platform/http/page.ts'
import { Problem } from '#platform/http/problem.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { revokeApplication } from '../commands/consents.ts'
import { findGrantedApplications } from '../queries/people.ts'
import { grantedView } from '../views/granted.ts'

const GRANTED = '/settings/applications/'

const grantedPage = viewPage({
  path: GRANTED,
  access: signedIn,
  show: async ({ context, csrfToken }) => {
    const { words, db, actor } = context
    const applications = actor.kind === 'user' ? await findGrantedApplications(db, actor.userId) : []
    const main = settingsView({ words, current: 'applications', main: grantedView({ words, csrfToken, applications }) })
    return { title: words.t('oauth.granted_title'), main }
  },
})

const revokePage = actionPage({
  path: `${GRANTED}{id}/revoke/`,
  access: signedIn,
  form: emptyForm,
  submit: async ({ context, commandContext, path }) => {
    const { actor, words } = context
    const { id } = path
    if (actor.kind !== 'user') throw new Problem('not_found')
    const name = (await findGrantedApplications(context.db, actor.userId)).find((each) => each.id === id)?.name
    if (!(await revokeApplication(commandContext, actor.userId, id))) throw new Problem('not_found')
    return { redirect: GRANTED, flash: { kind: 'good', text: words.t('oauth.revoked', { name: name ?? '' }) } }
  },
})

/** Where other software of this kind has it. */
const oldAddressPage = viewPage({
  path: '/api/settings/applications/',
  access: open('only says where the page is'),
  show: async () => ({ redirect: GRANTED }),
})

export const grantedPages: Page[] = [grantedPage, revokePage, oldAddressPage]
