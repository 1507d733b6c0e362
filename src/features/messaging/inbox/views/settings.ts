import type { ChannelName } from '#features/messaging/channels/rules.ts'
import type { NotificationKind, Topic } from '#features/messaging/notification-kinds/rules/kinds.ts'
import type { QuietHours } from '#features/messaging/notification-kinds/rules/quiet-hours.ts'
import { type Channel, type Choices, wants } from '#features/messaging/notifications/rules/channels.ts'
import { attrs, type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { cardView } from '#platform/ui/card.ts'
import { selectField, timeField } from '#platform/ui/fields.ts'
import { formView } from '#platform/ui/form.ts'
import { iconView } from '#platform/ui/icon.ts'
import type { LastWays } from '../queries/mail-choices.ts'
import { groupKinds } from '../rules.ts'
import { REMINDER_HOURS } from '../schema.ts'
import { SETTINGS_PATH } from './inbox.ts'

type SettingsData = {
  words: Words
  csrfToken: string
  kinds: readonly NotificationKind[]
  /** Those that concern the person. */
  topics: readonly Topic[]
  choices: Choices
  /** Whether the person has a device for push messages. */
  hasPush: boolean
  /** Those of extensions that the person has linked. */
  channels: readonly { name: ChannelName; label: string }[]
  /** For push messages and channels. */
  cards: readonly Html[]
  invalidEmail: string | undefined
  /** Hours before a shift. `own` null: as usual in the organisation. */
  reminder: { own: number | null; usual: number }
  /** `from` empty: none. */
  quiet: QuietHours
  lastWays: LastWays
}

/** Whole days as days. */
const hoursText = (words: Words, hours: number): string =>
  hours >= 24 && hours % 24 === 0
    ? words.t('notification.days_before', { count: hours / 24 })
    : words.t('notification.hours_before', { count: hours })

const introKey = (hasPush: boolean, hasChannels: boolean) =>
  hasChannels
    ? ('notification.settings_intro_channels' as const)
    : hasPush
      ? ('notification.settings_intro_push' as const)
      : ('notification.settings_intro' as const)

const WAYS = ['push', 'mail', 'both', 'channel', 'site'] as const

function lastWaysText(words: Words, ways: LastWays): string {
  const count = WAYS.reduce((sum, way) => sum + ways[way], 0)
  if (count === 0) return words.t('notification.last_none')
  const used = WAYS.filter((way) => ways[way] > 0)
  if (count === 1) return words.t(`notification.only_${used[0]!}`)
  const parts = used.map((way) => words.t(`notification.last_${way}`, { count: ways[way] }))
  return words.t('notification.last', { count, ways: parts.join(', ') })
}

export function notificationSettingsView(data: SettingsData): Html {
  const { words, csrfToken, reminder, quiet, invalidEmail, hasPush, channels, cards } = data
  const hours = [...new Set([...REMINDER_HOURS, ...(reminder.own === null ? [] : [reminder.own])])].sort((a, b) => a - b)
  const reminderField = selectField({
    words,
    name: 'reminder_hours',
    label: words.t('notification.reminder_hours'),
    value: reminder.own === null ? '' : String(reminder.own),
    placeholder: words.t('notification.reminder_usual', { time: hoursText(words, reminder.usual) }),
    options: hours.map((value) => ({ value: String(value), label: hoursText(words, value) })),
  })
  const quietField = (name: 'quiet_from' | 'quiet_to', value: string) =>
    timeField({ words, name, label: words.t(`notification.${name}`), value })
  const groups = groupKinds(data.kinds, data.topics)
  return html`${invalidEmail && html`<div class="notice tone-bad">${iconView('triangle-alert')}<div><p>${words.t('notification.address_invalid', { email: invalidEmail })} <a href="/settings/profile/address/">${words.t('notification.address_link')}</a></p></div></div>`}
${cardView({
  body: html`<p class="muted">${words.t(introKey(hasPush, channels.length > 0))} ${lastWaysText(words, data.lastWays)}</p>
${formView({
  words,
  csrfToken,
  action: SETTINGS_PATH,
  submit: words.t('notification.save'),
  fields: html`${hasPush && html`<input type="hidden" name="with_push" value="1">`}${channels.map(({ name }) => html`<input type="hidden" name="shown_channels" value="${name}">`)}${groups.map((group) => topicView(data, group))}${reminderField}<div class="quiet-hours">${quietField('quiet_from', quiet.from)}${quietField('quiet_to', quiet.to)}</div><p class="help">${words.t('notification.quiet_help')}</p><p class="help">${words.t('notification.always')}</p>`,
})}`,
})}
${cards}`
}

/** One switch for all kinds of a topic; each kind and channel is folded. */
function topicView(
  { words, choices, hasPush, channels: linked }: SettingsData,
  { topic, kinds }: { topic: Topic; kinds: NotificationKind[] },
): Html {
  const channels: Box[] = [
    { channel: 'mail', field: 'kinds', label: words.t('notification.channel_mail') },
    ...(hasPush ? [{ channel: 'push' as const, field: 'push_kinds', label: words.t('notification.channel_push') }] : []),
    ...linked.map(({ name, label }) => ({ channel: name, field: 'channel_kinds', label })),
  ]
  const isWanted = (kind: NotificationKind) => channels.some(({ channel }) => wants(channel, kind, choices))
  const isOn = kinds.some(isWanted)
  const id = `topic-${topic}`
  // The switch says it all.
  const isOne = kinds.length === 1 && channels.length === 1
  const hidden = (name: string) => html`<input type="hidden" name="${name}" value="${topic}">`
  return html`<div class="topic"><label class="choice" for="${id}"><input ${attrs({ id, type: 'checkbox', name: 'topics', value: topic, checked: isOn })}><span>${words.t(`notification.topic_${topic}`)}</span></label>${hidden('shown_topics')}${isOn && hidden('former_topics')}${
    isOne
      ? isOn && html`<input type="hidden" name="kinds" value="${kinds[0]!.name}">`
      : html`<details><summary>${words.t('notification.topic_details', { wanted: kinds.filter(isWanted).length, all: kinds.length })}<span class="sr-only">: ${words.t(`notification.topic_${topic}`)}</span></summary><div class="channels">${kinds.map((kind) => kindView({ words, choices, channels }, kind))}</div></details>`
  }</div>`
}

type Box = { channel: Channel; field: string; label: string }
type Channels = { words: Words; choices: Choices; channels: readonly Box[] }

function kindView({ words, choices, channels }: Channels, kind: NotificationKind): Html {
  const id = `kind-${kind.name}`
  const box = ({ channel, field, label }: Box) => {
    const value = field === 'channel_kinds' ? `${channel} ${kind.name}` : kind.name
    return html`<label class="channel"><input ${attrs({ type: 'checkbox', name: field, value, checked: wants(channel, kind, choices), 'aria-describedby': id })}><span>${label}</span></label>`
  }
  return html`<div class="channel-row"><p id="${id}">${words.t(`notification.${kind.name}.label`)}<small>${words.t(`notification.${kind.name}.help`)}</small></p>${channels.map(box)}</div>`
}
