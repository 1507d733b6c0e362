import { INSTANCE } from '#features/operations/settings/views.ts'
import type { RetentionRule } from '#platform/features/retention.ts'
import { permission, staff } from '#platform/http/access.ts'
import { actionPage, formPage, type Page } from '#platform/http/page.ts'
import { confirmView } from '#platform/ui/confirm.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { manageCrumbs } from '#platform/ui/manage.ts'
import { decideErasure } from '../commands/erasure-requests.ts'
import { changePrivacySettings, queueRetention } from '../commands/retention.ts'
import { findErasureRequests } from '../queries/erasure-requests.ts'
import { findInactiveAccounts, findRuns, previewRules } from '../queries/retention.ts'
import { getPrivacySettings } from '../queries/settings.ts'
import { daysBefore } from '../rules/erasure.ts'
import { privacyForm } from '../schema.ts'
import { PRIVACY, privacyView } from '../views/manage.ts'

const MAX_SUGGESTED = 50

const settingsPage = (rules: readonly RetentionRule[]): Page =>
  formPage({
    path: PRIVACY,
    access: staff,
    form: privacyForm.schema,
    show: async ({ context, csrfToken }, refused) => {
      const { db, words, now } = context
      const settings = await getPrivacySettings(db)
      const days = settings.retention_accounts_days
      const [previews, runs, requests, accounts] = await Promise.all([
        previewRules(db, rules, now),
        findRuns(db),
        findErasureRequests(db),
        days ? findInactiveAccounts(db, daysBefore(now, days), MAX_SUGGESTED) : [],
      ])
      const main = privacyView({
        words,
        now,
        csrfToken,
        state: refused ?? privacyForm.state(settings),
        previews,
        runs,
        requests,
        needsApproval: settings.erasure_needs_approval,
        inactive: { days, accounts },
        settingsPath: INSTANCE,
      })
      return { title: words.t('privacy.place'), breadcrumb: manageCrumbs(words), main }
    },
    submit: async ({ context: { words }, commandContext }, form) => {
      const isChanged = await changePrivacySettings(commandContext, form)
      const flash = isChanged
        ? { kind: 'good' as const, text: words.t('privacy.saved') }
        : { kind: 'info' as const, text: words.t('privacy.unchanged') }
      return { redirect: PRIVACY, flash }
    },
  })

const runPage = formPage({
  path: `${PRIVACY}run/`,
  access: staff,
  form: emptyForm,
  show: async ({ context: { words }, csrfToken }) => {
    const title = words.t('privacy.run_title')
    const main = confirmView({
      words,
      title,
      consequences: [words.t('privacy.run_first'), words.t('privacy.run_second')],
      action: `${PRIVACY}run/`,
      csrfToken,
      submit: words.t('privacy.run_now'),
      cancel: { href: PRIVACY },
    })
    return { title, breadcrumb: manageCrumbs(words, { href: PRIVACY, label: words.t('privacy.place') }), main }
  },
  submit: async ({ context: { words }, commandContext }) => {
    await queueRetention(commandContext)
    return { redirect: PRIVACY, flash: { kind: 'good', text: words.t('privacy.run_started') } }
  },
})

const decidePage = (what: 'agree' | 'refuse'): Page =>
  actionPage({
    path: `${PRIVACY}requests/{id}/${what}/`,
    access: permission('delete_user'),
    form: emptyForm,
    submit: async ({ context: { words }, commandContext, path }) => {
      const outcome = await decideErasure(commandContext, { userId: Number(path.id), agrees: what === 'agree' })
      if (!outcome.ok) return { redirect: PRIVACY, flash: { kind: 'bad', text: words.t(`privacy.decide_${outcome.reason}`) } }
      const text = words.t(what === 'agree' ? 'privacy.agreed' : 'privacy.refused', { name: outcome.name })
      return { redirect: PRIVACY, flash: { kind: 'good', text } }
    },
  })

export const privacyManagePages = (rules: readonly RetentionRule[]): Page[] => [
  settingsPage(rules),
  runPage,
  decidePage('agree'),
  decidePage('refuse'),
]
