import { signedIn } from '#platform/http/access.ts'
import { formPage, type Page, viewPage } from '#platform/http/page.ts'
import { Problem } from '#platform/http/problem.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { changeLanguage } from '../commands/credentials.ts'
import { getOwnAccount } from '../queries/own-account.ts'
import { languageForm } from '../schema.ts'
import { profileView } from '../views/profile.ts'
import { settingsView } from '../views/settings.ts'

const PROFILE = '/settings/profile/'

const settingsPage = viewPage({ path: '/settings/', access: signedIn, show: async () => ({ redirect: PROFILE }) })

const profilePage = formPage({
  path: PROFILE,
  access: signedIn,
  form: languageForm.schema,
  show: async ({ context, csrfToken }, refused) => {
    const { words, now } = context
    const account = await getOwnAccount(context)
    if (!account) throw new Problem('not_found')
    const main = profileView({ words, now, csrfToken, account, errors: refused?.errors ?? [] })
    return { title: words.t('settings.profile'), main: settingsView({ words, current: 'profile', main }) }
  },
  submit: async ({ context, commandContext }, { language }) => {
    await changeLanguage(commandContext, language)
    // In the new language, as the next page.
    const text = wordsFor(language, context.site.timeZone).t('settings.language_changed')
    return { redirect: PROFILE, flash: { kind: 'good', text } }
  },
})

export const userPages: Page[] = [settingsPage, profilePage]
