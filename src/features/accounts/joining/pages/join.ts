import { sessionCookie } from '#features/access/sign-in/commands/sessions.ts'
import { checkPasswordRules } from '#features/access/sign-in/rules/passwords.ts'
import { administratorErrors } from '#features/access/sign-in/views/sign-in.ts'
import { dayOf } from '#features/accounts/users/rules.ts'
import { getSettings } from '#features/operations/settings/queries.ts'
import { accountSettings } from '#features/operations/settings/schema/settings.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { open } from '#platform/http/access.ts'
import { mailRefusalText } from '#platform/http/mail-limits.ts'
import { formPage, type Page, type PageBody, type PageRequest, type PageResponse, type Refused } from '#platform/http/page.ts'
import { requireFound } from '#platform/http/problem.ts'
import { addressKey, type RateLimiter } from '#platform/http/rate-limiter.ts'
import type { FormError } from '#platform/ui/form.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { EMPTY_STATE } from '#platform/ui/form-values.ts'
import { joinGroup } from '../commands/joining.ts'
import { confirmRegistration, register, type Way } from '../commands/registrations.ts'
import {
  getLinkById,
  getLinkByToken,
  getRegistrationByToken,
  hasOpenRequest,
  isMember,
  type JoinLink,
  type Registration,
} from '../queries.ts'
import { type LinkEnd, whyClosed } from '../rules.ts'
import { confirmationForm, type RegistrationForm, registrationForm } from '../schema.ts'
import {
  closedView,
  confirmationView,
  confirmedView,
  endedView,
  memberJoinView,
  REGISTER,
  registeredView,
  registrationView,
  SIGN_IN,
} from '../views/join.ts'
import { joinPath } from '../views/links.ts'

type JoinOptions = {
  /** Whether mails reach people; without, addresses are not confirmed. */
  hasMail: boolean
  /** Registrations by network address, and of the whole instance. */
  perAddress: RateLimiter
  overall: RateLimiter
  /** Passwords tried for one confirmation link. */
  guesses: RateLimiter
}

const SECRET_HEADERS = { 'cache-control': 'no-store' }

const closedPage = ({ context: { words } }: PageRequest, reason: LinkEnd | 'unknown'): PageBody => ({
  title: words.t('joining.closed_title'),
  bare: true,
  status: reason === 'unknown' ? 404 : 403,
  main: closedView(words, reason),
})

function showForm(request: PageRequest, way: Way, action: string, refused: Refused | undefined): PageBody {
  const { words, now, site } = request.context
  const groupName = way.link?.groupName
  return {
    title: groupName === undefined ? words.t('joining.register_title') : words.t('joining.join_title', { group: groupName }),
    bare: true,
    headers: SECRET_HEADERS,
    main: registrationView({
      words,
      csrfToken: request.csrfToken,
      action,
      state: refused ?? EMPTY_STATE,
      groupName,
      needsApproval: way.needsApproval,
      today: dayOf(now, site.timeZone),
      signIn: way.link ? `${SIGN_IN}?next=${encodeURIComponent(action)}` : SIGN_IN,
    }),
  }
}

type Refusal = { refused: FormError[]; status?: number }

async function submitForm(
  request: PageRequest,
  { hasMail, perAddress, overall }: JoinOptions,
  form: RegistrationForm,
  way: Way,
): Promise<PageResponse | Refusal> {
  const { words, now, site } = request.context
  if (form.password !== form.password_again)
    return { refused: [{ field: 'password_again', text: words.t('sign_in.password_differs') }] }
  const weakness = checkPasswordRules(form.password, form)
  if (weakness) return { refused: administratorErrors([weakness], words) }
  if (form.date_of_birth > dayOf(now, site.timeZone))
    return { refused: [{ field: 'date_of_birth', text: words.t('joining.birth_future') }] }
  // Counted before the work, so that many requests at once cannot pass together.
  const limits = [await perAddress.takeShared(addressKey(request.browser.ip)), await overall.takeShared('all')]
  const late = limits.find(({ allowed }) => !allowed)
  if (late) return { refused: [{ text: words.t('joining.too_many_requests', { count: late.resetSeconds }) }], status: 429 }
  const entered = { ...form, language: words.language }
  const outcome = await register(request.commandContext, { entered, way }, { hasMail })
  if (!outcome.ok) {
    if (outcome.reason === 'link_closed') return closedPage(request, 'used_up')
    if (outcome.reason === 'mails') return { refused: [{ text: mailRefusalText(words, now, outcome.refusal) }], status: 429 }
    return { refused: [{ text: words.t('joining.too_many') }], status: 503 }
  }
  const { needsApproval } = way
  const title = words.t(hasMail ? 'joining.sent_title' : needsApproval ? 'joining.asked_title' : 'joining.made_title')
  return { title, bare: true, main: registeredView({ words, email: form.email, hasMail, needsApproval }) }
}

const wayOfLink = (link: JoinLink): Way => ({ link, needsApproval: link.needsApproval })

