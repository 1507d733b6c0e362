import { settingsCrumbs, settingsView } from '#features/accounts/users/views/settings.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { open, signedIn } from '#platform/http/access.ts'
import { formPage, type Page, type PageBody, viewPage } from '#platform/http/page.ts'
import { requireFound } from '#platform/http/problem.ts'
import type { FormError } from '#platform/ui/form.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { createPersonalToken, type NewToken, revokeToken } from './commands/personal.ts'
import { findOwnTokens, getOwnToken, type OwnToken } from './queries/bearer.ts'
import { type NewTokenForm, newTokenForm } from './schema.ts'
import { newTokenMadeView, newTokenView, revokeTokenView, tokenListView } from './views.ts'

const TOKENS = '/settings/tokens/'

const listPage = viewPage({
  path: TOKENS,
  access: signedIn,
  show: async ({ context }) => {
    const { words, now } = context
    const main = tokenListView({ words, now, tokens: await findOwnTokens(context) })
    return { title: words.t('settings.tokens'), main: settingsView({ context, current: 'tokens', main }) }
  },
})

const boundsOf = ({ now, site }: RequestContext) => ({ now, timeZone: site.timeZone, maxDays: site.tokenMaxDays })

const newPage = formPage({
  path: '/settings/tokens/new/',
  requires: 'recentSignIn',
  access: signedIn,
  form: newTokenForm.schema,
  show: async ({ context, csrfToken }, refused) => {
    const { words } = context
    return {
      title: words.t('token.new_title'),
      breadcrumb: settingsCrumbs(words, 'tokens'),
      main: newTokenView({ words, bounds: boundsOf(context), csrfToken, state: refused }),
    }
  },
  submit: async ({ context, commandContext }, form) => {
    const { actor } = commandContext
    const { description, scope: scopes } = form
    const made = await createPersonalToken(commandContext, actor.userId, { description, scopes, ...lifetimeOf(form) })
    return made.ok
      ? showNewToken(context, made, scopes)
      : { refused: made.reasons.map((reason) => errorFor(context, form, reason)) }
  },
})

const lifetimeOf = ({ lifetime, date }: NewTokenForm) => (lifetime === 'date' ? { lastDay: date } : { days: Number(lifetime) })

/** The response to the form shows the value. After a redirect it could not be shown, because only its hash is stored. */
function showNewToken(
  { words, site }: RequestContext,
  { token, expiresAt }: NewToken & { ok: true },
  scopes: string[],
): PageBody {
  return {
    title: words.t('token.made_title'),
    breadcrumb: settingsCrumbs(words, 'tokens'),
    main: newTokenMadeView({ words, siteUrl: site.url, token, scopes, expiresAt }),
    headers: { 'cache-control': 'no-store' },
  }
}

type Reason = (NewToken & { ok: false })['reasons'][number]
const FIELDS: Record<Reason, string> = {
  no_description: 'description',
  long_description: 'description',
  no_scope: 'scope',
  unknown_scope: 'scope',
  bad_days: 'lifetime',
}

function errorFor({ words, site, now }: RequestContext, { lifetime }: NewTokenForm, reason: Reason): FormError {
  if (reason !== 'bad_days') return { field: FIELDS[reason], text: words.t(`token.${reason}`) }
  if (lifetime !== 'date') return { field: 'lifetime', text: words.t('token.bad_days', { count: site.tokenMaxDays }) }
  const last = new Date(now.getTime() + site.tokenMaxDays * 24 * 3600 * 1000)
  return { field: 'date', text: words.t('token.bad_date', { date: words.date(last) }) }
}

const revokePage = formPage({
  path: '/settings/tokens/{id}/revoke/',
  requires: 'recentSignIn',
  access: signedIn,
  form: emptyForm,
  show: async ({ context, csrfToken, path }) => {
    const { words, now } = context
    const token = await requireOwnToken(context, path.id)
    return {
      title: words.t('token.revoke_submit'),
      breadcrumb: settingsCrumbs(words, 'tokens'),
      main: revokeTokenView({ words, now, csrfToken, token }),
    }
  },
  submit: async ({ context, commandContext, path }) => {
    const { id, description } = await requireOwnToken(context, path.id)
    await revokeToken(commandContext, id)
    return { redirect: TOKENS, flash: { kind: 'good', text: context.words.t('token.is_revoked', { description }) } }
  },
})

/** 404 for tokens of other people. */
async function requireOwnToken(context: RequestContext, id: number): Promise<OwnToken> {
  return requireFound(await getOwnToken(context, id))
}

/** Keeps old links working. */
const legacyRedirectPage = viewPage({
  path: '/api/settings/token/',
  access: open('it only leads to the page that asks who is there'),
  show: async () => ({ redirect: TOKENS }),
})

export const tokenPages: Page[] = [listPage, newPage, revokePage, legacyRedirectPage]
