import { staff } from '#platform/http/access.ts'
import { formPage, type Page, type PageBody, type PageRequest, type Redirect, viewPage } from '#platform/http/page.ts'
import type { Words } from '#platform/i18n/words.ts'
import type { FormError } from '#platform/ui/form.ts'
import { type JoinOutcome, joinHost } from '../commands/hosts.ts'
import { syncHost } from '../commands/sync-host.ts'
import { checkInvitation } from '../queries/links.ts'
import { joinForm } from '../schema.ts'
import { failureText } from '../views/failures.ts'
import { joinFormView, joinPreviewView } from '../views/invitations.ts'
import { hostOf, hostPath, JOIN } from '../views/links.ts'
import { crumbs, head, type PartnerAccess, redirectWithFlash } from './federation-page.ts'

type Refusal = Exclude<JoinOutcome, { ok: true }>

function refusalText(words: Words, refusal: Refusal, ownUrl: string): string {
  if (refusal.reason === 'for_another') return words.t('federation.bad_for_another', { url: ownUrl })
  if ('why' in refusal) return words.t(`federation.bad_${refusal.reason}`, { why: failureText(words, refusal.why) })
  return words.t(`federation.bad_${refusal.reason}`)
}

function formBody({ context: { words }, csrfToken }: PageRequest, code: string, errors: readonly FormError[]): PageBody {
  const main = joinFormView({ words, csrfToken, state: { values: { code }, errors } })
  return { title: words.t('federation.join'), head: head(), breadcrumb: crumbs(words), main }
}

/** The page contains the code, so it must not be cached. */
async function lookBody(request: PageRequest, code: string, errors: readonly FormError[] = []): Promise<PageBody> {
  const { words, site, db } = request.context
  const looked = await checkInvitation(db, site, code)
  if (!looked.ok)
    return { ...formBody(request, code, [{ field: 'code', text: refusalText(words, looked, site.url) }]), status: 422 }
  const { hostUrl, wasLinked } = looked
  return {
    title: words.t('federation.preview_title', { host: hostOf(hostUrl) }),
    head: head(),
    breadcrumb: crumbs(words),
    headers: { 'cache-control': 'no-store' },
    main: joinPreviewView({
      words,
      csrfToken: request.csrfToken,
      errors,
      code,
      hostUrl,
      ownUrl: site.url,
      wasLinked,
    }),
  }
}

const joinPage = ({ outbound, clock }: PartnerAccess): Page =>
  formPage({
    path: JOIN,
    access: staff,
    form: joinForm.schema,
    show: async (request, refused) => {
      const { words } = request.context
      if (refused) return formBody(request, '', [{ field: 'code', text: words.t('federation.code_missing') }])
      const code = request.query.get('code') ?? ''
      return code ? lookBody(request, code) : formBody(request, '', [])
    },
    submit: async (request, { code, step }): Promise<PageBody | Redirect> => {
      const { words, site } = request.context
      if (step === 'look') return lookBody(request, code)
      const joined = await joinHost(request.commandContext, outbound, code)
      if (!joined.ok) {
        const text = refusalText(words, joined, site.url)
        return { ...(await lookBody(request, code, [{ text }])), status: 422 }
      }
      // Shows events immediately; the job retries failures.
      await syncHost({ ...request.commandContext, now: clock.now() }, { outbound, clock }, joined.hostId)
      return redirectWithFlash(hostPath(joined.hostId), 'good', words.t('federation.joined', { name: joined.name }))
    },
  })

/** The path that invitations of all instances use. */
const addPage = viewPage({
  path: '/settings/federation/hosts/add/',
  access: staff,
  show: async ({ query }) => {
    const code = query.get('code')
    return { redirect: code ? `${JOIN}?${new URLSearchParams({ code })}` : JOIN }
  },
})

export const joinPages = (partnerAccess: PartnerAccess): Page[] => [joinPage(partnerAccess), addPage]
