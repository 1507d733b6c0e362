import { settingsCrumbs } from '#features/accounts/users/views/settings.ts'
import { getOrganizationName } from '#features/operations/settings/queries.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { signedIn } from '#platform/http/access.ts'
import { nextPath } from '#platform/http/next-path.ts'
import { actionPage, formPage, type Page, type PageBody, type PageRequest, type Redirect, viewPage } from '#platform/http/page.ts'
import { Problem, requireFound } from '#platform/http/problem.ts'
import type { Words } from '#platform/i18n/words.ts'
import { assetUrl } from '#platform/ui/assets.ts'
import { confirmView } from '#platform/ui/confirm.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { EMPTY_STATE } from '#platform/ui/form-values.ts'
import { requireOwner } from '../access.ts'
import { type FactorRemoval, forgetOwnDevices } from '../commands/factors.ts'
import { lacksOwnProof } from '../commands/own-proof.ts'
import { addPasskey, makeNewPasskeyOptions, type PasskeyOptions, removePasskey, renamePasskey } from '../commands/passkeys.ts'
import { renewRecoveryCodes } from '../commands/recovery-codes.ts'
import { confirmTotp, continueTotpSetup, removeTotp, startTotpSetup } from '../commands/totp.ts'
import { getFactors, hasFactor, isRequired, type Passkey } from '../queries.ts'
import { relyingPartyOf } from '../rules.ts'
import { codesFileForm, passkeyForm, passkeyNameForm, totpForm } from '../schema.ts'
import { APP, PASSKEYS, passkeyPath, RECOVERY, REQUIRED, SECURITY, TRUSTED } from '../views/section.ts'
import { addPasskeyView, appView, codesView, renamePasskeyView, requiredView } from '../views/set-up.ts'

const crumbs = (words: Words) => settingsCrumbs(words, 'security')
const NO_STORE = { 'cache-control': 'no-store' }

const siteNameOf = async ({ db, site }: RequestContext): Promise<string> =>
  (await getOrganizationName(db)) ?? new URL(site.url).host

const redirectToSecurity = (text: string, kind: 'good' | 'bad' = 'good'): Redirect => ({
  redirect: SECURITY,
  flash: { kind, text },
})

/** Where the person shows a factor or the password, and comes back here. */
const askForOwnProof = (url: string): Redirect => ({ redirect: `/accounts/confirm/?own=true&next=${encodeURIComponent(url)}` })

/** Before a page that changes factors is shown; its command checks again. */
const needsOwnProof = ({ context }: PageRequest): Promise<boolean> => lacksOwnProof(context.db, context)

/** The response to the form shows the codes. After a redirect they could not be shown, because only their hashes are stored. */
function showCodes({ context, query, csrfToken }: PageRequest, codes: string[]): PageBody {
  const { words } = context
  const next = query.has('next') ? nextPath(query.get('next')) : SECURITY
  return {
    title: words.t('factor.codes_title'),
    breadcrumb: crumbs(words),
    headers: NO_STORE,
    scripts: [assetUrl('roster.js')],
    main: codesView({ words, csrfToken, codes, next }),
  }
}

/** After a new factor. */
const showAdded = async (request: PageRequest, codes: string[] | undefined, text: string): Promise<PageBody | Redirect> => {
  if (codes) return { ...showCodes(request, codes), flash: { kind: 'good', text } }
  const { query } = request
  return { redirect: query.has('next') ? nextPath(query.get('next')) : SECURITY, flash: { kind: 'good', text } }
}

/** Where people are led who lack a required factor. */
const requiredPage = viewPage({
  path: REQUIRED,
  access: signedIn,
  isForFactorSetup: true,
  show: async ({ context, csrfToken, query }) => {
    const { words, actor, site } = context
    const dueAt = actor.via.kind === 'session' ? actor.via.factorDueAt : undefined
    if (!dueAt) return { redirect: SECURITY }
    const hasPasskeys = relyingPartyOf(site.url) !== undefined
    const main = requiredView({ words, csrfToken, next: nextPath(query.get('next')), hasPasskeys })
    return { title: words.t('factor.required_title'), bare: true, headers: NO_STORE, main }
  },
})

