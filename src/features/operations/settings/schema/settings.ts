import { z } from 'zod'
import { DEFAULT_PHONE_COUNTRY, isPhoneCountry, phoneCountries } from '#platform/phone.ts'
import { defineForm, select } from '#platform/ui/define-form.ts'
import { choice, defineSettings, line, onOff, page, wholeNumber } from './define-settings.ts'

/** The settings of the organisation: form, page, defaults, reading and SQL follow from this list. */
const organisation = defineSettings({
  organization_name: line({
    section: 'about',
    label: 'instance.name',
    help: 'instance.name_help',
    autocomplete: 'organization',
    maxLength: 100,
    tooLong: 'instance.name_long',
  }),
  phone_country: {
    section: 'about',
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
  /** Whether people can create an account without an invitation. */
  self_registration: choice({
    section: 'accounts',
    label: 'instance.self_registration',
    help: 'instance.self_registration_help',
    default: 'off',
    values: ['off', 'approval', 'open'],
    optionLabel: (words, value) => words.t(`instance.self_registration_${value}`),
  }),
  own_name_locked: onOff({ section: 'accounts', label: 'instance.own_name_locked', help: 'instance.own_name_locked_help' }),
  people_add_children: onOff({
    section: 'families',
    label: 'instance.people_add_children',
    help: 'instance.people_add_children_help',
  }),
  children_group: line({
    section: 'families',
    label: 'instance.children_group',
    help: 'instance.children_group_help',
    maxLength: 150,
    tooLong: 'form.invalid',
  }),
  guardianship_stays: onOff({
    section: 'families',
    label: 'instance.guardianship_stays',
    help: 'instance.guardianship_stays_help',
  }),
  unknown_age_blocks: onOff({ section: 'rules', label: 'instance.unknown_age_blocks', help: 'instance.unknown_age_blocks_help' }),
  expiring_qualification_warns: onOff({
    section: 'rules',
    label: 'instance.expiring_qualification_warns',
    help: 'instance.expiring_qualification_warns_help',
  }),
  individual_times_tolerance_minutes: wholeNumber({
    section: 'rules',
    label: 'instance.tolerance',
    help: 'instance.tolerance_help',
    default: 0,
    min: 0,
    max: 1440,
  }),
  reminder_hours: wholeNumber({
    section: 'rules',
    label: 'instance.reminder_hours',
    help: 'instance.reminder_hours_help',
    default: 24,
    min: 1,
    max: 336,
  }),
  inquiries_per_day: wholeNumber({
    section: 'rules',
    label: 'instance.inquiries_per_day',
    help: 'instance.inquiries_per_day_help',
    default: 3,
    min: 1,
    max: 50,
  }),
  waiting_list: onOff({ section: 'rules', label: 'instance.waiting_list', help: 'instance.waiting_list_help', default: true }),
  waiting_list_hours: wholeNumber({
    section: 'rules',
    label: 'instance.waiting_list_hours',
    help: 'instance.waiting_list_hours_help',
    default: 12,
    min: 1,
    max: 168,
  }),
  /** How a place changes hands when somebody found a stand-in. */
  stand_ins: choice({
    section: 'rules',
    label: 'instance.stand_ins',
    help: 'instance.stand_ins_help',
    default: 'at_once',
    values: ['at_once', 'planner', 'off'],
    optionLabel: (words, value) => words.t(`instance.stand_ins_${value}`),
  }),
  guest_retention_days: wholeNumber({
    section: 'rules',
    label: 'instance.guest_retention',
    help: 'instance.guest_retention_help',
    default: 90,
    min: 1,
    max: 3650,
  }),
  four_eyes_requests: onOff({ section: 'rules', label: 'instance.four_eyes_requests', help: 'instance.four_eyes_requests_help' }),
  imprint: page({ section: 'legal', label: 'instance.imprint', maxLength: 30_000, tooLong: 'instance.text_long' }),
  privacy: page({ section: 'legal', label: 'instance.privacy', maxLength: 30_000, tooLong: 'instance.text_long' }),
})
export const { form: instanceForm, defaults: INSTANCE_DEFAULTS, namesIn } = organisation
export type InstanceForm = typeof INSTANCE_DEFAULTS
export const logoForm = z.object({ logo: z.string().default('') })

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
    options: () => [
      { value: 'de', label: 'Deutsch' },
      { value: 'en', label: 'English' },
    ],
    schema: z.enum(['en', 'de'], 'form.invalid'),
  }),
})
/** What the sign-in page shows if there are identity providers. */
export const SIGN_IN_DEFAULTS = { hide_local_sign_in: false, redirect_to_provider: false }
export type SignInSettings = typeof SIGN_IN_DEFAULTS
export type RegionForm = z.infer<typeof regionForm.schema>
