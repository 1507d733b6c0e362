import { z } from 'zod'
import { qualificationRecord } from '#features/accounts/qualifications/schema.ts'
import { emailListParameter, searchParameter } from '#platform/http/parameter-kinds.ts'
import { modifiedSince } from '#platform/http/time-parameter.ts'
import { LANGUAGES } from '#platform/i18n/languages.ts'
import { isMailAddress } from '#platform/mail-address.ts'
import { isAddress } from '#platform/no-address.ts'
import { checkbox, checkboxes, date, defineForm, email, hidden, radios, select, text } from '#platform/ui/define-form.ts'
import { formId, formIds, formLine, formText, formTexts } from '#platform/ui/form-schemas.ts'
import { USERNAME } from './rules.ts'

export const userRecord = z
  .strictObject({
    id: z.int(),
    display_name: z.string(),
    date_of_birth: z.iso.date().nullable(),
    email: z.string(),
    qualifications: z.array(qualificationRecord).describe('Granted and not expired'),
  })
  .meta({
    id: 'UserProfile',
    examples: [{ id: 7, display_name: 'Ben', date_of_birth: '1995-02-03', email: 'ben@turnout.example', qualifications: [] }],
  })

export const userParameters = {
  search: searchParameter('name or e-mail address'),
  email: emailListParameter('People with these e-mail addresses.', 100),
  modified_since: modifiedSince('Whose profile or qualifications changed at or after this time.'),
}

const groupExample = { id: 3, name: 'Helpers', member_count: 41, permissions: [], publish_for: [], decide_hours_for: [] }

export const groupRecord = z
  .strictObject({
    id: z.int(),
    name: z.string(),
    member_count: z.int(),
    permissions: z.array(z.string()).describe('Global permissions of the members'),
    publish_for: z.array(z.int()).describe('Ids of the groups for which members may publish events'),
    decide_hours_for: z.array(z.int()).describe('Ids of the groups about whose working hours members decide'),
  })
  .meta({ id: 'Group', examples: [groupExample] })

export const heldQualificationRecord = z
  .strictObject({
    id: z.int(),
    user: z.int(),
    qualification_id: z.int(),
    qualification: qualificationRecord,
    expires_at: z.iso.datetime({ offset: true }).nullable().describe('The last moment of its validity; null: unlimited'),
    is_valid: z.boolean().describe('Not expired'),
    externally_managed: z.boolean().describe('Kept by another system, which may overwrite changes'),
  })
  .meta({
    id: 'HeldQualification',
    description: 'A qualification that a person has or had.',
    examples: [
      {
        id: 51,
        user: 7,
        qualification_id: 4,
        qualification: {
          uuid: '8d0c1b0e-3a52-4f4b-9f0b-1f2f3f4f5f60',
          title: 'First aid',
          abbreviation: 'FA',
          category: '1c4f7a2e-5b60-4d3c-8e9f-0a1b2c3d4e5f',
          includes: [],
        },
        expires_at: '2033-12-31T23:59:59+01:00',
        is_valid: true,
        externally_managed: false,
      },
    ],
  })

export const languageForm = defineForm({
  language: radios({
    label: 'settings.language_help',
    schema: z.enum(LANGUAGES, 'form.invalid'),
  }),
})

const line = formLine.max(254, 'people.too_long')
const isDay = (value: string): boolean => z.iso.date().safeParse(value).success
const emptyAsNull = (value: string): string | null => value || null

const optionalAddress = line
  .default('')
  .refine((value) => !value || (isMailAddress(value) && isAddress(value)), 'people.email_invalid')

export const personForm = defineForm({
  /** The state with which the form was loaded, from `personState`. */
  seen: hidden(formText.optional()),
  name: text({
    label: 'people.name',
    required: true,
    attributes: { autocomplete: 'off' },
    schema: line.min(1, 'people.name_missing'),
  }),
  /** Empty: the person has no address of their own. */
  email: email({
    label: 'people.email',
    help: 'people.email_help',
    attributes: { autocomplete: 'off' },
    schema: optionalAddress,
  }),
  username: text({
    label: 'people.username',
    help: 'people.username_help',
    attributes: { autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false' },
    schema: line
      .default('')
      .refine((value) => !value || USERNAME.test(value), 'people.username_invalid')
      .transform(emptyAsNull),
  }),
  contact_email: email({
    label: 'people.contact_email',
    help: 'people.contact_email_help',
    attributes: { autocomplete: 'off' },
    schema: optionalAddress.transform(emptyAsNull),
  }),
  date_of_birth: date({
    label: 'people.birth_date',
    help: 'people.birth_help',
    schema: line
      .default('')
      .refine((value) => !value || (isDay(value) && value >= '1900-01-01'), 'people.day_invalid')
      .transform(emptyAsNull),
  }),
  phone: text({ type: 'tel', label: 'people.phone', help: 'people.phone_help', schema: line.default('').transform(emptyAsNull) }),
  language: radios({
    label: 'people.language',
    schema: z.enum(LANGUAGES, 'form.invalid'),
  }),
  groups: checkboxes({ label: 'people.groups', help: 'people.groups_help' }),
  is_staff: checkbox({ label: 'people.is_staff', help: 'people.is_staff_help' }),
  is_visible: checkbox({ label: 'people.is_visible', help: 'people.is_visible_help' }),
})
export type PersonForm = z.infer<typeof personForm.schema>

export const ownDetailsForm = defineForm({
  /** Absent if the name is locked. */
  name: text({
    label: 'settings.name',
    required: true,
    attributes: { autocomplete: 'name' },
    schema: line.min(1, 'people.name_missing').optional(),
  }),
  phone: text({
    type: 'tel',
    label: 'settings.phone',
    help: 'settings.own_phone_help',
    attributes: { autocomplete: 'tel' },
    schema: line.default('').transform(emptyAsNull),
  }),
  shows_phone: checkbox({ label: 'settings.shows_phone', help: 'settings.shows_phone_help' }),
  emergency_name: text({ label: 'settings.emergency_name', schema: line.default('').transform(emptyAsNull) }),
  emergency_phone: text({ type: 'tel', label: 'settings.emergency_phone', schema: line.default('').transform(emptyAsNull) }),
})
export type OwnDetailsForm = z.infer<typeof ownDetailsForm.schema>

/** The last day of a qualification; null: none was named. */
export const validUntil = date({
  label: 'people.valid_until',
  help: 'people.until_help',
  schema: line
    .default('')
    .refine((value) => !value || isDay(value), 'people.day_invalid')
    .transform(emptyAsNull),
})

export const grantForm = defineForm({
  qualification: select({ label: 'people.qualification', schema: formId() }),
  until: validUntil,
})
export const withdrawForm = z.object({ qualification: formId() })

export const groupForm = defineForm({
  /** The state with which the form was loaded, from `groupState`. */
  seen: hidden(formText.optional()),
  name: text({
    label: 'groups.name',
    required: true,
    schema: line.min(1, 'groups.name_missing').max(150, 'groups.name_long'),
  }),
  bundles: checkboxes({ label: 'groups.bundles', help: 'groups.bundles_help', schema: formTexts }),
  publish_for: checkboxes({ label: 'groups.publish_for', help: 'groups.publish_for_help' }),
  decide_hours_for: checkboxes({ label: 'groups.decide_hours_for', help: 'groups.decide_hours_for_help' }),
})
export type GroupForm = z.infer<typeof groupForm.schema>
export const memberForm = z.object({ people: formIds })
