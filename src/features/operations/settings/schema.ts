import { z } from 'zod'
import { DEFAULT_PHONE_COUNTRY, isPhoneCountry, phoneCountries } from '#platform/phone.ts'
import { checkbox, defineForm, number, radios, select, text, textarea } from '#platform/ui/define-form.ts'
import { formLine, formLines } from '#platform/ui/form-schemas.ts'

const page = formLines.refine((value) => value.length <= 30_000, 'instance.text_long').default('')
const wholeNumber = (max: number, message: string, otherwise = '0') =>
  z
    .string()
    .trim()
    .default(otherwise)
    .refine((value) => /^\d{0,5}$/.test(value) && Number(value) <= max, message)
    .transform(Number)

const MAX_REMINDER_HOURS = 336
export const DEFAULT_REMINDER_HOURS = 24

const MAX_INQUIRIES_PER_DAY = 50
export const DEFAULT_INQUIRIES_PER_DAY = 3

const MAX_OFFER_HOURS = 168
export const DEFAULT_OFFER_HOURS = 12

const MAX_GUEST_RETENTION_DAYS = 3650
export const DEFAULT_GUEST_RETENTION_DAYS = 90

/** Whether people can create an account without an invitation. */
const SELF_REGISTRATION = ['off', 'approval', 'open'] as const

/** How a place changes hands when somebody found a stand-in. */
const STAND_INS = ['at_once', 'planner', 'off'] as const

export const instanceForm = defineForm({
  organization_name: text({
    label: 'instance.name',
    help: 'instance.name_help',
    attributes: { autocomplete: 'organization' },
    schema: formLine.max(100, 'instance.name_long').default(''),
  }),
  phone_country: select({
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
  self_registration: radios({
    label: 'instance.self_registration',
    help: 'instance.self_registration_help',
    options: (words) => SELF_REGISTRATION.map((value) => ({ value, label: words.t(`instance.self_registration_${value}`) })),
    schema: z.enum(SELF_REGISTRATION, 'form.invalid').default('off'),
  }),
  own_name_locked: checkbox({ label: 'instance.own_name_locked', help: 'instance.own_name_locked_help' }),
  people_add_children: checkbox({ label: 'instance.people_add_children', help: 'instance.people_add_children_help' }),
  children_group: text({
    label: 'instance.children_group',
    help: 'instance.children_group_help',
    schema: formLine.max(150, 'form.invalid').default(''),
  }),
  guardianship_stays: checkbox({ label: 'instance.guardianship_stays', help: 'instance.guardianship_stays_help' }),
  unknown_age_blocks: checkbox({ label: 'instance.unknown_age_blocks', help: 'instance.unknown_age_blocks_help' }),
  expiring_qualification_warns: checkbox({
    label: 'instance.expiring_qualification_warns',
    help: 'instance.expiring_qualification_warns_help',
  }),
  individual_times_tolerance_minutes: number({
    label: 'instance.tolerance',
    help: 'instance.tolerance_help',
    min: 0,
    max: 1440,
    schema: wholeNumber(1440, 'instance.minutes_invalid'),
  }),
  reminder_hours: number({
    label: 'instance.reminder_hours',
    help: 'instance.reminder_hours_help',
    min: 1,
    max: MAX_REMINDER_HOURS,
    schema: wholeNumber(MAX_REMINDER_HOURS, 'instance.reminder_invalid', String(DEFAULT_REMINDER_HOURS)).refine(
      (hours) => hours >= 1,
      'instance.reminder_invalid',
    ),
  }),
  inquiries_per_day: number({
    label: 'instance.inquiries_per_day',
    help: 'instance.inquiries_per_day_help',
    min: 1,
    max: MAX_INQUIRIES_PER_DAY,
    schema: wholeNumber(MAX_INQUIRIES_PER_DAY, 'instance.inquiries_invalid', String(DEFAULT_INQUIRIES_PER_DAY)).refine(
      (count) => count >= 1,
      'instance.inquiries_invalid',
    ),
  }),
  waiting_list: checkbox({ label: 'instance.waiting_list', help: 'instance.waiting_list_help' }),
  waiting_list_hours: number({
    label: 'instance.waiting_list_hours',
    help: 'instance.waiting_list_hours_help',
    min: 1,
    max: MAX_OFFER_HOURS,
    schema: wholeNumber(MAX_OFFER_HOURS, 'instance.waiting_list_invalid', String(DEFAULT_OFFER_HOURS)).refine(
      (hours) => hours >= 1,
      'instance.waiting_list_invalid',
    ),
  }),
  stand_ins: radios({
    label: 'instance.stand_ins',
    help: 'instance.stand_ins_help',
    options: (words) => STAND_INS.map((value) => ({ value, label: words.t(`instance.stand_ins_${value}`) })),
    schema: z.enum(STAND_INS, 'form.invalid').default('at_once'),
  }),
  guest_retention_days: number({
    label: 'instance.guest_retention',
    help: 'instance.guest_retention_help',
    min: 1,
    max: MAX_GUEST_RETENTION_DAYS,
    schema: wholeNumber(
      MAX_GUEST_RETENTION_DAYS,
      'instance.guest_retention_invalid',
      String(DEFAULT_GUEST_RETENTION_DAYS),
    ).refine((days) => days >= 1, 'instance.guest_retention_invalid'),
  }),
  four_eyes_requests: checkbox({ label: 'instance.four_eyes_requests', help: 'instance.four_eyes_requests_help' }),
  imprint: textarea({ label: 'instance.imprint', rows: 8, schema: page }),
  privacy: textarea({ label: 'instance.privacy', rows: 8, schema: page }),
})
export type InstanceForm = z.infer<typeof instanceForm.schema>
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
export type SignInSettings = { hide_local_sign_in: boolean; redirect_to_provider: boolean }
export type RegionForm = z.infer<typeof regionForm.schema>
