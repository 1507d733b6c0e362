import { getSamplePath } from '#features/access/tokens/rules.ts'
import { SHOWN_SCOPES } from '#features/access/tokens/views.ts'
import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView, type Tone } from '#platform/ui/badge.ts'
import { cardView } from '#platform/ui/card.ts'
import { copyView } from '#platform/ui/copy.ts'
import type { Option } from '#platform/ui/fields.ts'
import { linkButtonView, postButtonView } from '#platform/ui/form.ts'
import type { FormState } from '#platform/ui/form-values.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { tableView } from '#platform/ui/table.ts'
import type { ServiceKey } from '../queries.ts'
import { DEFAULT_OVERLAP_HOURS, getKeyState, type KeyState, OVERLAP_HOURS } from '../rules.ts'
import { rotateForm, serviceAccountForm } from '../schema.ts'
import { type AccountRow, accountBadge, accountPath, lastUse, SERVICE_ACCOUNTS } from './list.ts'

type Choice = { id: number; name: string }
export type FormData = {
  words: Words
  csrfToken: string
  action: string
  state: FormState
  groups: readonly Choice[]
  submit: string
}

function accountFormView({ words, csrfToken, action, state, groups, submit }: FormData): Html {
  const scopes: Option[] = SHOWN_SCOPES.map((scope) => ({ value: scope, label: words.t(`service.${scope}`), help: scope }))
  return serviceAccountForm.view({
    words,
    csrfToken,
    action,
    state,
    submit,
    cancel: { href: SERVICE_ACCOUNTS },
    layout: (field) => [
      field('name'),
      field('scopes', { options: scopes }),
      field('groups', {
        options: groups.map(({ id, name }) => ({ value: id, label: name })),
        ...(groups.length ? {} : { help: words.t('service.no_groups') }),
      }),
      field('expires'),
      field('networks'),
      field('origins'),
    ],
  })
}

export const newAccountView = (data: FormData): Html =>
  html`${pageHeadView({ title: data.words.t('service.new'), facts: data.words.t('service.intro') })}${accountFormView(data)}`
type ShownAccount = AccountRow & { createdAt: Date; createdBy: string | null }

export function accountView(data: FormData & { now: Date; account: ShownAccount; keys: readonly ServiceKey[] }): Html {
  const { words, csrfToken, now, account, keys } = data
  const { id, name, isActive, createdAt, createdBy } = account
  const date = words.date(createdAt)
  const facts = createdBy ? words.t('service.made_by', { date, name: createdBy }) : words.t('service.made', { date })
  const rotate = linkButtonView({
    href: accountPath(id, 'rotate'),
    label: words.t('service.rotate'),
    kind: 'secondary',
    icon: 'key-round',
  })
  const toggle = isActive
    ? linkButtonView({ href: accountPath(id, 'disable'), label: words.t('service.disable'), kind: 'secondary' })
    : postButtonView({ action: accountPath(id, 'enable'), csrfToken, label: words.t('service.enable'), kind: 'secondary' })
  const remove = linkButtonView({ href: accountPath(id, 'delete'), label: words.t('service.delete'), kind: 'danger' })
  return html`${pageHeadView({ title: name, badge: accountBadge(words, now, account), facts })}
${cardView({ title: words.t('service.keys'), body: keyTable(words, now, id, keys), footer: rotate })}
${accountFormView(data)}
${cardView({ title: words.t('service.danger'), body: html`<div class="button-row">${toggle}${remove}</div>` })}`
}

const KEY_TONES: Record<KeyState, Tone> = { active: 'good', retiring: 'warn', expired: 'quiet', revoked: 'quiet' }

function keyTable(words: Words, now: Date, accountId: number, keys: readonly ServiceKey[]): Html {
  const stateOf = (key: ServiceKey) => {
    const state = getKeyState(key, now)
    const date = key.expiresAt ? words.dateTime(key.expiresAt) : ''
    const text = state === 'retiring' ? words.t('service.key_retiring', { date }) : words.t(`service.key_${state}`)
    return badgeView({ tone: KEY_TONES[state], text })
  }
  return tableView<ServiceKey>({
    caption: words.t('service.keys'),
    rows: keys,
    columns: [
      { label: words.t('service.key'), cell: ({ hint }) => html`<code>${hint}</code>`, main: true },
      { label: words.t('service.state'), cell: stateOf },
      { label: words.t('service.key_made'), cell: ({ createdAt }) => words.day(createdAt, now) },
      { label: words.t('service.last_used'), cell: ({ lastUsedAt }) => lastUse(words, now, lastUsedAt) },
      {
        label: words.t('ui.actions'),
        actions: true,
        cell: (key) =>
          ['active', 'retiring'].includes(getKeyState(key, now)) &&
          linkButtonView({
            href: accountPath(accountId, `keys/${key.id}/revoke`),
            label: words.t('service.revoke'),
            kind: 'quiet',
            small: true,
            attributes: { 'aria-label': words.t('service.revoke_of', { hint: key.hint }) },
          }),
      },
    ],
  })
}

type RotateData = { words: Words; csrfToken: string; account: { id: number; name: string }; state: FormState | undefined }

export function rotateView({ words, csrfToken, account, state }: RotateData): Html {
  const label = (hours: number): string => {
    if (hours === 0) return words.t('service.overlap_0')
    return hours < 24
      ? words.t('service.overlap_hours', { count: hours })
      : words.t('service.overlap_days', { count: hours / 24 })
  }
  const form = rotateForm.view({
    words,
    csrfToken,
    action: accountPath(account.id, 'rotate'),
    state: state ?? rotateForm.state({ overlap: DEFAULT_OVERLAP_HOURS }),
    submit: { label: words.t('service.rotate_submit'), icon: 'key-round' },
    cancel: { href: accountPath(account.id) },
    layout: (field) => [field('overlap', { options: OVERLAP_HOURS.map((hours) => ({ value: hours, label: label(hours) })) })],
  })
  return html`${pageHeadView({ title: words.t('service.rotate_title', { name: account.name }), facts: words.t('service.rotate_text') })}${form}`
}

type NewKeyData = {
  words: Words
  siteUrl: string
  accountId: number
  name: string
  key: string
  scopes: readonly string[]
  /** What happens to former keys. */
  remark?: string | undefined
}

/** The only page that shows the key. */
export function newKeyView({ words, siteUrl, accountId, name, key, scopes, remark }: NewKeyData): Html {
  const curl = `curl -H 'Authorization: Bearer ${key}' '${siteUrl}${getSamplePath(scopes)}'`
  const body = html`<p><strong>${words.t('service.key_once')}</strong></p>${remark && html`<p>${remark}</p>`}
${copyView({ words, id: 'service-key', label: words.t('service.key'), value: key, help: words.t('service.key_help') })}
${copyView({ words, id: 'service-curl', label: words.t('service.curl'), value: curl })}`
  const footer = linkButtonView({
    href: accountPath(accountId),
    label: words.t('service.key_done'),
    kind: 'primary',
    icon: 'check',
  })
  return html`${pageHeadView({ title: words.t('service.key_title', { name }) })}${cardView({ body, footer })}`
}
