import { z } from 'zod'
import { PICTURE_TYPES } from '#platform/files/file-types.ts'
import { uploadSchema } from '#platform/files/upload.ts'
import { LANGUAGES } from '#platform/i18n/languages.ts'
import { nameOfLanguage } from '#platform/i18n/offered.ts'
import { DEFAULT_PHONE_COUNTRY, isPhoneCountry, phoneCountries } from '#platform/phone.ts'
import { checkboxes, defineForm, select } from '#platform/ui/define-form.ts'
import { formTexts } from '#platform/ui/form-schemas.ts'
import { choice, defineSettings, line, onOff, page } from './define-settings.ts'

/** About the organisation. */
export const organisationSettings = defineSettings({
  organization_name: line({
    label: 'instance.name',
    help: 'instance.name_help',
    autocomplete: 'organization',
    maxLength: 100,
    tooLong: 'instance.name_long',
  }),
  phone_country: {
    default: DEFAULT_PHONE_COUNTRY as string,
    field: select({
      label: 'instance.phone_country',
      help: 'instance.phone_country_help',
      placeholder: false,
      options: ({ language }) => {
        const names = new Intl.DisplayNames([language], { type: 'region' })
        return phoneCountries()
          .map((code) => ({ value: code as string, label: names.of(code) ?? code }))
          .sort((a, b) => a.label.localeCompare(b.label, language))
      },
      schema: z.string().default(DEFAULT_PHONE_COUNTRY).refine(isPhoneCountry, 'form.invalid'),
    }),
  },
})

/** How people get an account, and what they change about it. */
export const accountSettings = defineSettings({
  /** Whether people can create an account without an invitation. */
  self_registration: choice({
    label: 'instance.self_registration',
    help: 'instance.self_registration_help',
    default: 'off',
    values: ['off', 'approval', 'open'],
    optionLabel: (words, value) => words.t(`instance.self_registration_${value}`),
  }),
  own_name_locked: onOff({ label: 'instance.own_name_locked', help: 'instance.own_name_locked_help' }),
})

/** Public pages. */
export const legalSettings = defineSettings({
  imprint: page({ label: 'instance.imprint', maxLength: 30_000, tooLong: 'instance.text_long' }),
  privacy: page({ label: 'instance.privacy', maxLength: 30_000, tooLong: 'instance.text_long' }),
})

/** Shown 28 pixels high, and as the icon of the installed site. */
export const LOGO_PICTURE = { maxSide: 512, maxBytes: 150_000 }
export const logoForm = z.object({
  logo: uploadSchema(PICTURE_TYPES, {
    missing: 'instance.logo_missing',
    tooLarge: 'instance.logo_large',
    wrongType: 'instance.logo_kind',
  }),
})

/** A name that Node and PostgreSQL know from the IANA database. */
export function isTimeZone(name: unknown): name is string {
  if (typeof name !== 'string' || !/^[A-Za-z]+([/_+-][A-Za-z0-9]+)*$/.test(name)) return false
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}

const TIME_ZONES = Intl.supportedValuesOf('timeZone')

/** Names that Node lists, and the current one: Node lists only one of several names of a zone. */
export const timeZoneOptions = (current: string) =>
  [...new Set([...TIME_ZONES, current])].sort().map((name) => ({ value: name, label: name.replaceAll('_', ' ') }))

const languageOptions = () => LANGUAGES.map((value) => ({ value, label: nameOfLanguage(value) }))

/** What depends on the place of the organisation. */
export const regionForm = defineForm({
  time_zone: select({
    label: 'instance.zone',
    help: 'instance.zone_help',
    placeholder: false,
    schema: z.string().refine(isTimeZone, 'instance.zone_unknown'),
  }),
  default_language: select({
    label: 'instance.language',
    help: 'instance.language_help',
    placeholder: false,
    options: languageOptions,
    schema: z.enum(LANGUAGES, 'form.invalid'),
  }),
  /** The default language is offered in any case. */
  languages: checkboxes({
    label: 'instance.languages',
    help: 'instance.languages_help',
    options: languageOptions,
    schema: formTexts,
  }),
})
export type RegionForm = z.infer<typeof regionForm.schema>
