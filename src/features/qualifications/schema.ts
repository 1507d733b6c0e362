import { z } from 'zod'

export const qualificationRecord = z
  .strictObject({
    uuid: z.uuid(),
    title: z.string(),
    abbreviation: z.string(),
    category: z.uuid().describe('Of the category'),
    includes: z.array(z.uuid()).describe('Everything that it includes, also through others; not itself'),
  })
  .meta({ id: 'Qualification' })

export type QualificationRecord = z.infer<typeof qualificationRecord>
