import { MAX_PICTURE_BYTES, PICTURE_TYPES } from '#platform/files/file-types.ts'
import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { cardView, factListView } from '#platform/ui/card.ts'
import { fileField } from '#platform/ui/fields.ts'
import { type FormError, fieldsetView, formView, linkButtonView, postButtonView } from '#platform/ui/form.ts'
import { errorOf, type FormState } from '#platform/ui/form-values.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import type { SettingsSection } from './points.ts'
import type { mergeSettings } from './schema/define-settings.ts'
import { LOGO_PICTURE } from './schema/settings.ts'

export const INSTANCE = '/manage/instance/'
export const REGION = `${INSTANCE}region/`
export const logoPath = (version: string): string => `/logo/${version}/`

type AnyForm = ReturnType<typeof mergeSettings>['form']

type InstanceData = {
  words: Words
  csrfToken: string
  sections: readonly SettingsSection[]
  form: AnyForm
  state: FormState
  logoErrors?: readonly FormError[] | undefined
  logo: string | undefined
  fixed: {
    siteUrl: string
    timeZone: string
    language: string
    version: string
    /** Environment variables set both, so the page cannot change them. */
    isRegionFixed: boolean
  }
}

export function instanceView(data: InstanceData): Html {
  const { words } = data
  return html`${pageHeadView({ title: words.t('instance.title'), facts: words.t('instance.intro') })}
<div class="stack">${settingsForm(data)}${logoCard(data)}${fixedCard(data)}</div>`
}

/** Sections with the same legend are one. */
function settingsForm({ words, csrfToken, sections, form, state }: InstanceData): Html {
  const byLegend = Map.groupBy(sections, ({ legend }) => legend)
  return form.view({
    words,
    csrfToken,
    state,
    action: INSTANCE,
    submit: words.t('instance.save'),
    layout: (field) =>
      [...byLegend].map(([legend, parts]) => {
        const help = parts.find((part) => part.help)?.help
        return fieldsetView({
          legend: words.t(legend),
          help: help && words.t(help),
          fields: parts.flatMap(({ settings }) => Object.keys(settings.fields).map((name) => field(name))),
        })
      }),
  })
}

function logoCard({ words, csrfToken, logo, logoErrors = [] }: InstanceData): Html {
  const upload = formView({
    words,
    csrfToken,
    action: `${INSTANCE}logo/`,
    attributes: { enctype: 'multipart/form-data' },
    guard: false,
    errors: logoErrors,
    fields: fileField({
      words,
      name: 'logo',
      label: words.t('instance.logo_file'),
      help: words.t('instance.logo_help'),
      error: errorOf(logoErrors, 'logo'),
      accept: PICTURE_TYPES.join(','),
      sizeLimit: { maxBytes: MAX_PICTURE_BYTES, message: words.t('instance.logo_large') },
      attributes: { 'data-max-side': LOGO_PICTURE.maxSide },
    }),
    submit: { label: words.t('instance.logo_save'), kind: 'secondary', icon: 'upload' },
  })
  const present =
    logo &&
    html`<p><img class="logo-shown" src="${logo}" alt="${words.t('instance.logo_now')}" height="64"></p>${postButtonView({
      action: `${INSTANCE}logo/remove/`,
      csrfToken,
      label: words.t('instance.logo_remove'),
      kind: 'quiet',
      icon: 'trash-2',
    })}`
  return cardView({ title: words.t('instance.logo'), body: html`${present}${upload}` })
}

function fixedCard({ words, fixed }: InstanceData): Html {
  const named = (value: string, name: string) => html`${value} <small class="muted"><code>${name}</code></small>`
  return cardView({
    title: words.t('instance.fixed'),
    body: factListView([
      { name: words.t('instance.address'), value: named(fixed.siteUrl, 'SITE_URL') },
      { name: words.t('instance.zone'), value: named(fixed.timeZone, 'TIME_ZONE') },
      { name: words.t('instance.language'), value: named(fixed.language, 'DEFAULT_LANGUAGE') },
      { name: words.t('instance.version'), value: fixed.version },
    ]),
    footer: html`<p class="muted">${words.t('instance.fixed_help')}</p>${
      !fixed.isRegionFixed && linkButtonView({ href: REGION, label: words.t('instance.region'), icon: 'globe' })
    }`,
  })
}
