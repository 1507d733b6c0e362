import { z } from 'zod'
import { PICTURE_TYPES } from '#platform/files/file-types.ts'
import { uploadSchema } from '#platform/files/upload.ts'
import { isPublicMailAddress } from '#platform/mail-address.ts'
import { date, defineForm, email, file, text } from '#platform/ui/define-form.ts'
import { formLine } from '#platform/ui/form-schemas.ts'

export const EMAIL_CHANGE_TASK = 'email_change_mail'
/** The payload of a mail job; never contains a link. */
export const emailChangeMail = z.object({ kind: z.enum(['confirm', 'notice']), userId: z.int(), requestedAt: z.iso.datetime() })
export type EmailChangeMail = z.infer<typeof emailChangeMail>

const line = formLine.max(254, 'people.too_long')
const isDay = (value: string): boolean => z.iso.date().safeParse(value).success

export const emailChangeForm = defineForm({
  email: email({
    label: 'profiles.new_email',
    required: true,
    attributes: { autocomplete: 'email', maxlength: 254 },
    schema: line.default('').refine(isPublicMailAddress, 'people.email_invalid'),
  }),
})

export const proposalForm = defineForm({
  name: text({
    label: 'settings.name',
    attributes: { autocomplete: 'name', maxlength: 254 },
    schema: line.default(''),
  }),
  date_of_birth: date({
    label: 'settings.birth_date',
    attributes: { autocomplete: 'bday' },
    schema: line.default('').refine((value) => !value || (isDay(value) && value >= '1900-01-01'), 'people.day_invalid'),
  }),
  note: text({
    label: 'profiles.note',
    help: 'profiles.note_help',
    attributes: { maxlength: 254 },
    schema: line.default(''),
  }),
})
export type ProposalForm = z.infer<typeof proposalForm.schema>

/** Shown with 96 pixels, and larger when it is opened. */
export const PROFILE_PICTURE = { maxSide: 1024 }

export const pictureForm = defineForm({
  picture: file({
    label: 'profiles.picture_file',
    help: 'profiles.picture_help',
    schema: uploadSchema(PICTURE_TYPES, {
      missing: 'profiles.picture_missing',
      tooLarge: 'profiles.picture_large',
      wrongType: 'profiles.picture_type',
    }),
  }),
})
