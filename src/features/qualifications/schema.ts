import { z } from 'zod'

export const qualificationRecord = z
  .strictObject({
    uuid: z.uuid(),
    title: z.string(),
    abbreviation: z.string(),
    category: z.uuid().describe('Of the category'),
    includes: z.array(z.uuid()).describe('Everything that it includes, also through others; not itself'),
  })
  .meta({
    id: 'Qualification',
    examples: [
      {
        uuid: '8d0c1b0e-3a52-4f4b-9f0b-1f2f3f4f5f60',
        title: 'First aid',
        abbreviation: 'FA',
        category: '1c4f7a2e-5b60-4d3c-8e9f-0a1b2c3d4e5f',
        includes: [],
      },
    ],
  })

export type QualificationRecord = z.infer<typeof qualificationRecord>
