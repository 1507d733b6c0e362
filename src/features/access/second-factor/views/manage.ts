import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView } from '#platform/ui/badge.ts'
import { cardView } from '#platform/ui/card.ts'
import { linkButtonView } from '#platform/ui/form.ts'
import type { FormState } from '#platform/ui/form-values.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { policyForm } from '../schema.ts'

type PolicyData = {
  words: Words
  csrfToken: string
  action: string
  state: FormState
  groups: readonly { id: number; name: string }[]
  counts: { people: number; lacking: number }
}

export function policyView({ words, csrfToken, action, state, groups, counts }: PolicyData): Html {
  const options = groups.map(({ id, name }) => ({ value: id, label: name }))
  const form = policyForm.view({
    words,
    csrfToken,
    action,
    state,
    submit: words.t('factor.policy_submit'),
    layout: (field) => [
      field('for_administrators'),
      options.length > 0 && field('groups', { options }),
      field('grace_days'),
      field('after_provider'),
    ],
  })
  const facts =
    counts.people > 0
      ? html`<p>${words.t('factor.policy_count', { count: counts.people })} ${words.t('factor.policy_lacking', { count: counts.lacking })}</p>`
      : html`<p>${words.t('factor.policy_nobody')}</p>`
  return html`${pageHeadView({ title: words.t('factor.policy_title') })}
<div class="stack">${cardView({ body: html`<p class="muted">${words.t('factor.policy_intro')}</p>${facts}${form}` })}</div>`
}

type PersonFactorData = { words: Words; hasApp: boolean; passkeys: number; recoveryCodes: number; href?: string }

/** `href`: where the reader may reset it. */
export function personFactorView({ words, hasApp, passkeys, recoveryCodes, href }: PersonFactorData): Html {
  const isOn = hasApp || passkeys > 0
  const badge = badgeView(isOn ? { tone: 'good', text: words.t('factor.on') } : { tone: 'quiet', text: words.t('factor.off') })
  const facts = [
    ...(hasApp ? [words.t('factor.app')] : []),
    ...(passkeys ? [words.t('factor.passkey_count', { count: passkeys })] : []),
    ...(isOn ? [words.t('factor.code_count', { count: recoveryCodes })] : []),
  ]
  const reset = isOn && href && linkButtonView({ href, label: words.t('factor.reset'), icon: 'shield-alert' })
  return cardView({
    title: words.t('factor.title'),
    aside: badge,
    body: html`<p class="muted">${isOn ? words.list(facts) : words.t('factor.person_none')}</p>`,
    footer: reset,
  })
}
