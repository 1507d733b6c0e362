import { staff } from '#platform/http/access.ts'
import { formPage, type Page, sensitive } from '#platform/http/page.ts'
import { Problem, requireFound } from '#platform/http/problem.ts'
import { confirmView } from '#platform/ui/confirm.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { revokeKey, rotateServiceKey } from '../commands/keys.ts'
import { findServiceKeys } from '../queries.ts'
import { rotateForm } from '../schema.ts'
import { rotateView } from '../views/account.ts'
import { accountPath, SERVICE_ACCOUNTS } from '../views/list.ts'
import { crumbs, keyBody, requireAccount } from './accounts.ts'

const rotatePage = formPage({
  path: `${SERVICE_ACCOUNTS}{id}/rotate/`,
  access: staff,
  form: rotateForm.schema,
  show: async ({ context, csrfToken, path }, refused) => {
    const { words } = context
    const account = await requireAccount(context, path.id)
    return {
      title: words.t('service.rotate_title', { name: account.name }),
      breadcrumb: crumbs(words, account),
      main: rotateView({ words, csrfToken, account, state: refused }),
    }
  },
  submit: async ({ context, commandContext, path }, { overlap }) => {
    const { words, now } = context
    const { scopes } = await requireAccount(context, path.id)
    const wish = { accountId: path.id, overlapHours: overlap }
    const made = requireFound(await rotateServiceKey(commandContext, wish))
    if (!made.ok) return { refused: [{ field: 'overlap', text: words.t(`service.${made.reason}`) }] }
    const remark =
      made.formerUntil > now
        ? words.t('service.former_until', { date: words.dateTime(made.formerUntil) })
        : words.t('service.former_ended')
    return keyBody(context, { ...made, accountId: path.id, scopes, remark })
  },
})

function keyIdOf({ key }: { key: string }): number {
  if (!/^\d{1,15}$/.test(key)) throw new Problem('not_found')
  return Number(key)
}

const revokePage = formPage({
  path: `${SERVICE_ACCOUNTS}{id}/keys/{key}/revoke/`,
  access: staff,
  form: emptyForm,
  show: async ({ context, csrfToken, path }) => {
    const { words, db } = context
    const account = await requireAccount(context, path.id)
    const key = requireFound((await findServiceKeys(db, account.id)).find(({ id }) => id === keyIdOf(path)))
    const title = words.t('service.revoke_title', { hint: key.hint, name: account.name })
    const main = confirmView({
      words,
      title,
      consequences: [words.t('service.revoke_first'), words.t('service.revoke_final')],
      action: accountPath(account.id, `keys/${key.id}/revoke`),
      csrfToken,
      submit: words.t('service.revoke_submit'),
      cancel: { href: accountPath(account.id) },
    })
    return { title, breadcrumb: crumbs(words, account), main }
  },
  submit: async ({ context: { words }, commandContext, path }) => {
    const { hint } = requireFound(await revokeKey(commandContext, { accountId: path.id, keyId: keyIdOf(path) }))
    return { redirect: accountPath(path.id), flash: { kind: 'good', text: words.t('service.is_revoked', { hint }) } }
  },
})

export const serviceKeyPages: Page[] = sensitive([rotatePage, revokePage])
