import { z } from 'zod'
import { defineSettings, onOff } from '#features/operations/settings/schema/define-settings.ts'
import { choiceParameter } from '#platform/http/parameter-kinds.ts'
import { formLines } from '#platform/ui/form-schemas.ts'

export const MAX_COMMENT_LENGTH = 1000

/** Withdrawn requests are not shown to those who decide. */
const STATES = ['open', 'granted', 'failed', 'refused'] as const

export const requestParameters = { state: choiceParameter('Requests in this state.', STATES) }

export const requestRecord = z
  .strictObject({
    id: z.int(),
    kind: z.string().describe('`working_hours`, `qualification`, `joining` or `profile`'),
    user: z.int().describe('Who asks'),
    state: z.enum(STATES),
    text: z.string().describe('What the person asks for'),
    comment: z.string().describe('Of the decision'),
    created_at: z.iso.datetime({ offset: true }),
    decided_at: z.iso.datetime({ offset: true }).nullable(),
  })
  .meta({
    id: 'Request',
    examples: [
      {
        id: 14,
        kind: 'working_hours',
        user: 7,
        state: 'granted',
        text: '2.5 hours on 2 March 2031: Cleaned the vehicles',
        comment: 'Thank you',
        created_at: '2031-03-03T09:00:00+01:00',
        decided_at: '2031-03-04T18:30:00+01:00',
      },
    ],
  })

export const decisionForm = z.object({
  decision: z.enum(['grant', 'refuse']),
  comment: formLines.refine((value) => value.length <= MAX_COMMENT_LENGTH, 'requests.comment_long').default(''),
})

/** Who decides requests. */
export const requestSettings = defineSettings({
  four_eyes_requests: onOff({ label: 'instance.four_eyes_requests', help: 'instance.four_eyes_requests_help' }),
})
