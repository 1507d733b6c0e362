import { z } from 'zod'
import type { FileType } from '#platform/files/file-types.ts'
import { FILE_TYPES } from '#platform/files/file-types.ts'
import { receivedFiles } from '#platform/files/upload.ts'
import { checkbox, checkboxes, defineForm, file, hidden, text } from '#platform/ui/define-form.ts'
import { formLine } from '#platform/ui/form-schemas.ts'

/** Everything that can be recognised, besides pictures that cannot be read. */
export const ATTACHMENT_TYPES = (Object.keys(FILE_TYPES) as FileType[]).filter((type) => type !== 'image/heic')
/** A plan can be enlarged. */
export const ATTACHED_PICTURE = { maxSide: 4000 }

export const filesForm = defineForm({
  files: file({ label: 'files.choose', required: true, attributes: { multiple: true }, schema: receivedFiles }),
})

const MAX_TITLE_LENGTH = 255

export const fileForm = defineForm({
  title: text({
    label: 'files.name',
    required: true,
    attributes: { maxlength: MAX_TITLE_LENGTH },
    schema: formLine.min(1, 'files.title_missing').max(MAX_TITLE_LENGTH, 'files.title_long').default(''),
  }),
  shared: checkbox({ label: 'files.shared', help: 'files.shared_help' }),
  version: hidden(
    z
      .string()
      .regex(/^\d{0,9}$/, 'form.invalid')
      .default('0')
      .transform(Number),
  ),
})
export type FileForm = z.infer<typeof fileForm.schema>

/** Shared files for one event. */
export const chosenFilesForm = defineForm({ files: checkboxes({ label: 'files.for_every_event' }) })