const appPage = formPage({
  path: APP,
  isForFactorSetup: true,
  access: signedIn,
  requires: 'recentSignIn',
  form: totpForm.schema,
  show: async (request, refused) => {
    if (await needsOwnProof(request)) return askForOwnProof(request.url)
    const { context, csrfToken, url } = request
    const { words, db, now } = context
    const userId = requireOwner(context)
    const { actor } = context
    const labels = { issuer: await siteNameOf(context), account: actor.email }
    const sealed = refused?.values.setup
    const setup = (typeof sealed === 'string' && continueTotpSetup(context, sealed, labels)) || startTotpSetup(context, labels)
    const { app } = await getFactors(db, userId, now)
    const state = refused ?? EMPTY_STATE
    const main = appView({ words, csrfToken, action: url, state, setup, isReplaced: app !== undefined })
    return { title: words.t('factor.app_title'), breadcrumb: crumbs(words), headers: NO_STORE, main }
  },
  submit: async (request, input) => {
    const { words } = request.context
    const outcome = await confirmTotp(request.commandContext, input)
    if (outcome.ok) return showAdded(request, outcome.recoveryCodes, words.t('factor.app_done'))
    if (outcome.reason === 'proof') return askForOwnProof(request.url)
    return {
      refused: [{ field: 'code', text: words.t(outcome.reason === 'expired' ? 'factor.app_expired' : 'factor.code_wrong') }],
    }
  },
})

function afterRemoval(words: Words, outcome: FactorRemoval, url: string): Redirect {
  if (outcome.ok) return redirectToSecurity(words.t('factor.removed'))
  if (outcome.reason === 'proof') return askForOwnProof(url)
  return redirectToSecurity(words.t(outcome.reason === 'required' ? 'factor.remove_required' : 'factor.remove_gone'), 'bad')
}

type Removal = { title: string; action: string; isLast: boolean }

async function removalBody(request: PageRequest, { title, action, isLast }: Removal): Promise<PageBody | Redirect> {
  const { context, csrfToken } = request
  const { words, db } = context
  if (await needsOwnProof(request)) return askForOwnProof(request.url)
  if (isLast && (await isRequired(db, requireOwner(context)))) return redirectToSecurity(words.t('factor.remove_required'), 'bad')
  const main = confirmView({
    words,
    title,
    consequences: isLast
      ? [words.t('factor.remove_last'), words.t('factor.remove_codes')]
      : [words.t('factor.remove_one'), words.t('factor.remove_others')],
    action,
    csrfToken,
    submit: words.t('factor.remove'),
    cancel: { href: SECURITY },
  })
  return { title, breadcrumb: crumbs(words), main }
}

const removeAppPage = formPage({
  path: `${APP}remove/`,
  access: signedIn,
  requires: 'recentSignIn',
  form: emptyForm,
  show: async (request) => {
    const { words, db, now } = request.context
    const { app, passkeys } = await getFactors(db, requireOwner(request.context), now)
    if (!app) return redirectToSecurity(words.t('factor.remove_gone'), 'bad')
    return removalBody(request, { title: words.t('factor.app_remove'), action: `${APP}remove/`, isLast: !passkeys.length })
  },
  submit: async ({ context: { words }, commandContext, url }) => afterRemoval(words, await removeTotp(commandContext), url),
})

const recoveryPage = formPage({
  path: RECOVERY,
  access: signedIn,
  requires: 'recentSignIn',
  form: emptyForm,
  show: async (request) => {
    const { context, csrfToken } = request
    const { words, db, now } = context
    const { app, passkeys, recoveryCodes } = await getFactors(db, requireOwner(context), now)
    if (!app && !passkeys.length) return redirectToSecurity(words.t('factor.codes_need_factor'), 'bad')
    if (await needsOwnProof(request)) return askForOwnProof(request.url)
    const title = words.t('factor.codes_renew_title')
    const main = confirmView({
      words,
      title,
      consequences: [words.t('factor.codes_renew_old', { count: recoveryCodes }), words.t('factor.codes_renew_new')],
      action: RECOVERY,
      csrfToken,
      submit: words.t('factor.codes_new'),
      danger: false,
      cancel: { href: SECURITY },
    })
    return { title, breadcrumb: crumbs(words), main }
  },
  submit: async (request) => {
    const outcome = await renewRecoveryCodes(request.commandContext)
    if (outcome.ok) return showCodes(request, outcome.codes)
    if (outcome.reason === 'proof') return askForOwnProof(request.url)
    return redirectToSecurity(request.context.words.t('factor.codes_need_factor'), 'bad')
  },
})

/** Sends the codes back as a file: they are stored nowhere, so the page that shows them hands them over. */
const codesFilePage = actionPage({
  path: `${RECOVERY}file/`,
  isForFactorSetup: true,
  access: signedIn,
  requires: 'recentSignIn',
  form: codesFileForm,
  submit: async ({ context }, { codes }) => {
    const { words } = context
    const title = words.t('factor.codes_file', { site: await siteNameOf(context) })
    return {
      content: [title, '', ...codes, ''].join('\r\n'),
      contentType: 'text/plain; charset=utf-8',
      headers: { ...NO_STORE, 'content-disposition': `attachment; filename="${words.t('factor.codes_file_name')}"` },
    }
  },
})

