import { scopeCodes } from '#features/access/tokens/views.ts'
import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView, type Tone } from '#platform/ui/badge.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { linkButtonView } from '#platform/ui/form.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { tableView } from '#platform/ui/table.ts'
import type { ServiceAccount } from '../queries.ts'
import { type AccountState, getAccountState } from '../rules.ts'

export const SERVICE_ACCOUNTS = '/manage/service-accounts/'
export const accountPath = (id: number, what = ''): string => `${SERVICE_ACCOUNTS}${id}/${what && `${what}/`}`

export type AccountRow = Pick<
  ServiceAccount,
  'id' | 'name' | 'isActive' | 'scopes' | 'groups' | 'expiresAt' | 'lastUsedAt' | 'validKeys'
>

export function serviceAccountListView({ words, now, accounts }: { words: Words; now: Date; accounts: AccountRow[] }): Html {
  const title = words.t('service.title')
  const facts = words.t('service.intro')
  const add = linkButtonView({
    href: `${SERVICE_ACCOUNTS}new/`,
    label: words.t('service.new'),
    kind: 'primary',
    icon: 'plus',
  })
  if (!accounts.length)
    return html`${pageHeadView({ title, facts })}${emptyView({ icon: 'key-round', text: words.t('service.none'), action: add })}`
  const table = tableView<AccountRow>({
    caption: title,
    rows: accounts,
    columns: [
      {
        label: words.t('service.name'),
        cell: ({ id, name }) => html`<a href="${accountPath(id)}">${name}</a>`,
        main: true,
      },
      { label: words.t('service.state'), cell: (account) => accountBadge(words, now, account) },
      { label: words.t('service.scope'), cell: ({ scopes }) => scopeCodes(scopes) },
      { label: words.t('service.groups'), cell: ({ groups }) => (groups.length ? words.list([...groups]) : '–') },
      { label: words.t('service.last_used'), cell: ({ lastUsedAt }) => lastUse(words, now, lastUsedAt) },
      {
        label: words.t('service.expires'),
        cell: ({ expiresAt }) => (expiresAt ? words.day(lastMoment(expiresAt), now) : words.t('service.never')),
      },
    ],
  })
  return html`${pageHeadView({ title, facts, actions: [add] })}${table}`
}

/** An expiry is the end of a day; this moment is still on that day. */
export const lastMoment = (expiresAt: Date): Date => new Date(expiresAt.getTime() - 1)

export const lastUse = (words: Words, now: Date, at: Date | null): Html | string =>
  at ? html`<span title="${words.dateTime(at)}">${words.relative(at, now)}</span>` : words.t('service.not_used')

const TONES: Record<AccountState, Tone> = {
  active: 'good',
  soon: 'warn',
  expired: 'quiet',
  disabled: 'quiet',
  without_key: 'warn',
}

export function accountBadge(words: Words, now: Date, account: AccountRow): Html {
  const state = getAccountState(account, now)
  const text =
    state === 'soon'
      ? words.t('service.state_soon', { when: words.relative(account.expiresAt!, now) })
      : words.t(`service.state_${state}`)
  return badgeView({ tone: TONES[state], text })
}
