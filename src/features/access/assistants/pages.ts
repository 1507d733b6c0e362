import { createPersonalToken } from '#features/access/tokens/commands/personal.ts'
import { settingsCrumbs, settingsView } from '#features/accounts/users/views/settings.ts'
import { signedIn } from '#platform/http/access.ts'
import { formPage, type Page, viewPage } from '#platform/http/page.ts'
import { assistantTokenForm, MCP } from './schema.ts'
import { ASSISTANTS, introView, NEW_TOKEN, newTokenView, tokenMadeView } from './views.ts'

const FIELDS = {
  no_description: 'description',
  long_description: 'description',
  no_scope: 'scope',
  unknown_scope: 'scope',
  bad_days: 'lifetime',
} as const

const introPage = viewPage({
  path: ASSISTANTS,
  access: signedIn,
  show: async ({ context }) => {
    const { words, site } = context
    const main = introView({ words, address: new URL(MCP, site.url).href })
    return { title: words.t('settings.assistants'), main: settingsView({ context, current: 'assistants', main }) }
  },
})

const newPage = formPage({
  path: NEW_TOKEN,
  requires: 'recentSignIn',
  access: signedIn,
  form: assistantTokenForm.schema,
  show: async ({ context: { words, now }, csrfToken }, refused) => ({
    title: words.t('assistant.new_title'),
    breadcrumb: settingsCrumbs(words, 'assistants'),
    main: newTokenView({ words, now, csrfToken, state: refused }),
  }),
  submit: async ({ context: { words, site }, commandContext }, { description, scope: scopes, lifetime: days }) => {
    const made = await createPersonalToken(commandContext, commandContext.actor.userId, {
      description,
      scopes,
      days,
      isForAssistant: true,
    })
    if (!made.ok)
      return {
        refused: made.reasons.map((reason) => ({
          field: FIELDS[reason],
          text: reason === 'bad_days' ? words.t('form.invalid') : words.t(`token.${reason}`),
        })),
      }
    return {
      title: words.t('assistant.made_title'),
      breadcrumb: settingsCrumbs(words, 'assistants'),
      main: tokenMadeView({ words, address: new URL(MCP, site.url).href, ...made }),
      headers: { 'cache-control': 'no-store' },
    }
  },
})

export const assistantPages: Page[] = [introPage, newPage]
