import type { RequestContext } from '#platform/auth/context.ts'
import type { Html } from '#platform/html/html.ts'
import { signedIn } from '#platform/http/access.ts'
import { formPage, type Page, type PageBody, type PageRequest, type Refused, viewPage } from '#platform/http/page.ts'
import { Problem } from '#platform/http/problem.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import type { FormError } from '#platform/ui/form.ts'
import { changeLanguage } from '../commands/credentials.ts'
import { changeOwnDetails } from '../commands/own-details.ts'
import type { AccountHooks } from '../commands/people.ts'
import { getOwnAccount } from '../queries/own-account.ts'
import { languageForm, ownDetailsForm } from '../schema.ts'
import { OWN_DETAILS, profileView } from '../views/profile.ts'
import { settingsView } from '../views/settings.ts'

const PROFILE = '/settings/profile/'

const settingsPage = viewPage({ path: '/settings/', access: signedIn, show: async () => ({ redirect: PROFILE }) })

type UserPagesOptions = {
  hooks: AccountHooks
  /** What features above show on the profile page. */
  sections: (context: RequestContext) => Promise<Html>
}

async function showProfile(
  { hooks, sections }: UserPagesOptions,
  { context, csrfToken }: PageRequest,
  { errors = [], refusedDetails }: { errors?: readonly FormError[] | undefined; refusedDetails?: Refused | undefined },
): Promise<PageBody> {
  const { words, now } = context
  const account = await getOwnAccount(context)
  if (!account) throw new Problem('not_found')
  const isNameLocked = await hooks.isOwnNameLocked(context.db)
  const main = profileView({
    words,
    now,
    csrfToken,
    account,
    errors,
    refusedDetails,
    isNameLocked,
    sections: await sections(context),
  })
  return { title: words.t('settings.profile'), main: settingsView({ words, current: 'profile', main }) }
}

const profilePage = (options: UserPagesOptions): Page =>
  formPage({
    path: PROFILE,
    access: signedIn,
    form: languageForm.schema,
    show: (request, refused) => showProfile(options, request, { errors: refused?.errors }),
    submit: async ({ context, commandContext }, { language }) => {
      await changeLanguage(commandContext, language)
      // In the new language, as the next page.
      const text = wordsFor(language, context.site.timeZone).t('settings.language_changed')
      return { redirect: PROFILE, flash: { kind: 'good', text } }
    },
  })

const ownDetailsPage = (options: UserPagesOptions): Page =>
  formPage({
    path: OWN_DETAILS,
    access: signedIn,
    form: ownDetailsForm.schema,
    show: (request, refusedDetails) => showProfile(options, request, { refusedDetails }),
    submit: async ({ context: { words }, commandContext }, form) => {
      const outcome = await changeOwnDetails(commandContext, form, options.hooks)
      if (!outcome.ok) return { refused: [{ field: outcome.field, text: words.t(`people.refused_${outcome.reason}`) }] }
      const flash = outcome.isChanged
        ? { kind: 'good' as const, text: words.t('settings.own_saved') }
        : { kind: 'info' as const, text: words.t('settings.own_unchanged') }
      return { redirect: PROFILE, flash }
    },
  })

export const userPages = (options: UserPagesOptions): Page[] => [settingsPage, profilePage(options), ownDetailsPage(options)]
