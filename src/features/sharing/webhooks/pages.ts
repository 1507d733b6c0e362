import { settingsCrumbs, settingsView } from '#features/accounts/users/views/settings.ts'
import type { PageAccess } from '#platform/http/access.ts'
import { signedIn, staff } from '#platform/http/access.ts'
import { actionPage, formPage, type Page, type PageBody, type PageRequest, viewPage } from '#platform/http/page.ts'
import { Problem, requireFound } from '#platform/http/problem.ts'
import type { Words } from '#platform/i18n/words.ts'
import { confirmView } from '#platform/ui/confirm.ts'
import type { FormError } from '#platform/ui/form.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { isOwner } from './access.ts'
import { askForResend, askForTest } from './commands/ask.ts'
import { changeWebhook, createWebhook, deleteWebhook, rotateWebhookSecret, setWebhookActive } from './commands/webhooks.ts'
import { findDeliveries } from './queries/deliveries.ts'
import { findWebhooks, getWebhook, type Webhook } from './queries/webhooks.ts'
import type { WebhookRefusal } from './rules/webhooks.ts'
import { rotationForm, webhookForm } from './schema.ts'
import { ALL, hostOf, manageListView, OWN, ownListView } from './views/list.ts'
import { refusalText } from './views/refusal.ts'
import { editWebhookView, kindLabel, newWebhookView, rotationView, secretView, webhookView } from './views/webhook.ts'

type Base = typeof OWN | typeof ALL
type Request = PageRequest<{ id: number }>

/** 404 for webhooks of others, except on the pages of administrators. */
async function requireWebhook({ context, path }: Request, base: Base): Promise<Webhook> {
  const webhook = await getWebhook(context.db, path.id)
  if (!webhook || (base === OWN && !isOwner(context.actor, webhook))) throw new Problem('not_found')
  return webhook
}

const crumbs = (words: Words, base: Base, webhook?: Webhook) => [
  ...(base === OWN ? settingsCrumbs(words, 'webhooks') : [{ href: ALL, label: words.t('webhooks.title') }]),
  ...(webhook ? [{ href: `${base}${webhook.id}/`, label: webhook.name }] : []),
]

const ownListPage = viewPage({
  path: OWN,
  access: signedIn,
  show: async ({ context }) => {
    const { words, now, db, actor } = context
    const webhooks = await findWebhooks(db, actor.userId)
    const main = settingsView({ context, current: 'webhooks', main: ownListView({ words, now, webhooks }) })
    return { title: words.t('webhooks.title'), main }
  },
})

const manageListPage = viewPage({
  path: ALL,
  access: staff,
  show: async ({ context: { words, now, db } }) => ({
    title: words.t('webhooks.title'),
    main: manageListView({ words, now, webhooks: await findWebhooks(db, 'all') }),
  }),
})

const refusalErrors = (words: Words, refusals: readonly WebhookRefusal[]): FormError[] =>
  refusals.map((refusal) => ({ field: refusal.field, text: refusalText(words, refusal, (kind) => kindLabel(words, kind)) }))

/** Not cached and not stored in readable form, so it cannot be shown again. */
const secretBody = (words: Words, made: { id: number; name: string; secret: string }): PageBody => ({
  title: words.t('webhooks.secret_title', { name: made.name }),
  headers: { 'cache-control': 'no-store' },
  breadcrumb: crumbs(words, OWN),
  main: secretView({ words, ...made }),
})

const newPage = formPage({
  path: `${OWN}new/`,
  requires: 'recentSignIn',
  access: signedIn,
  form: webhookForm.schema,
  show: async ({ context: { words }, csrfToken }, refused) => ({
    title: words.t('webhooks.new_title'),
    breadcrumb: crumbs(words, OWN),
    main: newWebhookView({
      words,
      csrfToken,
      action: `${OWN}new/`,
      state: refused,
      submit: words.t('webhooks.create'),
      back: OWN,
    }),
  }),
  submit: async ({ context: { words }, commandContext }, form) => {
    const made = await createWebhook(commandContext, { ...form, active: true })
    return made.ok ? secretBody(words, { ...made, name: form.name }) : { refused: refusalErrors(words, made.refusals) }
  },
})

const editPage = formPage({
  path: `${OWN}{id}/edit/`,
  requires: 'recentSignIn',
  access: signedIn,
  form: webhookForm.schema,
  show: async (request, refused) => {
    const webhook = await requireWebhook(request, OWN)
    const { words } = request.context
    const { id, name, url, kinds, scopes, description, includesRecord } = webhook
    const back = `${OWN}${id}/`
    const shared = { words, csrfToken: request.csrfToken, action: `${back}edit/`, submit: words.t('webhooks.save'), back, name }
    const state = refused ?? webhookForm.state({ name, url, kinds, scopes, description, include_record: includesRecord })
    return {
      title: words.t('webhooks.edit_title', { name }),
      breadcrumb: crumbs(words, OWN, webhook),
      main: editWebhookView({ ...shared, state }),
    }
  },
  submit: async (request, form) => {
    const { id } = await requireWebhook(request, OWN)
    const { words } = request.context
    const outcome = requireFound(await changeWebhook(request.commandContext, id, form))
    if (!outcome.ok) return { refused: refusalErrors(words, outcome.refusals) }
    return { redirect: `${OWN}${id}/`, flash: { kind: 'good', text: words.t('webhooks.saved', { name: form.name }) } }
  },
})

