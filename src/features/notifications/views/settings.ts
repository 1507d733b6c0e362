import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { cardView } from '#platform/ui/card.ts'
import { checkboxGroup } from '#platform/ui/fields.ts'
import { formView } from '#platform/ui/form.ts'
import { iconView } from '#platform/ui/icon.ts'
import { ALL_KINDS, isFixed, isForResponsibles, type Kind } from '../rules/kinds.ts'
import { NEWS, SETTINGS } from './news.ts'

export type SettingsData = { words: Words; csrfToken: string; wanted: readonly Kind[]; invalidEmail: string | undefined }

export function notificationSettingsView({ words, csrfToken, wanted, invalidEmail }: SettingsData): Html {
  const group = (label: string, kinds: readonly Kind[], id: string) =>
    checkboxGroup({
      words,
      name: 'kinds',
      id,
      label,
      values: wanted,
      options: kinds.map((kind) => ({
        value: kind,
        label: words.t(`notification.kind.${kind}`),
        help: words.t(`notification.help.${kind}`),
      })),
    })
  const chosen = ALL_KINDS.filter((kind) => !isFixed(kind))
  return html`${invalidEmail && html`<div class="notice tone-bad">${iconView('triangle-alert')}<div><p>${words.t('notification.address_invalid', { email: invalidEmail })}</p></div></div>`}
${cardView({
  body: html`<p class="muted">${words.t('notification.settings_intro')} <a href="${NEWS}">${words.t('notification.to_list')}</a></p>
${formView({
  words,
  csrfToken,
  action: SETTINGS,
  submit: words.t('notification.save'),
  fields: html`${group(
    words.t('notification.for_me'),
    chosen.filter((kind) => !isForResponsibles(kind)),
    'kinds-own',
  )}${group(words.t('notification.for_planning'), chosen.filter(isForResponsibles), 'kinds-planning')}<p class="help">${words.t('notification.always')}</p>`,
})}`,
})}`
}
