import { signedIn } from '#platform/http/access.ts'
import { actionPage, type Page, viewPage } from '#platform/http/page.ts'
import { Problem } from '#platform/http/problem.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { addPushDevice, ensurePushKeys, removePushDevice } from './commands/devices.ts'
import { deletePushDevices, type PushContext, sendToDevices } from './commands/sending.ts'
import { findPushTargets } from './queries.ts'
import { pushSubscriptionForm } from './schema.ts'
import { PUSH_PATH } from './views.ts'

const PUSH_CARD = '/settings/notifications/#push'

/** The key that browsers need for a subscription. */
const keyPage = viewPage({
  writes: true,
  path: `${PUSH_PATH}key/`,
  access: signedIn,
  show: async ({ context, commandContext }) => {
    const { publicKey } = await ensurePushKeys(commandContext.db, context.site.keyring, context.now)
    return { content: JSON.stringify({ key: publicKey }), contentType: 'application/json; charset=utf-8' }
  },
})

const subscribePage = actionPage({
  path: PUSH_PATH,
  access: signedIn,
  form: pushSubscriptionForm,
  submit: async ({ context: { words }, commandContext, browser }, form) => {
    await addPushDevice(commandContext, browser, form)
    return { redirect: PUSH_CARD, flash: { kind: 'good', text: words.t('push.turned_on') } }
  },
})

const removePage = actionPage({
  path: `${PUSH_PATH}{id}/remove/`,
  access: signedIn,
  form: emptyForm,
  submit: async ({ context: { words }, commandContext, path }) => {
    if (!(await removePushDevice(commandContext, path.id))) throw new Problem('not_found')
    return { redirect: PUSH_CARD, flash: { kind: 'good', text: words.t('push.removed') } }
  },
})

type TestContext = Omit<PushContext, 'site'>

const testPage = (push: TestContext): Page =>
  actionPage({
    path: `${PUSH_PATH}test/`,
    access: signedIn,
    form: emptyForm,
    submit: async ({ context: { words, actor, site, db }, commandContext }) => {
      const devices = await findPushTargets(db, actor.userId)
      const message = { title: words.t('push.test_title'), body: words.t('push.test_body'), url: '/notifications/', tag: 'test' }
      const { reached, gone, failed } = await sendToDevices({ ...push, site }, devices, [message])
      await deletePushDevices(commandContext.db, gone)
      const count = reached.length
      const text = [
        words.t('push.test_sent', { count }),
        gone.length ? words.t('push.test_gone', { count: gone.length }) : '',
        failed.length ? words.t('push.test_failed', { count: failed.length }) : '',
      ]
      return { redirect: PUSH_CARD, flash: { kind: count ? 'good' : 'warn', text: text.filter(Boolean).join(' ') } }
    },
  })

export const pushPages = (push: TestContext): Page[] => [keyPage, subscribePage, removePage, testPage(push)]
