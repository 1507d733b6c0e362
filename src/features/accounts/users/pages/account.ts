import { isOn } from '#platform/features/modules.ts'
import { html } from '#platform/html/html.ts'
import { signedIn } from '#platform/http/access.ts'
import { formPage, type Page, type PageBody, type Refused, type UserRequest, viewPage } from '#platform/http/page.ts'
import { requireFound } from '#platform/http/problem.ts'
import { offeredLanguages } from '#platform/i18n/offered.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import type { FormError } from '#platform/ui/form.ts'
import { changeLanguage } from '../commands/credentials.ts'
import { changeOwnDetails } from '../commands/own-details.ts'
import { accountHooks, profileSections } from '../points.ts'
import { getOwnAccount } from '../queries/own-account.ts'
import { languageForm, ownDetailsForm } from '../schema.ts'
import { OWN_DETAILS, profileView } from '../views/profile.ts'
import { settingsView } from '../views/settings.ts'

const PROFILE = '/settings/profile/'

const settingsPage = viewPage({ path: '/settings/', access: signedIn, show: async () => ({ redirect: PROFILE }) })

async function showProfile(
  { context, csrfToken }: UserRequest,
  { errors = [], refusedDetails }: { errors?: readonly FormError[] | undefined; refusedDetails?: Refused | undefined },
): Promise<PageBody> {
  const { words, now, site } = context
  const account = requireFound(await getOwnAccount(context))
  const isNameLocked = await accountHooks.of(context.site).isOwnNameLocked(context.db)
  const main = profileView({
    words,
    now,
    csrfToken,
    account,
    errors,
    refusedDetails,
    isNameLocked,
    languages: offeredLanguages(site),
    hasQualificationsPage: isOn(site, 'qualification_requests'),
    sections: html`${await Promise.all(site.added(profileSections).map((section) => section(context)))}`,
  })
  return { title: words.t('settings.profile'), main: settingsView({ context, current: 'profile', main }) }
}

const profilePage: Page = formPage({
  path: PROFILE,
  access: signedIn,
  form: languageForm.schema,
  show: (request, refused) => showProfile(request, { errors: refused?.errors }),
  submit: async ({ context, commandContext }, { language }) => {
    await changeLanguage(commandContext, language)
    // In the new language, as the next page.
    const text = wordsFor(language, context.site.timeZone).t('settings.language_changed')
    return { redirect: PROFILE, flash: { kind: 'good', text } }
  },
})

const ownDetailsPage: Page = formPage({
  path: OWN_DETAILS,
  access: signedIn,
  form: ownDetailsForm.schema,
  show: (request, refusedDetails) => showProfile(request, { refusedDetails }),
  submit: async ({ context: { words }, commandContext }, form) => {
    const outcome = await changeOwnDetails(commandContext, form)
    if (!outcome.ok) {
      const text = words.t(`people.refused_${outcome.reason}`)
      return { refused: outcome.fields.map((field) => ({ field, text })) }
    }
    const flash = outcome.isChanged
      ? { kind: 'good' as const, text: words.t('settings.own_saved') }
      : { kind: 'info' as const, text: words.t('settings.own_unchanged') }
    return { redirect: PROFILE, flash }
  },
})

export const userPages: Page[] = [settingsPage, profilePage, ownDetailsPage]
