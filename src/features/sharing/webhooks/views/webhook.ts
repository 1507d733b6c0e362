import { KINDS } from '#features/sharing/change-feed/rules/kinds.ts'
import { type Child, type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { cardView, factListView } from '#platform/ui/card.ts'
import { copyView } from '#platform/ui/copy.ts'
import { linkButtonView, postButtonView } from '#platform/ui/form.ts'
import type { FormState } from '#platform/ui/form-values.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import type { Webhook } from '../queries/webhooks.ts'
import type { Delivery } from '../rules/deliveries.ts'
import { findUnseen, startOfLog, stateOf, WEBHOOK_SCOPES } from '../rules/webhooks.ts'
import { rotationForm, webhookForm } from '../schema.ts'
import { logView } from './deliveries.ts'
import { ALL, OWN, stateBadge } from './list.ts'
import { unseenNames } from './refusal.ts'

export const kindLabel = (words: Words, kind: string): string => {
  const known = KINDS.find((each) => each === kind)
  return known ? words.t(`webhooks.kind_${known}`) : kind
}

type FormData = { words: Words; csrfToken: string; action: string; state: FormState | undefined; submit: string; back: string }

function webhookFormView({ words, csrfToken, action, state, submit, back }: FormData): Html {
  return webhookForm.view({
    words,
    csrfToken,
    action,
    state: state ?? webhookForm.state({ kinds: ['event', 'shift'], scopes: ['PUBLIC_READ'] }),
    submit,
    cancel: { href: back },
    layout: (field) => [
      field('name'),
      field('url'),
      field('kinds', { options: KINDS.map((kind) => ({ value: kind, label: kindLabel(words, kind) })) }),
      field('scopes', {
        options: WEBHOOK_SCOPES.map((scope) => ({ value: scope, label: words.t(`token.${scope}`), help: scope })),
      }),
      field('include_record'),
      field('description'),
    ],
  })
}

export const newWebhookView = (data: FormData): Html =>
  html`${pageHeadView({ title: data.words.t('webhooks.new_title'), facts: data.words.t('webhooks.intro') })}${webhookFormView(data)}`

export const editWebhookView = (data: FormData & { name: string }): Html =>
  html`${pageHeadView({ title: data.words.t('webhooks.edit_title', { name: data.name }) })}${webhookFormView(data)}`

type WebhookData = {
  words: Words
  now: Date
  csrfToken: string
  webhook: Webhook
  deliveries: readonly Delivery[]
  /** Link to older deliveries; undefined if there are none. */
  older: string | undefined
  isOwner: boolean
  base: typeof OWN | typeof ALL
}

export function webhookView(data: WebhookData): Html {
  const { words, csrfToken, webhook, isOwner, base } = data
  const path = (what: string) => `${base}${webhook.id}/${what}/`
  const post = (what: 'pause' | 'resume' | 'test') =>
    postButtonView({
      action: path(what),
      csrfToken,
      label: words.t(`webhooks.${what}`),
      kind: 'secondary',
      id: `webhook-${what}`,
    })
  const link = (what: 'edit' | 'rotate' | 'delete') =>
    linkButtonView({ href: path(what), label: words.t(`webhooks.${what}`), kind: what === 'delete' ? 'danger' : 'secondary' })
  const buttons = [
    ...(isOwner ? [post('test'), link('edit')] : []),
    post(webhook.active ? 'pause' : 'resume'),
    ...(isOwner ? [link('rotate')] : []),
    link('delete'),
  ]
  return html`${pageHeadView({ title: webhook.name, badge: stateBadge(words, webhook), facts: webhook.description || undefined })}
<div class="stack">${notices(data).map((text) => html`<p class="notice tone-warn">${text}</p>`)}
${cardView({ body: factsView(data), footer: html`<div class="button-row">${buttons}</div>` })}
${logView({ ...data, resendPath: isOwner ? (id) => path(`deliveries/${id}/resend`) : undefined })}</div>`
}

function factsView({ words, now, webhook, base }: WebhookData): Html {
  const facts: { name: string; value: Child }[] = [
    { name: words.t('webhooks.url'), value: html`<code>${webhook.url}</code>` },
    { name: words.t('webhooks.kinds'), value: words.list(webhook.kinds.map((kind) => kindLabel(words, kind))) },
    {
      name: words.t('webhooks.scopes'),
      value: html`<span class="cluster">${webhook.scopes.map((scope) => html`<code>${scope}</code> `)}</span>`,
    },
    {
      name: words.t('webhooks.content'),
      value: words.t(webhook.includesRecord ? 'webhooks.content_record' : 'webhooks.content_change'),
    },
    ...(base === ALL ? [{ name: words.t('webhooks.owner'), value: webhook.owner }] : []),
    { name: words.t('webhooks.made_at'), value: words.day(webhook.createdAt, now) },
  ]
  return factListView(facts)
}

function notices({ words, now, webhook }: WebhookData): string[] {
  const { offAt, failingSince, nextAt, missedAt, refusedAt, oldSecretUntil, owner } = webhook
  const since = words.dateTime(offAt ?? failingSince ?? now)
  const state = stateOf(webhook)
  return [
    ...(state === 'failing' ? [words.t('webhooks.about_failing', { since, next: words.dateTime(nextAt) })] : []),
    ...(state === 'paused' ? [words.t('webhooks.about_paused', { since })] : []),
    ...(state === 'off_gone' || state === 'off_failing' ? [words.t(`webhooks.about_${state}`, { since })] : []),
    ...(state === 'off_owner' ? [words.t('webhooks.about_off_owner', { owner })] : []),
    ...findUnseen(webhook.kinds, webhook.scopes).map((unseen) =>
      words.t(
        'webhooks.about_unseen',
        unseenNames(words, unseen, (kind) => kindLabel(words, kind)),
      ),
    ),
    ...(missedAt ? [words.t('webhooks.about_missed', { at: words.dateTime(missedAt) })] : []),
    ...(refusedAt && refusedAt >= startOfLog(now) ? [words.t('webhooks.about_refused', { at: words.dateTime(refusedAt) })] : []),
    ...(oldSecretUntil && oldSecretUntil > now
      ? [words.t('webhooks.about_old_secret', { until: words.dateTime(oldSecretUntil) })]
      : []),
  ]
}

type RotationData = { words: Words; csrfToken: string; webhook: { id: number; name: string }; state: FormState | undefined }

export function rotationView({ words, csrfToken, webhook, state }: RotationData): Html {
  const { id, name } = webhook
  const form = rotationForm.view({
    words,
    csrfToken,
    action: `${OWN}${id}/rotate/`,
    state: state ?? rotationForm.state({ overlap_hours: 24 }),
    submit: { label: words.t('webhooks.rotate_submit'), icon: 'key-round' },
    cancel: { href: `${OWN}${id}/` },
    layout: (field) => [field('overlap_hours')],
  })
  return html`${pageHeadView({ title: words.t('webhooks.rotate_title', { name }), facts: words.t('webhooks.rotate_text') })}${form}`
}

/** The only page that shows the secret. */
export function secretView({ words, id, name, secret }: { words: Words; id: number; name: string; secret: string }): Html {
  const body = html`<p><strong>${words.t('webhooks.secret_once')}</strong></p>
${copyView({ words, id: 'webhook-secret', label: words.t('webhooks.secret'), value: secret, help: words.t('webhooks.secret_help') })}`
  const footer = linkButtonView({ href: `${OWN}${id}/`, label: words.t('webhooks.secret_done'), kind: 'primary', icon: 'check' })
  return html`${pageHeadView({ title: words.t('webhooks.secret_title', { name }) })}${cardView({ body, footer })}`
}