const rotatePage = formPage({
  path: `${OWN}{id}/rotate/`,
  requires: 'recentSignIn',
  access: signedIn,
  form: rotationForm.schema,
  show: async (request, refused) => {
    const webhook = await requireWebhook(request, OWN)
    const { words } = request.context
    return {
      title: words.t('webhooks.rotate_title', { name: webhook.name }),
      breadcrumb: crumbs(words, OWN, webhook),
      main: rotationView({ words, csrfToken: request.csrfToken, webhook, state: refused }),
    }
  },
  submit: async (request, { overlap_hours: hours }) => {
    const { id, name } = await requireWebhook(request, OWN)
    const { secret } = requireFound(await rotateWebhookSecret(request.commandContext, id, hours))
    return secretBody(request.context.words, { id, name, secret })
  },
})

const testPage = actionPage({
  path: `${OWN}{id}/test/`,
  access: signedIn,
  form: emptyForm,
  submit: async (request) => {
    const { id } = await requireWebhook(request, OWN)
    requireFound(await askForTest(request.commandContext, id))
    return { redirect: `${OWN}${id}/`, flash: { kind: 'good', text: request.context.words.t('webhooks.test_sent') } }
  },
})

const resendPage = actionPage({
  path: `${OWN}{id}/deliveries/{delivery}/resend/`,
  access: signedIn,
  form: emptyForm,
  submit: async (request) => {
    const { id } = await requireWebhook(request, OWN)
    const { words } = request.context
    const outcome = requireFound(await askForResend(request.commandContext, id, request.path.delivery))
    const text = words.t(outcome.ok ? 'webhooks.resent' : 'webhooks.still_waiting')
    return { redirect: `${OWN}${id}/`, flash: { kind: 'good', text } }
  },
})

const SHOWN_DELIVERIES = 50

/** Pages that owners have below their account, and administrators for all webhooks. */
const sharedPages = (base: Base, access: PageAccess): Page[] => [
  viewPage({
    path: `${base}{id}/`,
    access,
    show: async (request) => {
      const webhook = await requireWebhook(request, base)
      const { words, now, db, actor } = request.context
      const given = new URL(request.url, 'http://localhost').searchParams.get('before') ?? ''
      const before = /^\d{1,15}$/.test(given) ? Number(given) : undefined
      const found = await findDeliveries(db, webhook.id, { limit: SHOWN_DELIVERIES + 1, before })
      const deliveries = found.slice(0, SHOWN_DELIVERIES)
      const older = found.length > SHOWN_DELIVERIES ? `${base}${webhook.id}/?before=${deliveries.at(-1)!.id}` : undefined
      // Address and secret are changed below the own account.
      const isOwnerHere = base === OWN && isOwner(actor, webhook)
      const shared = { words, now, csrfToken: request.csrfToken, webhook, deliveries, older, base }
      return {
        title: webhook.name,
        breadcrumb: crumbs(words, base),
        main: webhookView({ ...shared, isOwner: isOwnerHere }),
        live: true,
      }
    },
  }),
  ...(['pause', 'resume'] as const).map((what) =>
    actionPage({
      path: `${base}{id}/${what}/`,
      access,
      form: emptyForm,
      submit: async (request) => {
        const { id, name } = await requireWebhook(request as Request, base)
        requireFound(await setWebhookActive(request.commandContext, id, what === 'resume'))
        const text = request.context.words.t(what === 'resume' ? 'webhooks.resumed' : 'webhooks.paused', { name })
        return { redirect: `${base}${id}/`, flash: { kind: 'good', text } }
      },
    }),
  ),
  formPage({
    path: `${base}{id}/delete/`,
    access,
    form: emptyForm,
    show: async (request) => {
      const webhook = await requireWebhook(request, base)
      const { words } = request.context
      const { id, name, url } = webhook
      const title = words.t('webhooks.delete_title', { name })
      const main = confirmView({
        words,
        title,
        consequences: [
          words.t('webhooks.delete_first', { host: hostOf(url) }),
          words.t('webhooks.delete_second'),
          words.t('webhooks.delete_third'),
        ],
        action: `${base}${id}/delete/`,
        csrfToken: request.csrfToken,
        submit: words.t('webhooks.delete_submit'),
        cancel: { href: `${base}${id}/` },
      })
      return { title, breadcrumb: crumbs(words, base, webhook), main }
    },
    submit: async (request) => {
      const { id, name } = await requireWebhook(request, base)
      requireFound(await deleteWebhook(request.commandContext, id))
      return { redirect: base, flash: { kind: 'good', text: request.context.words.t('webhooks.deleted', { name }) } }
    },
  }),
]

export const webhookPages: Page[] = [
  ownListPage,
  newPage,
  ...sharedPages(OWN, signedIn),
  editPage,
  rotatePage,
  testPage,
  resendPage,
  manageListPage,
  ...sharedPages(ALL, staff),
]
