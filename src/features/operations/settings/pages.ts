import { buffer } from 'node:stream/consumers'
import type { RequestContext } from '#platform/auth/context.ts'
import { collectModuleAdditions } from '#platform/features/modules.ts'
import type { Runtime } from '#platform/features/runtime.ts'
import { MAX_PICTURE_BYTES } from '#platform/files/file-types.ts'
import { html } from '#platform/html/html.ts'
import { markdownView } from '#platform/html/markdown.ts'
import { open, staff } from '#platform/http/access.ts'
import { actionPage, formPage, type Page, type PageBody, type PageRequest, type Refused, viewPage } from '#platform/http/page.ts'
import { Problem, requireFound } from '#platform/http/problem.ts'
import { SOURCE_LANGUAGES } from '#platform/i18n/languages.ts'
import { assetUrl } from '#platform/ui/assets.ts'
import type { FormError } from '#platform/ui/form.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { manageCrumbs } from '#platform/ui/manage.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { changeLogo, changeRegion, changeSettings, removeLogo } from './commands.ts'
import { settingsPage as points } from './points.ts'
import { getLogo, getLogoVersion, getSettings, getStoredRegion } from './queries.ts'
import { mergeSettings } from './schema/define-settings.ts'
import { LOGO_PICTURE, legalSettings, logoForm, regionForm, timeZoneOptions } from './schema/settings.ts'
import { INSTANCE, instanceView, logoPath, REGION } from './views.ts'

/** The settings that features add, also those whose module is off at the moment. */
const everySetting = ({ features }: Runtime) =>
  mergeSettings(collectModuleAdditions(features)(points.section).map(({ settings }) => settings))

/** The settings that the page shows now. */
const addedSettings = ({ site }: RequestContext) => {
  const sections = site.added(points.section)
  return { sections, ...mergeSettings(sections.map(({ settings }) => settings)) }
}

/** The settings and the logo are two forms on one page, each with its own errors. */
async function showSettings(
  runtime: Runtime,
  { context, csrfToken }: PageRequest,
  { refused, logoErrors }: { refused?: Refused | undefined; logoErrors?: readonly FormError[] | undefined },
): Promise<PageBody> {
  const { config, version } = runtime
  const { words, db, site } = context
  const { isTimeZoneSet, isLanguageSet } = config
  const { sections, form, defaults } = addedSettings(context)
  const [stored, logo] = await Promise.all([getSettings(db, { defaults }), getLogoVersion(db)])
  const main = instanceView({
    words,
    csrfToken,
    sections,
    form,
    state: refused ?? form.state(stored),
    logoErrors,
    logo: logo === null ? undefined : logoPath(logo),
    fixed: {
      siteUrl: site.url,
      timeZone: site.timeZone,
      language: site.defaultLanguage ?? config.defaultLanguage,
      version,
      isRegionFixed: isTimeZoneSet && isLanguageSet,
    },
  })
  return { title: words.t('instance.title'), breadcrumb: manageCrumbs(words), scripts: [assetUrl('pictures.js')], main }
}

const settingsPage = (runtime: Runtime): Page => {
  const settings = everySetting(runtime)
  return formPage({
    path: INSTANCE,
    requires: 'recentSignIn',
    access: staff,
    form: settings.form.schema,
    show: (request, refused) => showSettings(runtime, request, { refused }),
    submit: async ({ context, commandContext }, form) => {
      const { words } = context
      // Settings of modules that are off are not on the page, and keep their values.
      const { defaults } = addedSettings(context)
      const shown = Object.fromEntries(Object.keys(defaults).map((name) => [name, (form as typeof defaults)[name]]))
      const isChanged = await changeSettings(commandContext, { defaults }, shown)
      const flash = isChanged
        ? { kind: 'good' as const, text: words.t('instance.saved') }
        : { kind: 'info' as const, text: words.t('instance.unchanged') }
      return { redirect: INSTANCE, flash }
    },
  })
}

