import { getExpiry } from '#features/access/tokens/rules.ts'
import { SHOWN_SCOPES, scopeOption } from '#features/access/tokens/views.ts'
import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { cardView } from '#platform/ui/card.ts'
import { copyView } from '#platform/ui/copy.ts'
import { linkButtonView } from '#platform/ui/form.ts'
import type { FormState } from '#platform/ui/form-values.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { assistantTokenForm, LIFETIMES } from './schema.ts'

export const ASSISTANTS = '/settings/assistants/'
export const NEW_TOKEN = `${ASSISTANTS}new/`

export function introView({ words, address }: { words: Words; address: string }): Html {
  const add = linkButtonView({ href: NEW_TOKEN, label: words.t('assistant.new_title'), kind: 'primary', icon: 'plus' })
  return html`<div class="stack"><p>${words.t('assistant.intro')}</p>
${copyView({ words, id: 'mcp-address', label: words.t('assistant.address'), value: address, help: words.t('assistant.address_help') })}
<p>${add}</p></div>`
}

type NewTokenData = { words: Words; now: Date; csrfToken: string; state: FormState | undefined }

export function newTokenView({ words, now, csrfToken, state }: NewTokenData): Html {
  const bounds = { now, timeZone: 'UTC', maxDays: Math.max(...LIFETIMES) }
  const lifetimes = LIFETIMES.map((count) => {
    const date = words.dateTime(getExpiry({ days: count }, bounds)!)
    return { value: count, label: words.t('token.days_until', { days: words.t('token.days', { count }), date }) }
  })
  const form = assistantTokenForm.view({
    words,
    csrfToken,
    state: state ?? assistantTokenForm.state({ scope: ['PUBLIC_READ', 'ME_READ'], lifetime: LIFETIMES[0] }),
    action: NEW_TOKEN,
    submit: { label: words.t('assistant.submit'), icon: 'key-round' },
    cancel: { href: ASSISTANTS },
    layout: (field) => [
      field('description'),
      field('scope', { options: SHOWN_SCOPES.map((scope) => scopeOption(words, scope)) }),
      field('lifetime', { options: lifetimes }),
    ],
  })
  return html`${pageHeadView({ title: words.t('assistant.new_title'), facts: words.t('assistant.intro') })}
${form}`
}

type TokenMade = { words: Words; address: string; token: string; expiresAt: Date }

export function tokenMadeView({ words, address, token, expiresAt }: TokenMade): Html {
  const until = words.t('assistant.made_until', { date: words.dateTime(expiresAt) })
  // On the computer of the assistant. With npx it would run whatever the registry has by that name.
  const command = `turnout mcp --url ${address}`
  const body = html`<p><strong>${words.t('assistant.made_once')}</strong></p>
${copyView({ words, id: 'token-value', label: words.t('token.value'), value: token, help: until })}
${copyView({ words, id: 'mcp-address', label: words.t('assistant.address'), value: address })}
${copyView({ words, id: 'mcp-command', label: words.t('assistant.command'), value: command, help: words.t('assistant.command_help') })}`
  const footer = linkButtonView({ href: ASSISTANTS, label: words.t('token.made_done'), kind: 'primary', icon: 'check' })
  return html`${pageHeadView({ title: words.t('assistant.made_title') })}${cardView({ body, footer })}`
}
