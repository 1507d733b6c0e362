import { tryAddressAgain } from '#features/accounts/users/commands/address-state.ts'
import { getAddressFailure } from '#features/accounts/users/queries/address-state.ts'
import { getOwnAccount } from '#features/accounts/users/queries/own-account.ts'
import { dayOf } from '#features/accounts/users/rules.ts'
import { getSettings } from '#features/operations/settings/queries.ts'
import { accountSettings } from '#features/operations/settings/schema/settings.ts'
import type { UserActor } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { MAX_PICTURE_BYTES } from '#platform/files/file-types.ts'
import type { FileStore } from '#platform/files/store.ts'
import type { Html } from '#platform/html/html.ts'
import { open, signedIn } from '#platform/http/access.ts'
import { downloadFile } from '#platform/http/file-download.ts'
import { mailRefusalText } from '#platform/http/mail-limits.ts'
import { actionPage, formPage, type Page, type PageBody, type PageRequest, viewPage } from '#platform/http/page.ts'
import { Problem, requireFound } from '#platform/http/problem.ts'
import { assetUrl } from '#platform/ui/assets.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { EMPTY_STATE } from '#platform/ui/form-values.ts'
import { confirmEmailChange, requestEmailChange, stopEmailChange, withdrawEmailChange } from './commands/email.ts'
import { removePicture, setPicture } from './commands/picture.ts'
import { proposeChange } from './commands/proposals.ts'
import { getChangeToConfirm, getChangeToStop, getEmailChange, getPicture, getPictureId } from './queries.ts'
import { canConfirm, whatStops } from './rules.ts'
import { emailChangeForm, PROFILE_PICTURE, pictureForm, proposalForm } from './schema.ts'
import {
  ADDRESS,
  addressView,
  confirmEmailView,
  deadLinkView,
  EMAIL,
  emailChangeView,
  PICTURE,
  PROFILE,
  PROPOSE,
  picturePath,
  pictureView,
  profileCrumbs,
  profileSectionsView,
  proposalView,
  stoppedView,
  stopView,
} from './views.ts'

type ProfileOptions = {
  /** Whether mails reach people; without, addresses cannot be confirmed. */
  hasMail: boolean
  files: FileStore
}

async function waitingChange({ db, now }: RequestContext, userId: number) {
  const change = await getEmailChange(db, userId)
  return change && canConfirm(change, now) ? change : undefined
}

async function pictureOf({ db }: RequestContext, userId: number): Promise<string | undefined> {
  const id = await getPictureId(db, userId)
  return id && picturePath(userId, id)
}

/** What the profile page shows besides the data. */
export async function profileSection(context: RequestContext<UserActor>): Promise<Html> {
  const { userId, displayName: name, email } = context.actor
  const { words, site } = context
  const [waiting, picture] = await Promise.all([waitingChange(context, userId), pictureOf(context, userId)])
  return profileSectionsView({ words, email, hasMail: !site.isMailOff, waiting, picture, name })
}

/** The picture on the page of a person, for those who may see it. */
export async function personPicture(context: RequestContext, userId: number): Promise<string | undefined> {
  const { actor, db } = context
  const picture = actor.kind === 'user' ? await getPicture(db, actor, userId) : undefined
  return picture && picturePath(userId, picture.id)
}

const emailPage = ({ hasMail }: ProfileOptions): Page =>
  formPage({
    path: EMAIL,
    requires: 'recentSignIn',
    access: signedIn,
    form: emailChangeForm.schema,
    show: async ({ context, csrfToken }, refused) => {
      const { words } = context
      const { userId, email } = context.actor
      if (!hasMail) return { redirect: PROFILE, flash: { kind: 'info', text: words.t('profiles.no_mail') } }
      const state = refused ?? EMPTY_STATE
      const main = emailChangeView({ words, csrfToken, state, email, waiting: await waitingChange(context, userId) })
      return { title: words.t('profiles.change_email'), breadcrumb: profileCrumbs(words), main }
    },
    submit: async ({ context, commandContext }, { email }) => {
      const { words, now } = context
      if (!hasMail) return { redirect: PROFILE, flash: { kind: 'info', text: words.t('profiles.no_mail') } }
      const outcome = await requestEmailChange(commandContext, email)
      if (!outcome.ok && outcome.reason === 'mails')
        return { refused: [{ text: mailRefusalText(words, now, outcome.refusal) }], status: 429 }
      if (!outcome.ok) {
        const text =
          outcome.reason === 'same'
            ? words.t('profiles.email_same')
            : words.t('profiles.email_blocked', { time: words.dateTime(outcome.until) })
        return { refused: [{ field: 'email', text }] }
      }
      return { redirect: PROFILE, flash: { kind: 'info', text: words.t('profiles.email_sent', { email }) } }
    },
  })

/** For a person whose mails come back; the banner on their pages leads here. */
const addressPage = ({ hasMail }: ProfileOptions): Page =>
  formPage({
    path: ADDRESS,
    access: signedIn,
    form: emptyForm,
    show: async ({ context, csrfToken }) => {
      const { words, db, now } = context
      const { userId, email } = context.actor
      const failure = await getAddressFailure(db, userId)
      const main = addressView({ words, now, csrfToken, email, failure, hasMail })
      return { title: words.t('profiles.address_title'), breadcrumb: profileCrumbs(words), main }
    },
    submit: async ({ context, commandContext }) => {
      const { words } = context
      const { userId, email } = context.actor
      const isDone = await tryAddressAgain(commandContext, userId)
      const text = words.t(isDone ? 'profiles.address_tried' : 'profiles.address_works', { email })
      return { redirect: PROFILE, flash: { kind: isDone ? 'good' : 'info', text } }
    },
  })

