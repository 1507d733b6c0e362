import { z } from 'zod'
import type { Extension } from '#extension'
import { type Html, html } from '#platform/html/html.ts'
import { staff } from '#platform/http/access.ts'
import { formPage, type Page } from '#platform/http/page.ts'
import type { Words } from '#platform/i18n/words.ts'
import { cardView } from '#platform/ui/card.ts'
import { checkboxField, passwordField, textField } from '#platform/ui/fields.ts'
import { type FormError, formView } from '#platform/ui/form.ts'
import { formLine } from '#platform/ui/form-schemas.ts'
import { fieldValue } from '#platform/ui/form-values.ts'
import { manageCrumbs } from '#platform/ui/manage.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { settingsPath, wordOf } from '../rules/names.ts'
import type { Host } from './adapt-requests.ts'
import { changeSettingsOf, getSettingsOf } from './settings.ts'

const REMOVED = 'removed_'
const SWITCHED_ON = 'on'

/** What administrators enter for an extension. A secret that is left empty stays as it is. */
export function settingsPage({ name }: Host, settings: NonNullable<Extension['settings']>): Page {
  const value = formLine.pipe(z.string().max(1000, 'form.invalid')).default('')
  const address = value.refine((text) => text === '' || /^https?:$/.test(URL.parse(text)?.protocol ?? ''), 'form.invalid')
  const choice = value.refine((text) => ['', SWITCHED_ON].includes(text), 'form.invalid')
  const form = z.object({
    ...Object.fromEntries(settings.map(({ name, kind }) => [name, { url: address, switch: choice }[kind as string] ?? value])),
    ...Object.fromEntries(settings.map((setting) => [`${REMOVED}${setting.name}`, z.string().optional()])),
  })
  return formPage({
    path: settingsPath(name),
    access: staff,
    form,
    show: async ({ context, commandContext, csrfToken }, refused) => {
      const { words } = context
      const stored = await getSettingsOf(commandContext.db, context.site.keyring, name)
      const t = words.t as (key: string) => string
      const fields = settings.map((setting) => ({
        ...setting,
        label: t(wordOf(name, setting.label)),
        help: setting.help === undefined ? undefined : t(wordOf(name, setting.help)),
        hasValue: stored[setting.name] !== undefined,
        value: refused ? fieldValue(refused.values, setting.name) : stored[setting.name],
      }))
      const title = words.t('extensions.settings_of', { name: t(wordOf(name, 'title')) })
      const main = settingsView({ words, csrfToken, title, action: settingsPath(name), fields, errors: refused?.errors ?? [] })
      return { title, main, breadcrumb: manageCrumbs(words, { href: '/manage/modules/', label: words.t('modules.title') }) }
    },
    submit: async ({ context: { words }, commandContext }, input) => {
      const given = input as Record<string, string | undefined>
      const values = Object.fromEntries(
        settings.map((setting) => {
          const text = given[setting.name] ?? ''
          const isKept = setting.kind === 'secret' && text === '' && given[`${REMOVED}${setting.name}`] === undefined
          return [setting.name, isKept ? undefined : text]
        }),
      )
      await changeSettingsOf(commandContext, { extension: name, settings }, values)
      return { redirect: settingsPath(name), flash: { kind: 'good', text: words.t('extensions.settings_saved') } }
    },
  })
}

type SettingsData = {
  words: Words
  csrfToken: string
  title: string
  action: string
  fields: readonly {
    name: string
    label: string
    help: string | undefined
    kind: 'text' | 'url' | 'secret' | 'switch'
    hasValue: boolean
    value: string | undefined
  }[]
  errors: readonly FormError[]
}

function settingsView({ words, csrfToken, title, action, fields, errors }: SettingsData): Html {
  const fieldView = ({ name, label, help, kind, hasValue, value }: SettingsData['fields'][number]): Html => {
    const error = errors.find(({ field }) => field === name)?.text
    if (kind === 'switch') return checkboxField({ words, name, label, help, checked: value === SWITCHED_ON, value: SWITCHED_ON })
    if (kind !== 'secret') return textField({ words, name, label, help, error, value, type: kind })
    const stays = hasValue ? words.t('extensions.secret_kept') : undefined
    const removed =
      hasValue &&
      checkboxField({ words, name: `${REMOVED}${name}`, label: words.t('extensions.secret_removed', { name: label }) })
    return html`${passwordField({ words, name, label, help: html`${help} ${stays}`, error, autocomplete: 'new-password' })}${removed}`
  }
  return html`${pageHeadView({ title })}${cardView({
    body: formView({
      words,
      csrfToken,
      action,
      errors,
      submit: words.t('extensions.settings_save'),
      fields: fields.map(fieldView),
    }),
  })}`
}
