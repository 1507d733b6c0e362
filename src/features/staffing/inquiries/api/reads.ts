import { z } from 'zod'
import { getBoardShift } from '#features/staffing/disposition/queries/shift-board.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { scope } from '#platform/http/access.ts'
import { type Endpoint, recordEndpoint } from '#platform/http/endpoint.ts'
import { Problem } from '#platform/http/problem.ts'
import { wireDate } from '#platform/http/time-format.ts'
import { findInquiries, getClosingTime, type Inquiry, type InquiryPerson } from '../queries/inquiries.ts'

const time = z.iso.datetime({ offset: true })
const askedPerson = z.strictObject({
  user: z.int(),
  display_name: z.string(),
  asked_at: time.nullable().describe('null: not asked yet'),
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
export const inquiriesRecord = z
  .strictObject({
    id: z.int().describe('The id of the shift'),
    answers_until: time.describe('When sign-up ends, as it is now, and links stop to count'),
    inquiries: z.array(inquiryRecord).describe('The newest first'),
  })
  .meta({
    id: 'ShiftInquiries',
    examples: [
      {
        id: 31,
        answers_until: '2031-05-09T18:00:00+02:00',
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

type ShiftInquiries = { id: number; answersUntil: Date; inquiries: Inquiry[] }

/** 404 for shifts that the caller does not see, 403 for those that they do not plan, as the page answers. */
export async function getInquiries(context: RequestContext, id: number): Promise<ShiftInquiries | undefined> {
  const found = await getBoardShift(context, id)
  if (!found) return undefined
  if (!found.mayChange) throw new Problem('permission_denied')
  const [answersUntil, inquiries] = await Promise.all([
    getClosingTime(context.db, id, context.site.timeZone),
    findInquiries(context.db, id),
  ])
  return { id, answersUntil, inquiries }
}

const presentPerson = (person: InquiryPerson, zone: string) => ({
  user: person.userId,
  display_name: person.name,
  asked_at: person.askedAt && wireDate(person.askedAt, zone),
  withdrawn_at: person.withdrawnAt && wireDate(person.withdrawnAt, zone),
  answer: person.answer,
  answered_at: person.answeredAt && wireDate(person.answeredAt, zone),
  reason: person.reason,
})

const presentInquiry = (inquiry: Inquiry, zone: string) => ({
  id: inquiry.id,
  created_at: wireDate(inquiry.createdAt, zone),
  message: inquiry.message,
  wanted: inquiry.wanted,
  next_wave_at: inquiry.nextWaveAt && wireDate(inquiry.nextWaveAt, zone),
  ended_at: inquiry.endedAt && wireDate(inquiry.endedAt, zone),
  end_reason: inquiry.endReason,
  people: inquiry.people.map((person) => presentPerson(person, zone)),
})

export const presentInquiries = ({ id, answersUntil, inquiries }: ShiftInquiries, { site }: RequestContext) => ({
  id,
  answers_until: wireDate(answersUntil, site.timeZone),
  inquiries: inquiries.map((inquiry) => presentInquiry(inquiry, site.timeZone)),
})

export const inquiryReads: Endpoint[] = [
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
    present: presentInquiries,
  }),
]