const trustedPage = actionPage({
  path: TRUSTED,
  access: signedIn,
  requires: 'recentSignIn',
  form: emptyForm,
  submit: async ({ commandContext, context: { words } }) => {
    await forgetOwnDevices(commandContext)
    return redirectToSecurity(words.t('factor.trusted_forgotten'))
  },
})

/** JSON for the script. */
const sendOptions = (options: PasskeyOptions) => ({
  content: JSON.stringify(options),
  contentType: 'application/json; charset=utf-8',
  headers: NO_STORE,
})

const passkeyOptionsPage = actionPage({
  path: `${PASSKEYS}options/`,
  isForFactorSetup: true,
  access: signedIn,
  requires: 'recentSignIn',
  form: emptyForm,
  submit: async ({ context, commandContext }) =>
    sendOptions(await makeNewPasskeyOptions(commandContext, await siteNameOf(context))),
})

const addPasskeyPage = formPage({
  path: `${PASSKEYS}add/`,
  isForFactorSetup: true,
  access: signedIn,
  requires: 'recentSignIn',
  form: passkeyForm.schema,
  show: async (request, refused) => {
    const { context, csrfToken, url } = request
    const { words, db, now, site } = context
    if (!relyingPartyOf(site.url)) throw new Problem('not_found')
    if (await needsOwnProof(request)) return askForOwnProof(url)
    const { passkeys } = await getFactors(db, requireOwner(context), now)
    const state = refused ?? passkeyForm.state({ name: words.t('factor.passkey_default', { number: passkeys.length + 1 }) })
    const main = addPasskeyView({ words, csrfToken, action: url, state })
    return { title: words.t('factor.passkey_add'), breadcrumb: crumbs(words), scripts: [assetUrl('passkeys.js')], main }
  },
  submit: async (request, input) => {
    const { words } = request.context
    const outcome = await addPasskey(request.commandContext, input)
    if (outcome.ok) return showAdded(request, outcome.recoveryCodes, words.t('factor.passkey_done', { name: input.name }))
    if (outcome.reason === 'proof') return askForOwnProof(request.url)
    return { refused: [{ text: words.t(`factor.passkey_${outcome.reason}`) }] }
  },
})

async function requireOwnPasskey({ context, path }: PageRequest<{ id: number }>): Promise<{ passkey: Passkey; isLast: boolean }> {
  const { app, passkeys } = await getFactors(context.db, requireOwner(context), context.now)
  const passkey = requireFound(passkeys.find(({ id }) => id === path.id))
  const isLast = !hasFactor({ app: app !== undefined, passkey: passkeys.length > 1, recovery: false })
  return { passkey, isLast }
}

const renamePasskeyPage = formPage({
  path: `${PASSKEYS}{id}/`,
  access: signedIn,
  requires: 'recentSignIn',
  form: passkeyNameForm.schema,
  show: async (request, refused) => {
    const { context, csrfToken, url } = request
    const { passkey } = await requireOwnPasskey(request)
    const state = refused ?? passkeyNameForm.state({ name: passkey.name })
    const title = context.words.t('factor.rename_title')
    const main = renamePasskeyView({ words: context.words, csrfToken, action: url, state })
    return { title, breadcrumb: crumbs(context.words), main }
  },
  submit: async ({ commandContext, context: { words }, path }, { name }) => {
    if (!(await renamePasskey(commandContext, path.id, name))) throw new Problem('not_found')
    return redirectToSecurity(words.t('factor.renamed', { name }))
  },
})

const removePasskeyPage = formPage({
  path: `${PASSKEYS}{id}/remove/`,
  access: signedIn,
  requires: 'recentSignIn',
  form: emptyForm,
  show: async (request) => {
    const { passkey, isLast } = await requireOwnPasskey(request)
    const title = request.context.words.t('factor.remove_title', { name: passkey.name })
    return removalBody(request, { title, action: passkeyPath(passkey.id, 'remove'), isLast })
  },
  submit: async ({ commandContext, context: { words }, path, url }) =>
    afterRemoval(words, await removePasskey(commandContext, path.id), url),
})

export const ownFactorPages: Page[] = [
  requiredPage,
  appPage,
  removeAppPage,
  recoveryPage,
  codesFilePage,
  trustedPage,
  passkeyOptionsPage,
  addPasskeyPage,
  renamePasskeyPage,
  removePasskeyPage,
]
