import { PEOPLE } from '#features/accounts/people/views/people.ts'
import { requireEditor } from '#features/accounts/users/access.ts'
import { findGroupChoices, findQualificationChoices } from '#features/accounts/users/queries/people.ts'
import { splitGroups } from '#features/accounts/users/rules.ts'
import { html } from '#platform/html/html.ts'
import { permission } from '#platform/http/access.ts'
import { actionPage, formPage, type Page, type PageBody, type PageRequest, type Refused } from '#platform/http/page.ts'
import { requireFound } from '#platform/http/problem.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { manageCrumbs } from '#platform/ui/manage.ts'
import { getOwnAction, type StartRefusal, startAction, startUndo } from '../commands/run.ts'
import { countOutcomes, findActionPeople, findOthers, type PeopleAction } from '../queries.ts'
import { findUndoEnd } from '../rules.ts'
import { detailsForm } from '../schema.ts'
import { ACTIONS, actionPath, actionProgressView, actionResultView, askView, headingOf, questionOf } from '../views/action.ts'
import { SELECT } from '../views/select.ts'

const MOST_NAMES = 500
const REFRESH_SECONDS = 2

async function requireAction({ context, path }: PageRequest<{ id: number }>): Promise<PeopleAction> {
  return requireFound(await getOwnAction(context.db, context, path.id))
}

async function showQuestion(request: PageRequest<{ id: number }>, action: PeopleAction, refused?: Refused) {
  const { db, words, actor } = request.context
  const [people, groups, qualifications] = await Promise.all([
    findActionPeople(db, action.id, MOST_NAMES),
    findGroupChoices(db),
    findQualificationChoices(db),
  ])
  const optionOf = ({ id, name }: { id: number; name: string }) => ({ value: id, label: name })
  return askView({
    words,
    csrfToken: request.csrfToken,
    action,
    state: refused ?? detailsForm.state({}),
    people,
    groups: splitGroups(requireEditor(actor), groups, []).open.map(optionOf),
    qualifications: qualifications.map(optionOf),
    cancel: SELECT,
  })
}

async function showResult(request: PageRequest<{ id: number }>, action: PeopleAction) {
  const { db, words, now } = request.context
  const wanted = action.state === 'undone' ? 'undone' : 'done'
  const done = (await countOutcomes(db, action.id)).get(wanted) ?? 0
  return actionResultView({
    words,
    csrfToken: request.csrfToken,
    action,
    done,
    others: await findOthers(db, action.id, { outcome: wanted === 'undone' ? 'kept' : 'skipped', limit: MOST_NAMES }),
    undoUntil: done ? findUndoEnd(action, now) : undefined,
  })
}

async function showAction(request: PageRequest<{ id: number }>, refused?: Refused): Promise<PageBody> {
  const { words } = request.context
  const action = await requireAction(request)
  const breadcrumb = manageCrumbs(
    words,
    { href: PEOPLE, label: words.t('people.title') },
    { href: SELECT, label: words.t('people_actions.title') },
  )
  if (action.state === 'open')
    return { title: questionOf(words, action), breadcrumb, main: await showQuestion(request, action, refused) }
  const title = headingOf(words, action)
  if (action.state === 'waiting' || action.state === 'undo_waiting')
    return {
      title,
      breadcrumb,
      main: actionProgressView({ words, action }),
      head: html`<meta http-equiv="refresh" content="${REFRESH_SECONDS}">`,
      headers: { 'cache-control': 'no-store' },
    }
  return { title, breadcrumb, main: await showResult(request, action) }
}

const FIELD_OF: Record<StartRefusal, string | undefined> = {
  not_open: undefined,
  no_mail: undefined,
  group_missing: 'group',
  group_locked: 'group',
  qualification_missing: 'qualification',
}

const performPage: Page = formPage({
  path: `${ACTIONS}{id}/`,
  requires: 'recentSignInForSome',
  access: permission('change_user'),
  form: detailsForm.schema,
  show: showAction,
  submit: async (request, details) => {
    const { id } = await requireAction(request)
    const { words } = request.context
    const started = await startAction(request.commandContext, id, details)
    if (started.ok) return { redirect: actionPath(id) }
    const text = words.t(`people_actions.${started.reason}`)
    if (started.reason === 'not_open') return { redirect: actionPath(id), flash: { kind: 'info', text } }
    return { refused: [{ field: FIELD_OF[started.reason], text }] }
  },
})

const undoPage: Page = actionPage({
  path: `${ACTIONS}{id}/undo/`,
  access: permission('change_user'),
  form: emptyForm,
  submit: async (request) => {
    const { id } = await requireAction(request)
    if (await startUndo(request.commandContext, id)) return { redirect: actionPath(id) }
    const text = request.context.words.t('people_actions.undo_late')
    return { redirect: actionPath(id), flash: { kind: 'bad', text } }
  },
})

export const actionPages: Page[] = [performPage, undoPage]
