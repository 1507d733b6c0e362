import { z } from 'zod'
import { qualificationRecord } from '#features/qualifications/schema.ts'
import { searchParameter } from '#platform/http/parameter-kinds.ts'
import { LANGUAGES } from '#platform/i18n/catalogue.ts'

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

export const userParameters = { search: searchParameter('name or e-mail address') }

export const languageForm = z.object({ language: z.enum(LANGUAGES, 'form.invalid') })
