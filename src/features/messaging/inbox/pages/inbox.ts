import { z } from 'zod'
import { markRead } from '#features/messaging/notifications/commands/notifications.ts'
import { translateTitles } from '#features/messaging/notifications/queries/event-titles.ts'
import { html } from '#platform/html/html.ts'
import { signedIn } from '#platform/http/access.ts'
import { actionPage, type Page, viewPage } from '#platform/http/page.ts'
import { assetUrl } from '#platform/ui/assets.ts'
import { findInbox } from '../queries/inbox.ts'
import { INBOX_PATH, inboxView } from '../views/inbox.ts'

const MAX_SHOWN = 100

const stylesheet = () => html`<link rel="stylesheet" href="${assetUrl('notifications.css')}">`

const inboxPage = viewPage({
  path: INBOX_PATH,
  isPersonal: true,
  access: signedIn,
  show: async ({ context, csrfToken }) => {
    const { words, now } = context
    const notifications = await translateTitles(context, await findInbox(context, MAX_SHOWN))
    const main = inboxView({ words, now, csrfToken, notifications })
    return { title: words.t('notification.title'), main, head: stylesheet() }
  },
})

const markReadAction = actionPage({
  path: `${INBOX_PATH}read/`,
  access: signedIn,
  form: z.object({ up_to: z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER) }),
  submit: async ({ context, commandContext }, { up_to }) => {
    await markRead(commandContext, up_to)
    return { redirect: INBOX_PATH, flash: { kind: 'good', text: context.words.t('notification.all_read') } }
  },
})

export const inboxPages: Page[] = [inboxPage, markReadAction]
