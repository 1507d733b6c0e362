import type { FastifyRequest } from 'fastify'
import { hasRecentProof } from '#platform/auth/actor.ts'
import { discardFiles } from '#platform/files/upload.ts'
import type { FormValues } from '#platform/ui/form-values.ts'
import { readForm } from './body.ts'
import { csrfTokenMatches, isSameOrigin } from './csrf.ts'
import { formErrors } from './form-errors.ts'
import type { ActionPage, FormPage, PageRequest, PageResponse, Refused } from './page.ts'
import { identityOf } from './page-caller.ts'
import type { PageHttpContext } from './page-context.ts'
import type { Turn } from './page-queue.ts'
import { requestedPart } from './parts.ts'
import { Problem } from './problem.ts'
import { prepareFiles, readUploads } from './uploads.ts'

export const CONFIRM = '/accounts/confirm/'

// biome-ignore lint/suspicious/noExplicitAny: the handler does not look into forms and paths
type AnyForm = FormPage<any, any> | ActionPage<any, any>

export async function submit(
  http: PageHttpContext,
  page: AnyForm,
  pageRequest: PageRequest,
  request: FastifyRequest,
  takeTurn: () => Turn | undefined,
): Promise<PageResponse> {
  // `show` redirects visitors to their own instance and explains links of guests that do not work, as for GET.
  const isUnknown = identityOf(page) !== 'session' && pageRequest.context.actor.kind === 'anonymous'
  if (page.kind === 'form' && isUnknown) return page.show(pageRequest)
  const needsCsrfToken = page.kind === 'action' || page.isAuthorizedByUrl !== true
  if (needsCsrfToken && !isSameOrigin(request.headers, pageRequest.origin)) throw new Problem('csrf_failed')
  if (page.kind === 'form') await page.authorizeUpload?.(pageRequest)
  const { values: sent, files: sentFiles } = await readSubmitted(http, page, request)
  const { csrf_token: token, ...values } = sent
  const unprepared = Object.values(sentFiles).flat()
  if (needsCsrfToken && !csrfTokenMatches(pageRequest.csrfToken, token)) {
    await discardFiles(http.files, unprepared)
    throw new Problem('csrf_failed')
  }
  const isProtected = page.requires === 'recentSignIn' || page.requires === 'recentSignInToSubmit'
  if (isProtected && !hasRecentProof(pageRequest.context.actor, pageRequest.context.now)) {
    await discardFiles(http.files, unprepared)
    return askAgain(http, page, pageRequest, { request, values, hasFiles: unprepared.length > 0 })
  }
  const files = page.kind === 'form' && page.uploads ? await prepareFiles(http.files, sentFiles, page.uploads) : {}
  const received = Object.values(files).flat()
  const parsed = page.form.safeParse({ ...values, ...files })
  const showAgain = async (refused: Refused): Promise<PageResponse> => {
    await discardFiles(http.files, received)
    if (page.kind === 'action') throw new Problem('invalid_input', { detail: refused.errors.map(({ text }) => text).join(' ') })
    const shown = await page.show(pageRequest, refused)
    return 'main' in shown ? { ...shown, status: refused.status ?? 422 } : shown
  }
  const decide = async (): Promise<PageResponse> => {
    if (!parsed.success) return showAgain({ values, errors: formErrors(parsed.error, pageRequest.context.words) })
    const outcome = await submitOrAskAgain(page, pageRequest, parsed.data)
    if ('needsRecentSignIn' in outcome)
      return askAgain(http, page, pageRequest, { request, values, hasFiles: received.length > 0 })
    if (!('refused' in outcome)) return outcome
    return showAgain({ values, errors: outcome.refused, ...(outcome.status ? { status: outcome.status } : {}) })
  }
  const turn = takeTurn()
  await turn?.begun
  try {
    return await decide()
  } finally {
    turn?.end()
  }
}

type Outcome = Awaited<ReturnType<AnyForm['submit']>>

/** A command can need a recent proof although the page does not, or only for some of what was submitted. */
async function submitOrAskAgain(page: AnyForm, pageRequest: PageRequest, input: unknown): Promise<Outcome> {
  try {
    return await page.submit(pageRequest, input)
  } catch (error) {
    if (error instanceof Problem && error.code === 'recent_sign_in_required') return { needsRecentSignIn: true }
    throw error
  }
}

const MAX_KEPT_LENGTH = 50_000
/** Secrets that people type are not sent back to the browser. */
const SECRET_FIELD = /password|secret|token|current/i

type Submitted = { request: FastifyRequest; values: FormValues; hasFiles: boolean }

/** Nothing is done before the person has shown again who they are. What they typed is kept in the page that asks, sealed. */
async function askAgain(
  http: PageHttpContext,
  page: AnyForm,
  pageRequest: PageRequest,
  submitted: Submitted,
): Promise<PageResponse> {
  const { request, values, hasFiles } = submitted
  const { url, browser, context } = pageRequest
  const text = JSON.stringify({
    kind: 'resume',
    url,
    values,
    session: browser.sessionHash?.toString('hex'),
    at: context.now.getTime(),
  })
  const leavesSite = page.kind === 'form' && page.leavesSite === true
  const isKept =
    !leavesSite && !hasFiles && text.length <= MAX_KEPT_LENGTH && !Object.keys(values).some((name) => SECRET_FIELD.test(name))
  if (isKept && http.loadConfirmation && !requestedPart(request)) {
    const body = await http.loadConfirmation(pageRequest, http.site.keyring.seal(text))
    return { ...body, status: 403 }
  }
  const referer = URL.parse(String(request.headers.referer))
  const open = requestedPart(request) ? URL.parse(String(request.headers['hx-current-url'])) : referer
  const own = open && open.origin === pageRequest.origin ? open.pathname + open.search : '/'
  return { redirect: `${CONFIRM}?next=${encodeURIComponent(page.kind === 'form' ? url : own)}` }
}

/** The values of a form and its files, which only forms with `uploads` have. */
async function readSubmitted(http: PageHttpContext, page: AnyForm, request: FastifyRequest) {
  if (page.kind === 'form' && page.uploads) return readUploads(request, http.files, page.uploads)
  return {
    values: await readForm(request, page.kind === 'form' ? { files: page.files, maxBytes: page.maxFormBytes } : {}),
    files: {},
  }
}
