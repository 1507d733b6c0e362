import type { NotificationKind } from '#features/messaging/notification-kinds/rules/kinds.ts'
import { type Channel, type Choices, canSwitchOff, wants } from '#features/messaging/notifications/rules/channels.ts'
import { attrs, type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { cardView } from '#platform/ui/card.ts'
import { checkboxGroup, selectField } from '#platform/ui/fields.ts'
import { formView } from '#platform/ui/form.ts'
import { iconView } from '#platform/ui/icon.ts'
import { REMINDER_HOURS } from '../schema.ts'
import { INBOX_PATH, SETTINGS_PATH } from './inbox.ts'

type SettingsData = {
  words: Words
  csrfToken: string
  kinds: readonly NotificationKind[]
  choices: Choices
  /** Whether the person has a device for push messages. */
  hasPush: boolean
  pushCard: Html
  invalidEmail: string | undefined
  /** Hours before a shift. `own` null: as usual in the organisation. */
  reminder: { own: number | null; usual: number }
}

/** Whole days as days. */
const hoursText = (words: Words, hours: number): string =>
  hours >= 24 && hours % 24 === 0
    ? words.t('notification.days_before', { count: hours / 24 })
    : words.t('notification.hours_before', { count: hours })

export function notificationSettingsView(data: SettingsData): Html {
  const { words, csrfToken, choices, reminder, invalidEmail, hasPush, pushCard } = data
  const hours = [...new Set([...REMINDER_HOURS, ...(reminder.own === null ? [] : [reminder.own])])].sort((a, b) => a - b)
  const reminderField = selectField({
    words,
    name: 'reminder_hours',
    label: words.t('notification.reminder_hours'),
    value: reminder.own === null ? '' : String(reminder.own),
    placeholder: words.t('notification.reminder_usual', { time: hoursText(words, reminder.usual) }),
    options: hours.map((value) => ({ value: String(value), label: hoursText(words, value) })),
  })
  const channels: Channel[] = hasPush ? ['mail', 'push'] : ['mail']
  const group = (id: string, label: string, role: NotificationKind['role']): Html => {
    const kinds = data.kinds.filter((kind) => kind.role === role && canSwitchOff(kind))
    if (hasPush) return channelMatrix({ words, id, label, kinds, channels, choices })
    return checkboxGroup({
      words,
      name: 'kinds',
      id,
      label,
      values: kinds.filter((kind) => wants('mail', kind, choices)).map(({ name }) => name),
      options: kinds.map(({ name }) => ({
        value: name,
        label: words.t(`notification.${name}.label`),
        help: words.t(`notification.${name}.help`),
      })),
    })
  }
  return html`${invalidEmail && html`<div class="notice tone-bad">${iconView('triangle-alert')}<div><p>${words.t('notification.address_invalid', { email: invalidEmail })} <a href="/settings/profile/address/">${words.t('notification.address_link')}</a></p></div></div>`}
${cardView({
  body: html`<p class="muted">${words.t(hasPush ? 'notification.settings_intro_push' : 'notification.settings_intro')} <a href="${INBOX_PATH}">${words.t('notification.to_inbox')}</a></p>
${formView({
  words,
  csrfToken,
  action: SETTINGS_PATH,
  submit: words.t('notification.save'),
  fields: html`${hasPush && html`<input type="hidden" name="with_push" value="1">`}${group('kinds-own', words.t('notification.for_me'), 'participant')}${reminderField}${group('kinds-planning', words.t('notification.for_planning'), 'responsible')}<p class="help">${words.t('notification.always')}</p>`,
})}`,
})}
${pushCard}`
}

/** One row per kind, one column per channel. */
function channelMatrix({
  words,
  id,
  label,
  kinds,
  channels,
  choices,
}: {
  words: Words
  id: string
  label: string
  kinds: readonly NotificationKind[]
  channels: readonly Channel[]
  choices: Choices
}): Html {
  const box = (kind: NotificationKind, channel: Channel) =>
    html`<label class="channel"><input ${attrs({ type: 'checkbox', name: channel === 'mail' ? 'kinds' : 'push_kinds', value: kind.name, checked: wants(channel, kind, choices), 'aria-describedby': `${id}-${kind.name}` })}><span>${words.t(`notification.channel_${channel}`)}</span></label>`
  return html`<fieldset class="field group channels"><legend>${label}</legend>${kinds.map(
    (kind) =>
      html`<div class="channel-row"><p id="${id}-${kind.name}">${words.t(`notification.${kind.name}.label`)}<small>${words.t(`notification.${kind.name}.help`)}</small></p>${channels.map((channel) => box(kind, channel))}</div>`,
  )}</fieldset>`
}
