import { findGroupChoices } from '#features/accounts/users/queries/people.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { staff } from '#platform/http/access.ts'
import {
  actionPage,
  formPage,
  type Page,
  type PageBody,
  type PageRequest,
  type Redirect,
  sensitive,
  viewPage,
} from '#platform/http/page.ts'
import { requireFound } from '#platform/http/problem.ts'
import type { Words } from '#platform/i18n/words.ts'
import { confirmView } from '#platform/ui/confirm.ts'
import type { FormError } from '#platform/ui/form.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import {
  changeServiceAccount,
  createServiceAccount,
  deleteServiceAccount,
  setServiceAccountActive,
} from '../commands/accounts.ts'
import { findServiceAccounts, findServiceKeys, getServiceAccount, type ServiceAccount } from '../queries.ts'
import { getLastDay, type Refusal, type ServiceAccountInput } from '../rules.ts'
import { type ServiceAccountForm, serviceAccountForm } from '../schema.ts'
import { accountView, newAccountView, newKeyView } from '../views/account.ts'
import { accountPath, SERVICE_ACCOUNTS, serviceAccountListView } from '../views/list.ts'

export const crumbs = (words: Words, account?: { id: number; name: string }) => [
  { href: SERVICE_ACCOUNTS, label: words.t('service.title') },
  ...(account ? [{ href: accountPath(account.id), label: account.name }] : []),
]

export async function requireAccount({ db, now }: RequestContext, id: number): Promise<ServiceAccount> {
  return requireFound(await getServiceAccount(db, id, now))
}

const inputOf = ({ groups, expires, ...form }: ServiceAccountForm): ServiceAccountInput => ({
  ...form,
  groupIds: groups,
  lastDay: expires,
})

const ORIGIN_REASONS = ['not_an_address', 'not_https', 'fragment', 'user_info', 'not_plain', 'reserved']

function errorOf(words: Words, refusal: Refusal): FormError {
  const { field, reason } = refusal
  if (!('value' in refusal)) return { field, text: words.t(`service.${refusal.reason}`) }
  const key = ORIGIN_REASONS.includes(reason) ? 'service.origin_invalid' : 'service.network_invalid'
  return { field, text: words.t(key, { value: refusal.value }) }
}

const listPage = viewPage({
  path: SERVICE_ACCOUNTS,
  access: staff,
  show: async ({ context: { db, now, words } }) => ({
    title: words.t('service.title'),
    main: serviceAccountListView({ words, now, accounts: await findServiceAccounts(db, now) }),
  }),
})

type ShownKey = { accountId: number; name: string; key: string; scopes: readonly string[]; remark?: string }

/** The response to the form shows the key. After a redirect it could not be shown, because only its hash is stored. */
export function keyBody({ words, site }: RequestContext, shown: ShownKey): PageBody {
  return {
    title: words.t('service.key_title', { name: shown.name }),
    breadcrumb: crumbs(words),
    headers: { 'cache-control': 'no-store' },
    main: newKeyView({ words, siteUrl: site.url, ...shown }),
  }
}

const newPage = formPage({
  path: `${SERVICE_ACCOUNTS}new/`,
  access: staff,
  form: serviceAccountForm.schema,
  show: async ({ context: { db, words }, csrfToken, url }, refused) => ({
    title: words.t('service.new'),
    breadcrumb: crumbs(words),
    main: newAccountView({
      words,
      csrfToken,
      action: url,
      state: refused ?? serviceAccountForm.state({ scopes: ['PUBLIC_READ'] }),
      groups: await findGroupChoices(db),
      submit: words.t('service.create'),
    }),
  }),
  submit: async ({ context, commandContext }, form) => {
    const made = await createServiceAccount(commandContext, inputOf(form))
    if (!made.ok) return { refused: made.refusals.map((refusal) => errorOf(context.words, refusal)) }
    return keyBody(context, { ...made, name: form.name, scopes: form.scopes })
  },
})

