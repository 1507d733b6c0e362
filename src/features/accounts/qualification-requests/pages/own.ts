import { withdrawRequest } from '#features/accounts/requests/commands.ts'
import { findRequestsOf } from '#features/accounts/requests/queries.ts'
import { withdrawalFlash } from '#features/accounts/requests/views.ts'
import { findQualificationChoices } from '#features/accounts/users/queries/people.ts'
import { findHeldQualifications } from '#features/accounts/users/queries/person.ts'
import { dayOf } from '#features/accounts/users/rules.ts'
import { settingsCrumbs, settingsView } from '#features/accounts/users/views/settings.ts'
import type { FileStore } from '#platform/files/store.ts'
import { signedIn } from '#platform/http/access.ts'
import { downloadFile } from '#platform/http/file-download.ts'
import { actionPage, formPage, type Page, viewPage } from '#platform/http/page.ts'
import { Problem } from '#platform/http/problem.ts'
import { assetUrl } from '#platform/ui/assets.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { askForQualification, qualificationRequest } from '../commands/requests.ts'
import { getProof } from '../queries.ts'
import { askForm, MAX_PROOF_BYTES, PROOF_PICTURE } from '../schema.ts'
import { ASK, askView, OWN, ownQualificationsView } from '../views/own.ts'

const MOST_REQUESTS = 20

const ownPage: Page = viewPage({
  path: OWN,
  access: signedIn,
  show: async ({ context, csrfToken }) => {
    const { words, now, db } = context
    const { userId } = context.actor
    const [held, requests] = await Promise.all([
      findHeldQualifications(db, userId),
      findRequestsOf(db, userId, qualificationRequest, MOST_REQUESTS),
    ])
    const main = ownQualificationsView({
      words,
      now,
      csrfToken,
      held,
      requests: requests.map((request) => ({ ...request, ...qualificationRequest.describe(words, request) })),
    })
    return { title: words.t('settings.qualifications'), main: settingsView({ context, current: 'qualifications', main }) }
  },
})

const askPage = formPage({
  path: ASK,
  access: signedIn,
  form: askForm.schema,
  uploads: { maxBytes: MAX_PROOF_BYTES, pictures: PROOF_PICTURE },
  show: async ({ context, csrfToken, query }, refused) => {
    const { words, now, db, site } = context
    const chosen = /^\d{1,15}$/.test(query.get('qualification') ?? '') ? Number(query.get('qualification')) : undefined
    const main = askView({
      words,
      csrfToken,
      today: dayOf(now, site.timeZone),
      state: refused ?? askForm.state({ qualification: chosen }),
      qualifications: await findQualificationChoices(db),
    })
    return {
      title: words.t('qualreq.ask'),
      breadcrumb: settingsCrumbs(words, 'qualifications'),
      scripts: [assetUrl('pictures.js')],
      main,
    }
  },
  submit: async ({ context: { words }, commandContext }, form) => {
    const outcome = await askForQualification(commandContext, form)
    if (!outcome.ok) return { refused: [{ field: outcome.field, text: words.t(`qualreq.refused_${outcome.reason}`) }] }
    return { redirect: OWN, flash: { kind: 'good', text: words.t('qualreq.sent') } }
  },
})

const withdrawPage = actionPage({
  path: `${OWN}requests/{id}/withdraw/`,
  access: signedIn,
  form: emptyForm,
  submit: async ({ context: { words }, commandContext, path }) => {
    const outcome = await withdrawRequest(commandContext, path.id)
    return { redirect: OWN, flash: withdrawalFlash(words, outcome, words.t('qualreq.withdrawn')) }
  },
})

/** For the person and for everybody who may decide the request. */
const proofPage = (files: FileStore): Page =>
  viewPage({
    path: '/requests/{id}/proof/',
    access: signedIn,
    show: async ({ context, path }) => {
      const proof = await getProof(context, path.id)
      // 404 instead of 403, so ids of requests cannot be probed.
      if (!proof) throw new Problem('not_found')
      return downloadFile(files, proof)
    },
  })

export const ownQualificationPages = ({ files }: { files: FileStore }): Page[] => [
  ownPage,
  askPage,
  withdrawPage,
  proofPage(files),
]