/** For people without an account. Those who are signed in get a page with one button instead. */
const joinPage = (options: JoinOptions): Page =>
  formPage({
    path: '/join/{token}/',
    access: open('people who join have no account; the token in the link is the secret'),
    form: registrationForm.schema,
    show: async (request, refused) => {
      const { context, path, csrfToken } = request
      const { words, db, now, actor } = context
      const link = await getLinkByToken(db, path.token)
      if (!link) return closedPage(request, 'unknown')
      const isSignedIn = actor.kind === 'user'
      const state =
        isSignedIn && (await isMember(db, link.groupId, actor.userId))
          ? 'member'
          : isSignedIn && (await hasOpenRequest(db, link.groupId, actor.userId))
            ? 'waiting'
            : 'open'
      const closed = whyClosed(link, now)
      if (closed && state === 'open') return closedPage(request, closed)
      if (!isSignedIn) return showForm(request, wayOfLink(link), joinPath(path.token), refused)
      const main = memberJoinView({
        words,
        csrfToken,
        action: `${joinPath(path.token)}member/`,
        groupName: link.groupName,
        needsApproval: link.needsApproval,
        name: actor.displayName,
        state,
      })
      return { title: words.t('joining.join_title', { group: link.groupName }), bare: true, headers: SECRET_HEADERS, main }
    },
    submit: async (request, form) => {
      const { db, now, actor } = request.context
      if (actor.kind === 'user') return { redirect: joinPath(request.path.token) }
      const link = await getLinkByToken(db, request.path.token)
      const closed = link ? whyClosed(link, now) : 'unknown'
      if (!link || closed) return closedPage(request, closed ?? 'unknown')
      return submitForm(request, options, form, wayOfLink(link))
    },
  })

const memberPage: Page = formPage({
  path: '/join/{token}/member/',
  access: open('the page decides: people who are not signed in are sent to the form'),
  form: emptyForm,
  show: async ({ path }) => ({ redirect: joinPath(path.token) }),
  submit: async (request) => {
    const { words, actor } = request.context
    if (actor.kind !== 'user') return { redirect: joinPath(request.path.token) }
    const outcome = await joinGroup(request.commandContext, request.path.token)
    if (!outcome.ok) return closedPage(request, outcome.reason)
    const isDone = outcome.state === 'joined' || outcome.state === 'member'
    const text = words.t(isDone ? 'joining.now_member' : 'joining.now_asked')
    return { redirect: '/', flash: { kind: isDone ? 'good' : 'info', text } }
  },
})

/** Undefined: people cannot register themselves. */
async function registrationWay(db: CommandContext['db']): Promise<Way | undefined> {
  const { self_registration: mode } = await getSettings(db, accountSettings)
  return mode === 'off' ? undefined : { link: undefined, needsApproval: mode !== 'open' }
}

const registerPage = (options: JoinOptions): Page =>
  formPage({
    path: REGISTER,
    access: open('people who register have no account'),
    form: registrationForm.schema,
    show: async (request, refused) => {
      const way = requireFound(await registrationWay(request.context.db))
      if (request.context.actor.kind === 'user') return { redirect: '/' }
      return showForm(request, way, REGISTER, refused)
    },
    submit: async (request, form) => {
      const way = requireFound(await registrationWay(request.context.db))
      return submitForm(request, options, form, way)
    },
  })

/** The link may have ended or the setting may have changed since the form was filled in. */
const wayOf =
  ({ context }: PageRequest) =>
  async ({ linkId }: Registration): Promise<Way | undefined> => {
    if (linkId === null) return registrationWay(context.db)
    const link = await getLinkById(context.db, linkId)
    return link && whyClosed(link, context.now) === undefined ? wayOfLink(link) : undefined
  }

const confirmPage = ({ guesses }: JoinOptions): Page =>
  formPage({
    path: '/join/confirm/{token}/',
    access: open('the secret in the address is the permission, together with the password of the form'),
    form: confirmationForm.schema,
    show: async (request, refused) => {
      const { words, db, now } = request.context
      const registration = await getRegistrationByToken(db, request.path.token, now)
      if (!registration) return ended(request, 'invalid')
      const { email, name } = registration
      const state = refused ?? EMPTY_STATE
      const main = confirmationView({ words, csrfToken: request.csrfToken, action: request.url, state, email, name })
      return { title: words.t('joining.confirm_title'), bare: true, headers: SECRET_HEADERS, main }
    },
    submit: async (request, { password }) => {
      const { words } = request.context
      const { token } = request.path
      const { allowed, resetSeconds } = await guesses.takeShared(token)
      if (!allowed) return { refused: [{ text: words.t('joining.too_many_requests', { count: resetSeconds }) }], status: 429 }
      const { device, userAgent } = request.browser
      const input = { token, password, device, userAgent, wayOf: wayOf(request) }
      const outcome = await confirmRegistration(request.commandContext, input)
      if (!outcome.ok) {
        if (outcome.reason === 'wrong') return { refused: [{ field: 'password', text: words.t('joining.password_wrong') }] }
        return ended(request, outcome.reason)
      }
      if (outcome.isPending) return { title: words.t('joining.asked_title'), bare: true, main: confirmedView(words) }
      const session = sessionCookie(outcome)
      return { redirect: '/', session, flash: { kind: 'good', text: words.t('joining.welcome') } }
    },
  })

const ended = ({ context: { words } }: PageRequest, reason: 'invalid' | 'link_closed' | 'exists'): PageBody => ({
  title: words.t('joining.ended_title'),
  bare: true,
  status: reason === 'invalid' ? 404 : 403,
  main: endedView(words, reason),
})

export const joinPages = (options: JoinOptions): Page[] => [
  confirmPage(options),
  joinPage(options),
  memberPage,
  registerPage(options),
]