const editPage = formPage({
  path: `${SERVICE_ACCOUNTS}{id}/`,
  access: staff,
  form: serviceAccountForm.schema,
  show: async ({ context, csrfToken, path }, refused) => {
    const { db, now, words, site } = context
    const account = await requireAccount(context, path.id)
    const stored = {
      name: account.name,
      scopes: account.scopes,
      groups: account.groupIds,
      expires: getLastDay(account.expiresAt, site.timeZone),
      networks: account.networks.join('\n'),
      origins: account.origins.join('\n'),
    }
    const main = accountView({
      words,
      csrfToken,
      now,
      account,
      keys: await findServiceKeys(db, account.id),
      action: accountPath(account.id),
      state: refused ?? serviceAccountForm.state(stored),
      groups: await findGroupChoices(db),
      submit: words.t('service.save'),
    })
    return { title: account.name, breadcrumb: crumbs(words), main }
  },
  submit: async ({ context: { words }, commandContext, path }, form) => {
    const outcome = requireFound(await changeServiceAccount(commandContext, path.id, inputOf(form)))
    if (!outcome.ok) return { refused: outcome.refusals.map((refusal) => errorOf(words, refusal)) }
    return { redirect: accountPath(path.id), flash: { kind: 'good', text: words.t('service.saved', { name: form.name }) } }
  },
})

type Request = PageRequest<{ id: number }>
type Confirmation = {
  what: 'disable' | 'delete'
  consequences:
    | readonly ['service.disable_first', 'service.disable_second']
    | readonly ['service.delete_first', 'service.delete_second']
  button: 'service.disable' | 'service.delete_submit'
  perform: (request: Request, account: ServiceAccount) => Promise<Redirect>
}

const confirmPage = ({ what, consequences, button, perform }: Confirmation): Page =>
  formPage({
    path: `${SERVICE_ACCOUNTS}{id}/${what}/`,
    access: staff,
    form: emptyForm,
    show: async ({ context, csrfToken, path }: Request) => {
      const { words } = context
      const account = await requireAccount(context, path.id)
      const title = words.t(`service.${what}_title`, { name: account.name })
      const main = confirmView({
        words,
        title,
        consequences: consequences.map((key) => words.t(key)),
        action: accountPath(account.id, what),
        csrfToken,
        submit: words.t(button),
        cancel: { href: accountPath(account.id) },
      })
      return { title, breadcrumb: crumbs(words, account), main }
    },
    submit: async (request: Request) => perform(request, await requireAccount(request.context, request.path.id)),
  })

const disablePage = confirmPage({
  what: 'disable',
  consequences: ['service.disable_first', 'service.disable_second'],
  button: 'service.disable',
  perform: async ({ context, commandContext }, { id, name }) => {
    requireFound(await setServiceAccountActive(commandContext, id, false))
    return { redirect: accountPath(id), flash: { kind: 'good', text: context.words.t('service.is_disabled', { name }) } }
  },
})

const enablePage = actionPage({
  path: `${SERVICE_ACCOUNTS}{id}/enable/`,
  access: staff,
  form: emptyForm,
  submit: async ({ context, commandContext, path }) => {
    const { id, name } = await requireAccount(context, path.id)
    requireFound(await setServiceAccountActive(commandContext, id, true))
    return { redirect: accountPath(id), flash: { kind: 'good', text: context.words.t('service.is_enabled', { name }) } }
  },
})

const deletePage = confirmPage({
  what: 'delete',
  consequences: ['service.delete_first', 'service.delete_second'],
  button: 'service.delete_submit',
  perform: async ({ context, commandContext }, { id }) => {
    const { name } = requireFound(await deleteServiceAccount(commandContext, id))
    return { redirect: SERVICE_ACCOUNTS, flash: { kind: 'good', text: context.words.t('service.is_deleted', { name }) } }
  },
})

export const serviceAccountPages: Page[] = sensitive([listPage, newPage, editPage, disablePage, enablePage, deletePage])
