import { z } from 'zod'
import { defineSettings, wholeNumber } from '#features/operations/settings/schema/define-settings.ts'
import { isPublicMailAddress } from '#platform/mail-address.ts'
import { checkboxes, date, defineForm, email, text } from '#platform/ui/define-form.ts'
import { formCheckbox, formId, formLine } from '#platform/ui/form-schemas.ts'

export const LINK_MAIL_TASK = 'guest_link_mail'
export const linkMail = z.object({ guestId: z.int().positive() })

const MAX_LENGTH = 254
const line = formLine.max(MAX_LENGTH, 'guests.too_long').default('')
const isDay = (value: string): boolean => z.iso.date().safeParse(value).success && value >= '1900-01-01'

const details = {
  name: text({
    label: 'guests.name',
    required: true,
    attributes: { autocomplete: 'name', maxlength: MAX_LENGTH },
    schema: line.refine((value) => value.length > 0, 'guests.name_missing'),
  }),
  email: email({
    label: 'guests.email',
    help: 'guests.email_help',
    required: true,
    attributes: { autocomplete: 'email', maxlength: MAX_LENGTH },
    schema: line.refine(isPublicMailAddress, 'guests.email_invalid'),
  }),
  date_of_birth: date({
    label: 'guests.birth_date',
    help: 'guests.birth_help',
    required: true,
    attributes: { autocomplete: 'bday' },
    schema: line.refine(isDay, 'guests.birth_invalid'),
  }),
  phone: text({
    type: 'tel',
    label: 'guests.phone',
    help: 'guests.phone_help',
    attributes: { autocomplete: 'tel', maxlength: MAX_LENGTH },
    schema: line.transform((value) => value || null),
  }),
  qualifications: checkboxes({ label: 'guests.qualifications', help: 'guests.qualifications_help' }),
}

/** What guests say about themselves later. */
export const guestForm = defineForm(details)
export type GuestForm = z.infer<typeof guestForm.schema>

/** Nobody registers for nothing: the shifts come first. */
export const registrationForm = defineForm({ shifts: checkboxes({ label: 'guests.choose_shifts' }), ...details })

/** The section of the event form. */
export const shareSection = z.object({ guest_link: formCheckbox })

export const switchForm = z.object({ active: z.enum(['on', 'off']).default('off') })
/** Without a qualification, there is nothing to decide: 404. */
export const verdictForm = z.object({
  qualification: formId('form.invalid').default(0),
  verdict: z.enum(['confirm', 'reject', 'reopen']).default('reopen'),
})
export type Verdict = z.infer<typeof verdictForm>['verdict']

/** How long guests are stored. */
export const guestSettings = defineSettings({
  guest_retention_days: wholeNumber({
    label: 'instance.guest_retention',
    help: 'instance.guest_retention_help',
    default: 90,
    min: 1,
    max: 3650,
  }),
})
