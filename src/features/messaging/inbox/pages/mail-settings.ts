import { formatDevice } from '#features/access/sign-in/views/devices.ts'
import { settingsView } from '#features/accounts/users/views/settings.ts'
import { plansEvents } from '#features/events/events/queries/planned-events.ts'
import { findOwnChannels } from '#features/messaging/channels/queries.ts'
import { channelCardView } from '#features/messaging/channels/views.ts'
import { type NotificationKind, TOPICS } from '#features/messaging/notification-kinds/rules/kinds.ts'
import { NIGHT, readQuietHours } from '#features/messaging/notification-kinds/rules/quiet-hours.ts'
import { kindsOf } from '#features/messaging/notifications/queries/kinds.ts'
import { readUnsubscribeToken } from '#features/messaging/notifications/queries/unsubscribe-tokens.ts'
import { findPushDevices } from '#features/messaging/push/queries.ts'
import { pushCardView } from '#features/messaging/push/views.ts'
import { getSettings } from '#features/operations/settings/queries.ts'
import { reminderSettings } from '#features/staffing/participations/schema.ts'
import { hasPermission } from '#platform/auth/actor.ts'
import { hashSecret } from '#platform/auth/secrets.ts'
import { html } from '#platform/html/html.ts'
import { open, signedIn } from '#platform/http/access.ts'
import { formPage, type Page } from '#platform/http/page.ts'
import { Problem, requireFound } from '#platform/http/problem.ts'
import type { Words } from '#platform/i18n/words.ts'
import { isAddress } from '#platform/no-address.ts'
import { assetUrl } from '#platform/ui/assets.ts'
import { confirmView } from '#platform/ui/confirm.ts'
import { linkButtonView } from '#platform/ui/form.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { chooseChannels, unsubscribe } from '../commands.ts'
import { countLastWays, findHiddenKinds, getMailChoices } from '../queries/mail-choices.ts'
import { settingsForm, unsubscribeForm } from '../schema.ts'
import { INBOX_PATH, SETTINGS_PATH } from '../views/inbox.ts'
import { notificationSettingsView } from '../views/settings.ts'

/** Who may do this is told about requests of others. */
const PLANNING = ['add_event', 'decide_working_hours_for_group'] as const

const settingsPage = formPage({
  path: SETTINGS_PATH,
  access: signedIn,
  form: settingsForm,
  show: async ({ context, csrfToken, browser }) => {
    const { words, now, db, actor } = context
    if (actor.kind !== 'user') throw new Problem('not_found')
    const choices = requireFound(await getMailChoices(db, actor.userId))
    const invalidEmail = choices.email_invalid && isAddress(choices.email) ? choices.email : undefined
    const { reminder_hours: usualHours } = await getSettings(db, reminderSettings)
    const reminder = { own: choices.reminder_hours, usual: usualHours }
    const deviceHash = hashSecret(browser.device)
    const devices = (await findPushDevices(db, actor.userId)).map((device) => ({
      ...device,
      name: formatDevice(words, device.userAgent),
      isThis: device.deviceHash.equals(deviceHash),
    }))
    const quiet = choices.quiet_hours === null ? { from: '', to: NIGHT.to } : readQuietHours(choices.quiet_hours)
    const ownChannels = await findOwnChannels(db, context.site, actor.userId)
    const cards = [
      pushCardView({ words, now, csrfToken, devices }),
      ...ownChannels.map((own) => channelCardView({ words, csrfToken, ...own })),
    ]
    const hasPush = devices.length > 0
    const kinds = kindsOf(context.site)
    const hidden = await findHiddenKinds(db, kinds, actor.userId)
    const isPlanner = PLANNING.some((permission) => hasPermission(actor, permission)) || (await plansEvents(context))
    const main = notificationSettingsView({
      words,
      csrfToken,
      kinds: kinds.filter(({ name }) => !hidden.has(name)),
      topics: TOPICS.filter((topic) => topic !== 'planning' || isPlanner),
      choices,
      reminder,
      quiet,
      lastWays: await countLastWays(db, actor.userId, context.site),
      invalidEmail,
      hasPush,
      channels: ownChannels.flatMap(({ channel, link }) => (link ? [{ name: channel.name, label: channel.label(words) }] : [])),
      cards,
    })
    const head = html`<link rel="stylesheet" href="${assetUrl('notifications.css')}">`
    return { title: words.t('notification.settings'), head, main: settingsView({ context, current: 'notifications', main }) }
  },
  submit: async ({ context, commandContext }, settings) => {
    await chooseChannels(commandContext, settings)
    return { redirect: SETTINGS_PATH, flash: { kind: 'good', text: context.words.t('notification.saved') } }
  },
})

const labelsOf = (words: Words, kinds: readonly NotificationKind[]): string =>
  words.list(kinds.map(({ name }) => words.t('notification.quote', { text: words.t(`notification.${name}.label`) })))

/** The link in a mail. Mail clients post at once (RFC 8058); browsers show a confirmation first. */
const unsubscribePage = formPage({
  path: `${INBOX_PATH}off/{token}/`,
  access: open('the signed URL allows switching off some kinds of mail'),
  isAuthorizedByUrl: true,
  form: unsubscribeForm,
  show: async ({ context, path, csrfToken, url }) => {
    const { words } = context
    const unsubscription = readUnsubscribeToken(context.site, path.token)
    const choices = unsubscription && (await getMailChoices(context.db, unsubscription.userId))
    if (!choices) throw new Problem('not_found')
    const title = words.t('notification.off_title', { kinds: labelsOf(words, unsubscription.kinds) })
    const main = confirmView({
      words,
      csrfToken,
      action: url,
      danger: false,
      title,
      text: words.t('notification.off_text'),
      consequences: [words.t('notification.off_consequence'), words.t('notification.off_consequence_settings')],
      submit: words.t('notification.unsubscribe'),
      cancel: { href: '/', label: words.t('notification.off_cancel') },
    })
    return { title, main, bare: true }
  },
  submit: async ({ context, commandContext, path }) => {
    const { words } = context
    const unsubscription = requireFound(readUnsubscribeToken(context.site, path.token))
    await unsubscribe(commandContext, unsubscription)
    const kinds = labelsOf(words, unsubscription.kinds)
    const main = html`${pageHeadView({ title: words.t('notification.off_done_title') })}<p>${words.t('notification.off_done', { kinds })}</p><p>${linkButtonView({ href: SETTINGS_PATH, label: words.t('notification.choose') })}</p>`
    return { title: words.t('notification.off_done_title'), main, bare: true }
  },
})

export const mailSettingsPages: Page[] = [settingsPage, unsubscribePage]
