import { settingsCrumbs, settingsView } from '#features/accounts/users/views/settings.ts'
import { getOrganizationName } from '#features/operations/settings/queries.ts'
import type { PersonalTable } from '#platform/db/personal-table.ts'
import type { FileStore } from '#platform/files/store.ts'
import { signedIn } from '#platform/http/access.ts'
import { actionPage, formPage, type Page, viewPage } from '#platform/http/page.ts'
import type { RateLimiter } from '#platform/http/rate-limiter.ts'
import { confirmView } from '#platform/ui/confirm.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { EMPTY_STATE } from '#platform/ui/form-values.ts'
import { requestErasure, withdrawErasure } from '../commands/erasure-requests.ts'
import { recordExport } from '../commands/exports.ts'
import { getErasureRequest } from '../queries/erasure-requests.ts'
import { getPrivacySettings } from '../queries/settings.ts'
import { AREAS, findOutsideViewers, findViewers } from '../queries/viewers.ts'
import { eraseForm } from '../schema.ts'
import { DATA, dataView } from '../views/data.ts'
import { makeArchive } from './archive.ts'

type OwnDataOptions = { tables: readonly PersonalTable[]; files: FileStore; limiter: RateLimiter }

const dataPage = viewPage({
  path: DATA,
  access: signedIn,
  show: async ({ context, csrfToken }) => {
    const { db, words } = context
    const actor = context.actor
    const [{ groups, totals }, outside, settings, request] = await Promise.all([
      findViewers(context, actor),
      findOutsideViewers(db, actor.userId),
      getPrivacySettings(db),
      getErasureRequest(db, actor.userId),
    ])
    const main = dataView({
      words,
      csrfToken,
      viewers: AREAS.map((area) => ({
        area,
        total: totals.find((total) => total.area === area)?.count ?? 0,
        through: groups.filter((group) => group.area === area),
        // Most people have no guardians.
      })).filter(({ area, total }) => area !== 'child' || total > 0),
      outside,
      waitingDays: settings.erasure_waiting_days,
      request: request && { dueAt: request.dueAt, needsDecision: settings.erasure_needs_approval && request.decidedAt === null },
    })
    return { title: words.t('settings.data'), main: settingsView({ context, current: 'data', main }) }
  },
})

const downloadPage = ({ tables, files, limiter }: OwnDataOptions): Page =>
  actionPage({
    path: `${DATA}download/`,
    requires: 'recentSignIn',
    access: signedIn,
    form: emptyForm,
    submit: async ({ context, commandContext }) => {
      const { words, now } = context
      const { userId, displayName } = context.actor
      const { allowed } = await limiter.takeShared(String(userId))
      if (!allowed) return { redirect: DATA, flash: { kind: 'bad', text: words.t('privacy.download_wait') } }
      const siteName = (await getOrganizationName(context.db)) ?? 'Turnout'
      await recordExport(commandContext, userId)
      return {
        content: makeArchive({ context, files, tables, siteName, person: { userId, name: displayName } }),
        contentType: 'application/zip',
        headers: {
          'content-disposition': `attachment; filename="turnout-data-${userId}-${now.toISOString().slice(0, 10)}.zip"`,
          'cache-control': 'private, no-store',
        },
      }
    },
  })

const erasePage = formPage({
  path: `${DATA}erase/`,
  requires: 'recentSignInToSubmit',
  access: signedIn,
  form: eraseForm.schema,
  show: async ({ context, csrfToken }, refused) => {
    const { db, words } = context
    const { erasure_waiting_days: days, erasure_needs_approval: needsApproval } = await getPrivacySettings(db)
    const field = eraseForm.fields(words, refused ?? EMPTY_STATE)
    const main = confirmView({
      words,
      title: words.t('privacy.erase_title'),
      text: days ? words.t('privacy.erase_wait', { count: days }) : words.t('privacy.erase_at_once'),
      consequences: [
        ...(needsApproval ? [words.t('privacy.erase_approval')] : []),
        words.t('privacy.erase_first'),
        words.t('privacy.erase_second'),
        words.t('privacy.erase_third'),
        words.t('privacy.erase_fourth'),
        words.t('privacy.erase_partners'),
        words.t('privacy.erase_backups'),
      ],
      action: `${DATA}erase/`,
      csrfToken,
      submit: words.t('privacy.erase_submit'),
      cancel: { href: DATA },
      inputs: field('confirm'),
    })
    return { title: words.t('privacy.erase_title'), breadcrumb: settingsCrumbs(words, 'data'), main }
  },
  submit: async ({ context: { words }, commandContext }, { confirm }) => {
    if (!confirm) return { refused: [{ field: 'confirm', text: words.t('privacy.erase_confirm_missing') }] }
    const outcome = await requestErasure(commandContext)
    if (!outcome.ok) return { redirect: DATA, flash: { kind: 'bad', text: words.t(`privacy.erase_${outcome.reason}`) } }
    const text = words.t('privacy.erase_requested', { time: words.dateTime(outcome.dueAt) })
    return { redirect: DATA, flash: { kind: 'info', text } }
  },
})

const keepPage = actionPage({
  path: `${DATA}keep/`,
  access: signedIn,
  form: emptyForm,
  submit: async ({ context: { words }, commandContext }) => {
    await withdrawErasure(commandContext)
    return { redirect: DATA, flash: { kind: 'good', text: words.t('privacy.erase_kept') } }
  },
})

export const ownDataPages = (options: OwnDataOptions): Page[] => [dataPage, downloadPage(options), erasePage, keepPage]