const regionPage = ({ config: { defaultLanguage: language, isTimeZoneSet, isLanguageSet } }: Runtime): Page =>
  formPage({
    path: REGION,
    requires: 'recentSignIn',
    access: staff,
    form: regionForm.schema,
    show: async ({ context: { words, db, site }, csrfToken }, refused) => {
      const title = words.t('instance.region')
      const stored = await getStoredRegion(db)
      const values = {
        time_zone: stored.timeZone ?? site.timeZone,
        // Nobody has chosen yet: most likely the language of whoever does.
        default_language: stored.language ?? (isLanguageSet ? language : words.language),
        languages: [...(stored.languages ?? SOURCE_LANGUAGES)],
      }
      const form = regionForm.view({
        words,
        csrfToken,
        action: REGION,
        state: refused ?? regionForm.state(values),
        submit: words.t('instance.save'),
        cancel: { href: INSTANCE },
        layout: (field) => [
          field('time_zone', {
            options: timeZoneOptions(values.time_zone),
            help: words.t(isTimeZoneSet ? 'instance.set_by' : 'instance.zone_help', { name: 'TIME_ZONE' }),
          }),
          field('default_language', isLanguageSet ? { help: words.t('instance.set_by', { name: 'DEFAULT_LANGUAGE' }) } : {}),
          field('languages'),
        ],
      })
      const crumbs = manageCrumbs(words, { href: INSTANCE, label: words.t('instance.title') })
      return { title, breadcrumb: crumbs, main: html`${pageHeadView({ title, facts: words.t('instance.region_intro') })}${form}` }
    },
    submit: async ({ context: { words }, commandContext }, form) => {
      const isChanged = await changeRegion(commandContext, form)
      const flash = isChanged
        ? { kind: 'good' as const, text: words.t('instance.region_saved') }
        : { kind: 'info' as const, text: words.t('instance.unchanged') }
      return { redirect: INSTANCE, flash }
    },
  })

const uploadLogoPage = (runtime: Runtime): Page =>
  formPage({
    path: `${INSTANCE}logo/`,
    requires: 'recentSignIn',
    access: staff,
    form: logoForm,
    uploads: { maxBytes: MAX_PICTURE_BYTES, pictures: LOGO_PICTURE },
    show: (request, refused) => showSettings(runtime, request, { logoErrors: refused?.errors }),
    submit: async ({ context: { words }, commandContext }, { logo }) => {
      // The logo is on every page, so it is kept with the settings instead of in the store.
      const content = await buffer((await runtime.files.get(logo.id))!)
      await runtime.files.delete(logo.id)
      await changeLogo(commandContext, { type: logo.type, content })
      return { redirect: INSTANCE, flash: { kind: 'good', text: words.t('instance.logo_saved') } }
    },
  })

const removeLogoPage = actionPage({
  path: `${INSTANCE}logo/remove/`,
  requires: 'recentSignIn',
  access: staff,
  form: emptyForm,
  submit: async ({ context: { words }, commandContext }) => {
    await removeLogo(commandContext)
    return { redirect: INSTANCE, flash: { kind: 'good', text: words.t('instance.logo_removed') } }
  },
})

const imageHeaders = {
  // The path contains a hash of the image.
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
}

const logoImagePage = viewPage({
  path: '/logo/{version}/',
  access: open('the logo is on every page, including sign-in'),
  show: async ({ context, path }) => {
    const logo = requireFound(/^[0-9a-f]{16}$/.test(path.version) ? await getLogo(context.db, path.version) : undefined)
    return { ...logo, headers: imageHeaders }
  },
})

const legalPage = (name: 'imprint' | 'privacy'): Page =>
  viewPage({
    path: `/${name}/`,
    access: open('legal pages are public'),
    show: async ({ context: { db, words } }) => {
      const { [name]: text } = await getSettings(db, legalSettings)
      if (!text) throw new Problem('not_found')
      const title = words.t(`instance.${name}`)
      return { title, main: html`${pageHeadView({ title })}${markdownView(text, { firstLevel: 2 })}` }
    },
  })

export const instancePages = (runtime: Runtime): Page[] => [
  settingsPage(runtime),
  regionPage(runtime),
  uploadLogoPage(runtime),
  removeLogoPage,
  logoImagePage,
  legalPage('imprint'),
  legalPage('privacy'),
]
