import { z } from 'zod'
import { settingsView } from '#features/users/views/settings.ts'
import { html } from '#platform/html/html.ts'
import { open, signedIn } from '#platform/http/access.ts'
import { actionPage, formPage, type Page, viewPage } from '#platform/http/page.ts'
import { Problem } from '#platform/http/problem.ts'
import { assetUrl } from '#platform/ui/assets.ts'
import { confirmView } from '#platform/ui/confirm.ts'
import { linkButtonView } from '#platform/ui/form.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { markRead } from '../commands/read.ts'
import { chooseMails, readSwitchOff, switchOff } from '../commands/switch-off.ts'
import { getChoices, wantedKinds } from '../queries/choices.ts'
import { findNews } from '../queries/news.ts'
import { settingsForm, unsubscribeForm } from '../schema.ts'
import { NEWS, newsView, SETTINGS } from '../views/news.ts'
import { notificationSettingsView } from '../views/settings.ts'

const MOST_SHOWN = 100

const newsPage = viewPage({
  path: NEWS,
  access: signedIn,
  show: async ({ context, csrfToken }) => {
    const { words, now } = context
    const main = newsView({ words, now, csrfToken, news: await findNews(context, MOST_SHOWN) })
    return { title: words.t('notification.title'), main, head: stylesheet() }
  },
})

export const stylesheet = () => html`<link rel="stylesheet" href="${assetUrl('news.css')}">`

const readAction = actionPage({
  path: `${NEWS}read/`,
  access: signedIn,
  form: z.object({ up_to: z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER) }),
  submit: async ({ context, commandContext }, { up_to }) => {
    await markRead(commandContext, up_to)
    return { redirect: NEWS, flash: { kind: 'good', text: context.words.t('notification.all_read') } }
  },
})

const settingsPage = formPage({
  path: SETTINGS,
  access: signedIn,
  form: settingsForm,
  show: async ({ context, csrfToken }) => {
    const { words, db, actor } = context
    const choices = actor.kind === 'user' ? await getChoices(db, actor.userId) : undefined
    if (!choices) throw new Problem('not_found')
    const main = notificationSettingsView({
      words,
      csrfToken,
      wanted: wantedKinds(choices),
      invalidEmail: choices.email_invalid ? choices.email : undefined,
    })
    return { title: words.t('notification.settings'), main: settingsView({ words, current: 'notifications', main }) }
  },
  submit: async ({ context, commandContext }, { kinds }) => {
    await chooseMails(commandContext, kinds)
    return { redirect: SETTINGS, flash: { kind: 'good', text: context.words.t('notification.saved') } }
  },
})

/** What the link in a mail leads to. Mail programs post there without asking anybody (RFC 8058), people are asked first. */
const switchOffPage = formPage({
  path: `${NEWS}off/{token}/`,
  access: open('the address is signed, and switches one kind of mail off'),
  isAuthorizedByUrl: true,
  form: unsubscribeForm,
  show: async ({ context, path, csrfToken, url }) => {
    const { words } = context
    const wish = readSwitchOff(context.site.keyring, path.token!)
    const choices = wish && (await getChoices(context.db, wish.userId))
    if (!choices) throw new Problem('not_found')
    const kind = words.t(`notification.kind.${wish.kind}`)
    const main = confirmView({
      words,
      csrfToken,
      action: url,
      danger: false,
      title: words.t('notification.off_title', { kind }),
      text: words.t('notification.off_text'),
      consequences: [words.t('notification.off_consequence'), words.t('notification.off_consequence_settings')],
      submit: words.t('notification.off_submit'),
      cancel: { href: '/', label: words.t('notification.off_cancel') },
    })
    return { title: words.t('notification.off_title', { kind }), main, bare: true }
  },
  submit: async ({ context, commandContext, path }) => {
    const { words } = context
    const wish = readSwitchOff(context.site.keyring, path.token!)
    if (!wish) throw new Problem('not_found')
    await switchOff(commandContext, wish)
    const kind = words.t(`notification.kind.${wish.kind}`)
    const main = html`${pageHeadView({ title: words.t('notification.off_done_title') })}<p>${words.t('notification.off_done', { kind })}</p><p>${linkButtonView({ href: SETTINGS, label: words.t('notification.choose') })}</p>`
    return { title: words.t('notification.off_done_title'), main, bare: true }
  },
})

export const newsPages: Page[] = [newsPage, readAction, settingsPage, switchOffPage]
