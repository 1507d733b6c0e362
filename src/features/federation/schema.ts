import { z } from 'zod'
import { eventRecord, timeParameters, typeParameter } from '#features/events/schema.ts'

const { id, title, description, location, type, start_time, end_time } = eventRecord.shape

export const sharedEventRecord = z
  .strictObject({
    id,
    title,
    description,
    location,
    type,
    start_time,
    end_time,
    signup_url: z.url().describe('Where people of the partner sign up'),
  })
  .meta({
    id: 'SharedEvent',
    description: 'An event as a partner instance sees it.',
    examples: [
      {
        id: 12,
        title: 'Harbour run',
        description: '',
        location: 'Pier 3',
        type: { id: 2, title: 'Race' },
        start_time: '2031-05-04T08:00:00+02:00',
        end_time: '2031-05-04T14:30:00+02:00',
        signup_url: 'https://turnout.example/events/shared/12/3/',
      },
    ],
  })

export const sharedEventParameters = { type: typeParameter, ...timeParameters }
