import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { cardView } from '#platform/ui/card.ts'
import { checkboxGroup, selectField } from '#platform/ui/fields.ts'
import { formView } from '#platform/ui/form.ts'
import { iconView } from '#platform/ui/icon.ts'
import { KINDS, type Kind } from '../kinds/registry.ts'
import { canSwitchOff, type MailChoices, wantsMail } from '../rules/mail-choices.ts'
import { REMINDER_HOURS } from '../schema.ts'
import { INBOX_PATH, SETTINGS_PATH } from './inbox.ts'

type MailSettingsData = {
  words: Words
  csrfToken: string
  choices: MailChoices
  invalidEmail: string | undefined
  /** Hours before a shift. `own` null: as usual in the organisation. */
  reminder: { own: number | null; usual: number }
}

/** Whole days as days. */
const hoursText = (words: Words, hours: number): string =>
  hours >= 24 && hours % 24 === 0
    ? words.t('notification.days_before', { count: hours / 24 })
    : words.t('notification.hours_before', { count: hours })

export function mailSettingsView({ words, csrfToken, choices, reminder, invalidEmail }: MailSettingsData): Html {
  const hours = [...new Set([...REMINDER_HOURS, ...(reminder.own === null ? [] : [reminder.own])])].sort((a, b) => a - b)
  const reminderField = selectField({
    words,
    name: 'reminder_hours',
    label: words.t('notification.reminder_hours'),
    value: reminder.own === null ? '' : String(reminder.own),
    placeholder: words.t('notification.reminder_usual', { time: hoursText(words, reminder.usual) }),
    options: hours.map((value) => ({ value: String(value), label: hoursText(words, value) })),
  })
  const wanted = KINDS.filter((kind) => wantsMail(kind, choices)).map(({ name }) => name)
  const group = (id: string, label: string, role: Kind['role']) =>
    checkboxGroup({
      words,
      name: 'kinds',
      id,
      label,
      values: wanted,
      options: KINDS.filter((kind) => kind.role === role && canSwitchOff(kind)).map(({ name }) => ({
        value: name,
        label: words.t(`notification.${name}.label`),
        help: words.t(`notification.${name}.help`),
      })),
    })
  return html`${invalidEmail && html`<div class="notice tone-bad">${iconView('triangle-alert')}<div><p>${words.t('notification.address_invalid', { email: invalidEmail })}</p></div></div>`}
${cardView({
  body: html`<p class="muted">${words.t('notification.settings_intro')} <a href="${INBOX_PATH}">${words.t('notification.to_inbox')}</a></p>
${formView({
  words,
  csrfToken,
  action: SETTINGS_PATH,
  submit: words.t('notification.save'),
  fields: html`${group('kinds-own', words.t('notification.for_me'), 'participant')}${reminderField}${group('kinds-planning', words.t('notification.for_planning'), 'responsible')}<p class="help">${words.t('notification.always')}</p>`,
})}`,
})}`
}
