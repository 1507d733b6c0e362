import { PEOPLE, personPath } from '#features/accounts/people/views/people.ts'
import { requireVisiblePerson } from '#features/accounts/users/queries/person.ts'
import { isStaff } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { type Child, html } from '#platform/html/html.ts'
import { signedIn, staff } from '#platform/http/access.ts'
import { actionPage, formPage, type Page, type Redirect } from '#platform/http/page.ts'
import { cardView } from '#platform/ui/card.ts'
import { confirmView } from '#platform/ui/confirm.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { manageCrumbs } from '#platform/ui/manage.ts'
import { startViewing, stopViewing } from './commands.ts'
import { findActiveMembers, getViewedPerson } from './queries.ts'
import { STOP, VIEWING_MINUTES } from './rules.ts'

const viewPath = (userId: number): string => `${personPath(userId)}view/`

export const viewAction = ({ actor, words }: RequestContext, { userId }: { userId: number }) =>
  isStaff(actor) && actor.kind === 'user' && actor.userId !== userId
    ? { href: viewPath(userId), label: words.t('viewing.action'), help: words.t('viewing.action_help'), icon: 'eye' as const }
    : undefined

const MOST_MEMBERS = 5

/** On the page of a group: the pages as one of its members sees them. */
export async function groupViewSection({ db, words, actor }: RequestContext, { id }: { id: number }): Promise<Child> {
  if (!isStaff(actor) || actor.kind !== 'user') return undefined
  const members = (await findActiveMembers(db, id, MOST_MEMBERS + 1)).filter(({ userId }) => userId !== actor.userId)
  const links = members.slice(0, MOST_MEMBERS).map(({ userId, name }) => html`<li><a href="${viewPath(userId)}">${name}</a></li>`)
  const more =
    members.length > MOST_MEMBERS && html`<p><a href="${PEOPLE}?group=${id}">${words.t('viewing.members_more')}</a></p>`
  return cardView({
    title: words.t('viewing.members'),
    body: members.length
      ? html`<p>${words.t('viewing.members_text')}</p><ul>${links}</ul>${more}`
      : html`<p class="muted">${words.t('viewing.members_none')}</p>`,
  })
}

const refuse = ({ words }: RequestContext, userId: number): Redirect => ({
  redirect: personPath(userId),
  flash: { kind: 'bad', text: words.t('viewing.refused') },
})

const startPage = formPage({
  path: `${PEOPLE}{id}/view/`,
  access: staff,
  requires: 'recentSignInToSubmit',
  form: emptyForm,
  show: async (request) => {
    const { context, csrfToken } = request
    const { words, db, actor, now } = context
    const { userId, name } = await requireVisiblePerson(request.context, request.path.id)
    if (actor.kind !== 'user' || !(await getViewedPerson(db, actor, userId, now))) return refuse(context, userId)
    const title = words.t('viewing.title', { name })
    const main = confirmView({
      words,
      title,
      csrfToken,
      danger: false,
      consequences: [
        words.t('viewing.read_only', { name }),
        words.t('viewing.personal'),
        words.t('viewing.ends', { count: VIEWING_MINUTES }),
        words.t('viewing.logged'),
      ],
      action: viewPath(userId),
      submit: words.t('viewing.start'),
      cancel: { href: personPath(userId) },
    })
    return { title, breadcrumb: manageCrumbs(words, { href: personPath(userId), label: name }), main }
  },
  submit: async (request) => {
    const { userId } = await requireVisiblePerson(request.context, request.path.id)
    return (await startViewing(request.commandContext, userId)) ? { redirect: '/' } : refuse(request.context, userId)
  },
})

const stopPage = actionPage({
  path: STOP,
  access: signedIn,
  isForViewing: true,
  form: emptyForm,
  submit: async ({ context: { actor, words }, commandContext }) => {
    await stopViewing(commandContext)
    const redirect = actor.kind === 'user' && actor.viewedBy ? personPath(actor.userId) : '/'
    return { redirect, flash: { kind: 'good', text: words.t('viewing.stopped') } }
  },
})

export const viewingPages: Page[] = [startPage, stopPage]
