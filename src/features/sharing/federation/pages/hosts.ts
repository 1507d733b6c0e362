import { staff } from '#platform/http/access.ts'
import { actionPage, formPage, type Page, type PageBody, type PageRequest, type Redirect, viewPage } from '#platform/http/page.ts'
import { Problem, requireFound } from '#platform/http/problem.ts'
import type { Words } from '#platform/i18n/words.ts'
import { confirmView } from '#platform/ui/confirm.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { endHost, pauseHost } from '../commands/hosts.ts'
import { type SyncOutcome, syncHost } from '../commands/sync-host.ts'
import { getHostLink, type HostLink } from '../queries/links.ts'
import { endForm } from '../schema.ts'
import { failureText } from '../views/failures.ts'
import { FEDERATION, hostPath } from '../views/links.ts'
import { hostView } from '../views/partners.ts'
import { crumbs, head, type PartnerAccess, redirectWithFlash } from './federation-page.ts'

async function requireHost({ context, path }: PageRequest<{ id: number }>): Promise<HostLink> {
  return requireFound(await getHostLink(context.db, path.id))
}

const showPage = viewPage({
  path: `${FEDERATION}hosts/{id}/`,
  access: staff,
  show: async (request) => {
    const host = await requireHost(request)
    const { words, now } = request.context
    const main = hostView({ words, now, csrfToken: request.csrfToken, host })
    return { title: host.name, head: head(), breadcrumb: crumbs(words), main }
  },
})

function syncedText(words: Words, name: string, { outcome, events = 0, why = '' }: SyncOutcome): string {
  switch (outcome) {
    case 'copied':
      return words.t('federation.synced_copied', { name, count: events })
    case 'failed':
      return words.t('federation.synced_failed', { name, why: failureText(words, why) })
    case 'ended':
      return words.t('federation.synced_ended', { name })
    default:
      return words.t('federation.synced_unchanged', { name })
  }
}

const syncPage = ({ outbound, clock }: PartnerAccess): Page =>
  actionPage({
    path: `${FEDERATION}hosts/{id}/sync/`,
    access: staff,
    form: emptyForm,
    submit: async (request) => {
      const { id, name } = await requireHost(request)
      const synced = await syncHost(request.commandContext, { outbound, clock }, id)
      if (synced.outcome === 'unknown_host') throw new Problem('not_found')
      const isGood = synced.outcome === 'copied' || synced.outcome === 'unchanged'
      return redirectWithFlash(hostPath(id), isGood ? 'good' : 'bad', syncedText(request.context.words, name, synced))
    },
  })

const pausePage = (what: 'pause' | 'resume'): Page =>
  actionPage({
    path: `${FEDERATION}hosts/{id}/${what}/`,
    access: staff,
    form: emptyForm,
    submit: async (request) => {
      const { id, name } = await requireHost(request)
      await pauseHost(request.commandContext, id, what === 'pause')
      const text = request.context.words.t(what === 'pause' ? 'federation.paused' : 'federation.resumed', { name })
      return redirectWithFlash(hostPath(id), 'good', text)
    },
  })

function endBody({ context: { words }, csrfToken }: PageRequest, host: HostLink): PageBody {
  const { id, name, events, externalSignups } = host
  const title = words.t('federation.end_title', { name })
  const main = confirmView({
    words,
    title,
    csrfToken,
    action: hostPath(id, 'end'),
    submit: words.t('federation.end'),
    cancel: { href: hostPath(id) },
    consequences: [
      words.t('federation.end_host_copies', { count: events }),
      ...(externalSignups > 0 ? [words.t('federation.end_host_people', { count: externalSignups })] : []),
      words.t('federation.end_host_told', { name }),
      words.t('federation.end_host_again'),
    ],
  })
  return { title, head: head(), breadcrumb: crumbs(words, { href: hostPath(id), label: name }), main }
}

/** The host did not respond: asks whether to end the link on our side only. */
function unreachableBody({ context: { words }, csrfToken }: PageRequest, { id, name, events }: HostLink, why: string): PageBody {
  const title = words.t('federation.end_title', { name })
  const main = confirmView({
    words,
    title,
    csrfToken,
    action: hostPath(id, 'end'),
    submit: words.t('federation.end_anyway'),
    text: words.t('federation.end_silent', { name, why: failureText(words, why) }),
    consequences: [
      words.t('federation.end_host_copies', { count: events }),
      words.t('federation.end_anyway_1'),
      words.t('federation.end_anyway_2'),
    ],
    fields: { anyway: '1' },
    cancel: { href: hostPath(id), label: words.t('federation.end_later') },
  })
  return { title, head: head(), breadcrumb: crumbs(words, { href: hostPath(id), label: name }), main, status: 409 }
}

const endPage = ({ outbound }: PartnerAccess): Page =>
  formPage({
    path: `${FEDERATION}hosts/{id}/end/`,
    access: staff,
    form: endForm,
    show: async (request) => endBody(request, await requireHost(request)),
    submit: async (request, { anyway }): Promise<PageBody | Redirect> => {
      const host = await requireHost(request)
      const left = await endHost(request.commandContext, outbound, host.id, { evenIfUnreachable: anyway !== undefined })
      if (!left.ok && left.reason === 'host_silent') return unreachableBody(request, host, left.why)
      return redirectWithFlash(FEDERATION, 'good', request.context.words.t('federation.left', { name: host.name }))
    },
  })

export const hostPages = (partnerAccess: PartnerAccess): Page[] => [
  showPage,
  syncPage(partnerAccess),
  pausePage('pause'),
  pausePage('resume'),
  endPage(partnerAccess),
]