const withdrawPage = actionPage({
  path: `${EMAIL}withdraw/`,
  access: signedIn,
  form: emptyForm,
  submit: async ({ context: { words }, commandContext }) => {
    const isDone = await withdrawEmailChange(commandContext)
    const text = words.t(isDone ? 'profiles.withdrawn' : 'profiles.dead_text')
    return { redirect: PROFILE, flash: { kind: isDone ? 'good' : 'info', text } }
  },
})

const SECRET_HEADERS = { 'cache-control': 'no-store' }

const deadLink = ({ context: { words } }: PageRequest, text: string): PageBody => ({
  title: words.t('profiles.dead_title'),
  bare: true,
  status: 404,
  main: deadLinkView(words, text),
})

const confirmPage = formPage({
  path: `${EMAIL}confirm/{token}/`,
  access: signedIn,
  form: emptyForm,
  show: async (request) => {
    const { context, csrfToken, path } = request
    const { words, db, now } = context
    const { userId, email } = context.actor
    const change = await getChangeToConfirm(db, userId, path.token)
    if (!change || !canConfirm(change, now)) return deadLink(request, words.t('profiles.dead_confirm'))
    const main = confirmEmailView({ words, csrfToken, action: request.url, newEmail: change.newEmail, email })
    return { title: words.t('profiles.confirm_title'), breadcrumb: profileCrumbs(words), headers: SECRET_HEADERS, main }
  },
  submit: async (request) => {
    const { words } = request.context
    const outcome = await confirmEmailChange(request.commandContext, request.path.token)
    if (!outcome.ok) return deadLink(request, words.t(outcome.reason === 'taken' ? 'profiles.taken' : 'profiles.dead_confirm'))
    return { redirect: PROFILE, flash: { kind: 'good', text: words.t('profiles.confirmed', { email: outcome.email }) } }
  },
})

const stopPage = formPage({
  path: '/accounts/email-stop/{token}/',
  access: open('the secret in the address is the permission: only the former address got it'),
  form: emptyForm,
  show: async (request) => {
    const { words, db, now } = request.context
    const change = await getChangeToStop(db, request.path.token)
    const what = change && whatStops(change, now)
    if (!what) return deadLink(request, words.t('profiles.dead_stop'))
    const main = stopView({ words, csrfToken: request.csrfToken, action: request.url, what })
    return { title: words.t('profiles.stop_title'), bare: true, headers: SECRET_HEADERS, main }
  },
  submit: async (request) => {
    const { words } = request.context
    const outcome = await stopEmailChange(request.commandContext, request.path.token)
    if (!outcome.ok)
      return deadLink(request, words.t(outcome.reason === 'taken' ? 'profiles.revert_taken' : 'profiles.dead_stop'))
    return { title: words.t('profiles.stop_title'), bare: true, main: stoppedView(words, outcome.what) }
  },
})

const proposePage = formPage({
  path: PROPOSE,
  access: signedIn,
  form: proposalForm.schema,
  show: async ({ context, csrfToken }, refused) => {
    const { words, now, site, db } = context
    const account = requireFound(await getOwnAccount(context))
    const { own_name_locked: isNameLocked } = await getSettings(db, accountSettings)
    const state = refused ?? proposalForm.state({ name: account.name, date_of_birth: account.dateOfBirth })
    const main = proposalView({ words, csrfToken, state, isNameLocked, today: dayOf(now, site.timeZone) })
    return { title: words.t('profiles.propose_title'), breadcrumb: profileCrumbs(words), main }
  },
  submit: async ({ context: { words }, commandContext }, form) => {
    const outcome = await proposeChange(commandContext, form)
    if (!outcome.ok) return { refused: [{ field: outcome.field, text: words.t(`profiles.propose_${outcome.reason}`) }] }
    return { redirect: PROFILE, flash: { kind: 'good', text: words.t('profiles.proposed') } }
  },
})

const picturePage = formPage({
  path: PICTURE,
  access: signedIn,
  form: pictureForm.schema,
  uploads: { maxBytes: MAX_PICTURE_BYTES, pictures: PROFILE_PICTURE },
  show: async ({ context, csrfToken }, refused) => {
    const { words } = context
    const { userId, displayName: name } = context.actor
    const picture = await pictureOf(context, userId)
    const main = pictureView({ words, csrfToken, state: refused ?? EMPTY_STATE, picture, name })
    return { title: words.t('profiles.picture'), breadcrumb: profileCrumbs(words), scripts: [assetUrl('pictures.js')], main }
  },
  submit: async ({ context: { words }, commandContext }, { picture }) => {
    await setPicture(commandContext, picture)
    return { redirect: PROFILE, flash: { kind: 'good', text: words.t('profiles.picture_saved') } }
  },
})

const removePicturePage = actionPage({
  path: `${PICTURE}remove/`,
  access: signedIn,
  form: emptyForm,
  submit: async ({ context: { words }, commandContext }) => {
    await removePicture(commandContext)
    return { redirect: PROFILE, flash: { kind: 'good', text: words.t('profiles.picture_removed') } }
  },
})

const showPicturePage = ({ files }: ProfileOptions): Page =>
  viewPage({
    path: '/people/{id}/picture/',
    access: signedIn,
    show: async ({ context, path }) => {
      const picture = await getPicture(context.db, context.actor, path.id)
      // 404 instead of 403, so ids of people cannot be probed.
      if (!picture) throw new Problem('not_found')
      return downloadFile(files, picture)
    },
  })

export const profilePages = (options: ProfileOptions): Page[] => [
  emailPage(options),
  addressPage(options),
  withdrawPage,
  confirmPage,
  stopPage,
  proposePage,
  picturePage,
  removePicturePage,
  showPicturePage(options),
]
