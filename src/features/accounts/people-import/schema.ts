import { z } from 'zod'
import { receivedFiles } from '#platform/files/upload.ts'
import { checkbox, defineForm, file, hidden, textarea } from '#platform/ui/define-form.ts'
import { formText } from '#platform/ui/form-schemas.ts'

export const MAX_FILE_BYTES = 20_000_000

export const uploadForm = defineForm({
  file: file({
    label: 'people_import.file',
    schema: receivedFiles.default([]),
    attributes: {
      accept: '.csv,.txt,.tsv,.xlsx,text/csv,text/plain,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    },
  }),
  text: textarea({ label: 'people_import.text', help: 'people_import.text_help', rows: 6, schema: formText.default('') }),
})

/** The fields depend on the columns and names of the list. */
export const settingsForm = z.record(z.string(), z.union([z.string(), z.array(z.string())]))

export const applyForm = defineForm({
  /** All rows or nothing; only those without conflicts and errors. */
  mode: hidden(z.enum(['all', 'good'], 'form.invalid')),
  invite: checkbox({ label: 'people_import.invite', help: 'people_import.invite_help' }),
})
