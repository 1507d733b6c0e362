import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView, type Tone } from '#platform/ui/badge.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { linkButtonView } from '#platform/ui/form.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { tableView } from '#platform/ui/table.ts'
import type { Webhook } from '../queries/webhooks.ts'
import { stateOf, type WebhookState } from '../rules/webhooks.ts'

export const OWN = '/settings/webhooks/'
export const ALL = '/manage/webhooks/'

export type WebhookRow = Pick<
  Webhook,
  'id' | 'owner' | 'name' | 'url' | 'active' | 'offReason' | 'isOwnerActive' | 'failures' | 'createdAt'
>

const TONES: Record<WebhookState, Tone> = {
  active: 'good',
  failing: 'warn',
  paused: 'quiet',
  off_gone: 'bad',
  off_failing: 'bad',
  off_owner: 'quiet',
}

export function stateBadge(words: Words, webhook: WebhookRow): Html {
  const state = stateOf(webhook)
  return badgeView({ tone: TONES[state], text: words.t(`webhooks.state_${state}`) })
}

export const hostOf = (url: string): string => new URL(url).host

type ListData = { words: Words; now: Date; webhooks: readonly WebhookRow[] }

export function ownListView({ words, now, webhooks }: ListData): Html {
  const add = linkButtonView({ href: `${OWN}new/`, label: words.t('webhooks.new'), kind: 'primary', icon: 'plus' })
  if (!webhooks.length) return emptyView({ icon: 'webhook', text: words.t('webhooks.none'), action: add })
  return html`<div class="stack"><p class="muted">${words.t('webhooks.intro')}</p><p>${add}</p>${webhookTable({ words, now, webhooks }, OWN)}</div>`
}

export function manageListView({ words, now, webhooks }: ListData): Html {
  const head = pageHeadView({ title: words.t('webhooks.title'), facts: words.t('webhooks.manage_intro') })
  if (!webhooks.length) return html`${head}${emptyView({ icon: 'webhook', text: words.t('webhooks.none_all') })}`
  return html`${head}${webhookTable({ words, now, webhooks }, ALL)}`
}

function webhookTable({ words, now, webhooks }: ListData, base: string): Html {
  return tableView<WebhookRow>({
    caption: words.t('webhooks.title'),
    rows: webhooks,
    columns: [
      { label: words.t('webhooks.name'), cell: ({ id, name }) => html`<a href="${`${base}${id}/`}">${name}</a>`, main: true },
      { label: words.t('webhooks.state'), cell: (webhook) => stateBadge(words, webhook) },
      { label: words.t('webhooks.url'), cell: ({ url }) => hostOf(url) },
      ...(base === ALL ? [{ label: words.t('webhooks.owner'), cell: ({ owner }: WebhookRow) => owner }] : []),
      { label: words.t('webhooks.made_at'), cell: ({ createdAt }) => words.day(createdAt, now), numeric: true },
    ],
  })
}
