import type { FileType } from '#platform/files/file-types.ts'
import { FILE_TYPES } from '#platform/files/file-types.ts'
import { receivedFiles } from '#platform/files/upload.ts'
import { defineForm, file } from '#platform/ui/define-form.ts'

/** Everything that can be recognised. */
export const ATTACHMENT_TYPES = Object.keys(FILE_TYPES) as FileType[]

export const filesForm = defineForm({
  files: file({ label: 'files.choose', required: true, attributes: { multiple: true }, schema: receivedFiles }),
})
