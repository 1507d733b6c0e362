import { getSettings } from '#features/operations/settings/queries.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import type { HomeLink } from '#platform/features/home.ts'
import { signedIn } from '#platform/http/access.ts'
import { actionPage, type Page, type Redirect, type UserRequest, viewPage } from '#platform/http/page.ts'
import { Problem, requireFound } from '#platform/http/problem.ts'
import type { Words } from '#platform/i18n/words.ts'
import { manageCrumbs } from '#platform/ui/manage.ts'
import type { RequestKind } from './access.ts'
import { decideRequest } from './commands.ts'
import { requestKinds } from './points.ts'
import { findDecidedRequests, findRequestsToDecide, type RequestRow } from './queries.ts'
import { decisionForm, requestSettings } from './schema.ts'
import { REQUESTS, requestsView } from './views.ts'

const PAGE_SIZE = 50
const MOST_WAITING = 200

/** The queries return requests of these kinds only. */
const present = (words: Words, kinds: readonly RequestKind[], rows: readonly RequestRow[]) =>
  rows.map((row) => {
    const { icon, describe } = kinds.find(({ name }) => name === row.kind)!
    return { ...row, icon, ...describe(words, row) }
  })

const needsFourEyes = async ({ db }: Pick<RequestContext, 'db'>): Promise<boolean> =>
  (await getSettings(db, requestSettings)).four_eyes_requests

const listPage = viewPage({
  path: REQUESTS,
  access: signedIn,
  show: async ({ context, query, csrfToken }) => {
    const { words, now, db, site } = context
    const actor = context.actor
    const kinds = site.added(requestKinds)
    const decides = await Promise.all(kinds.map(({ isDecider }) => isDecider?.(context)))
    if (!decides.includes(true)) throw new Problem('permission_denied')
    const tab = query.get('tab') === 'decided' ? 'decided' : 'waiting'
    const page = /^[1-9]\d{0,5}$/.test(query.get('page') ?? '') ? Number(query.get('page')) : 1
    const selection = { kinds, actor }
    const [waiting, decided] = await Promise.all([
      findRequestsToDecide(db, selection, MOST_WAITING),
      tab === 'decided'
        ? findDecidedRequests(db, selection, { limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE })
        : { count: 0, rows: [] },
    ])
    const main = requestsView({
      words,
      now,
      csrfToken,
      tab,
      requests: present(words, kinds, tab === 'decided' ? decided.rows : waiting.rows),
      waiting: waiting.count,
      page,
      pageSize: PAGE_SIZE,
      total: decided.count,
    })
    return { title: words.t('requests.title'), breadcrumb: manageCrumbs(words), main }
  },
})

const decisionPage = actionPage({
  path: `${REQUESTS}{id}/`,
  access: signedIn,
  form: decisionForm,
  submit: async ({ context, commandContext, path }, { decision, comment }): Promise<Redirect> => {
    const { words } = context
    const input = { id: path.id, decision, comment, needsFourEyes: await needsFourEyes(context) }
    const outcome = requireFound(await decideRequest(commandContext, input))
    const redirect = REQUESTS
    if (!outcome.ok) return { redirect, flash: { kind: 'bad', text: words.t(`requests.not_decided_${outcome.reason}`) } }
    const kind = outcome.state === 'failed' ? 'bad' : 'good'
    return { redirect, flash: { kind, text: words.t(`requests.now_${outcome.state as 'granted' | 'refused' | 'failed'}`) } }
  },
})

export const requestPages: Page[] = [listPage, decisionPage]

/** Undefined if nothing waits for the reader's decision. */
export async function requestsLink({ context }: UserRequest): Promise<HomeLink | undefined> {
  const { words, db, site, actor } = context
  const { count } = await findRequestsToDecide(db, { kinds: site.added(requestKinds), actor }, 1)
  return count ? { href: REQUESTS, label: words.t('requests.to_decide'), icon: 'inbox', count } : undefined
}
