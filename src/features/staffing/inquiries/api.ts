import { z } from 'zod'
import { getBoardShift } from '#features/staffing/disposition/queries/shift-board.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { scope } from '#platform/http/access.ts'
import { type Endpoint, recordEndpoint } from '#platform/http/endpoint.ts'
import { Problem } from '#platform/http/problem.ts'
import { wireDate } from '#platform/http/time-format.ts'
import { findInquiries, type Inquiry, type InquiryPerson } from './queries/inquiries.ts'

const time = z.iso.datetime({ offset: true })
const askedPerson = z.strictObject({
  user: z.int(),
  display_name: z.string(),
  asked_at: time.nullable().describe('null: not asked yet'),
  expires_at: time.nullable().describe('When the link ends'),
  withdrawn_at: time.nullable().describe('Since when the person is not needed any more'),
  answer: z
    .enum(['can', 'cannot', 'too_late'])
    .nullable()
    .describe('By the link, or by signing up or declining; null: no answer yet'),
  answered_at: time.nullable(),
  reason: z.string().describe('What the person wrote with the answer'),
})
const inquiryRecord = z.strictObject({
  id: z.int(),
  created_at: time,
  message: z.string(),
  wanted: z.int().describe('It ends when so many can'),
  next_wave_at: time.nullable().describe('When the next people are asked'),
  ended_at: time.nullable(),
  end_reason: z.enum(['stopped', 'enough', 'cancelled', 'closed', 'everybody']).nullable(),
  people: z.array(askedPerson).describe('In the order in which they are asked'),
})
const inquiriesRecord = z
  .strictObject({ id: z.int().describe('The id of the shift'), inquiries: z.array(inquiryRecord).describe('The newest first') })
  .meta({
    id: 'ShiftInquiries',
    examples: [
      {
        id: 31,
        inquiries: [
          {
            id: 4,
            created_at: '2031-05-01T10:00:00+02:00',
            message: 'Can you help out?',
            wanted: 1,
            next_wave_at: null,
            ended_at: '2031-05-01T12:00:00+02:00',
            end_reason: 'enough',
            people: [
              {
                user: 7,
                display_name: 'Ben',
                asked_at: '2031-05-01T10:00:00+02:00',
                expires_at: '2031-05-03T10:00:00+02:00',
                withdrawn_at: null,
                answer: 'can',
                answered_at: '2031-05-01T12:00:00+02:00',
                reason: '',
              },
            ],
          },
        ],
      },
    ],
  })

/** 404 for shifts that the caller does not see, 403 for those that they do not plan, as the page answers. */
async function getInquiries(context: RequestContext, id: number): Promise<{ id: number; inquiries: Inquiry[] } | undefined> {
  const found = await getBoardShift(context, id)
  if (!found) return undefined
  if (!found.mayChange) throw new Problem('permission_denied')
  return { id, inquiries: await findInquiries(context.db, id) }
}

export const inquiriesApi: Endpoint[] = [
  recordEndpoint({
    path: '/api/shifts/{id}/inquiries/',
    access: scope('CONFIDENTIAL_READ'),
    name: 'Inquiries',
    operationId: 'shifts_inquiries_retrieve',
    tag: 'shifts',
    summary: 'Who was asked to take part in a shift, and what they answered',
    description: 'For those who may change the event; the last 20 inquiries.',
    parameters: {},
    record: inquiriesRecord,
    get: (context, { id }) => getInquiries(context, id),
    present: ({ id, inquiries }, { site }) => {
      const wire = (at: Date | null) => at && wireDate(at, site.timeZone)
      const presentPerson = (person: InquiryPerson) => ({
        user: person.userId,
        display_name: person.name,
        asked_at: wire(person.askedAt),
        expires_at: wire(person.expiresAt),
        withdrawn_at: wire(person.withdrawnAt),
        answer: person.answer,
        answered_at: wire(person.answeredAt),
        reason: person.reason,
      })
      return {
        id,
        inquiries: inquiries.map((inquiry: Inquiry) => ({
          id: inquiry.id,
          created_at: wire(inquiry.createdAt),
          message: inquiry.message,
          wanted: inquiry.wanted,
          next_wave_at: wire(inquiry.nextWaveAt),
          ended_at: wire(inquiry.endedAt),
          end_reason: inquiry.endReason,
          people: inquiry.people.map(presentPerson),
        })),
      }
    },
  }),
]
