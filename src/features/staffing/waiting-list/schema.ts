import { z } from 'zod'
import { origin } from '#features/staffing/participations/schema.ts'
import { defineForm, radios, textarea } from '#platform/ui/define-form.ts'
import { formLines } from '#platform/ui/form-schemas.ts'
import { ENTRY_STATES, MAX_LISTED, WAITING_LIST_MODES } from './rules/waiting-list.ts'

const MAX_REASON_LENGTH = 255

export const modeForm = defineForm({
  mode: radios({
    label: 'offers.mode',
    options: (words) => WAITING_LIST_MODES.map((value) => ({ value, label: words.t(`offers.mode.${value}`) })),
    schema: z.enum(WAITING_LIST_MODES, 'form.invalid'),
  }),
})

export const outOfOrderForm = defineForm({
  reason: textarea({
    label: 'offers.offer_reason',
    help: 'offers.offer_reason_help',
    rows: 2,
    attributes: { maxlength: MAX_REASON_LENGTH },
    schema: formLines
      .refine((value) => value !== '', 'offers.reason_missing')
      .refine((value) => [...value].length <= MAX_REASON_LENGTH, 'offers.reason_long')
      .default(''),
  }),
})

/** One tap on the page behind the link. */
export const offerAnswerForm = z.object({ answer: z.enum(['yes', 'no'], 'form.invalid') })

export const ownEntryForm = z.object({ from: origin })
export const returnForm = z.object({ entry: z.coerce.number().int().positive(), from: origin })

const time = z.iso.datetime({ offset: true })
const offeredUntil = time.nullable().describe('Until when an offered place is held')
const state = z.enum(ENTRY_STATES)

export const ownWaitingRecord = z
  .strictObject({
    id: z.int(),
    shift: z.int(),
    label: z.string(),
    event: z.int(),
    event_title: z.string(),
    start_time: time,
    end_time: time,
    state,
    position: z.int().nullable().describe('1 is the first; null: the person does not wait any more'),
    since: time,
    offered_until: offeredUntil,
  })
  .meta({
    id: 'OwnWaitingEntry',
    examples: [
      {
        id: 5,
        shift: 31,
        label: 'Course marshals',
        event: 12,
        event_title: 'Harbour run',
        start_time: '2031-05-04T08:00:00+02:00',
        end_time: '2031-05-04T14:30:00+02:00',
        state: 'waiting',
        position: 2,
        since: '2031-05-01T10:00:00+02:00',
        offered_until: null,
      },
    ],
  })

const waitingEntry = {
  id: 5,
  user: 7,
  display_name: 'Ben',
  state: 'offered',
  since: '2031-05-01T10:00:00+02:00',
  offered_until: '2031-05-02T10:00:00+02:00',
  passed_over: null,
}

export const waitingListRecord = z
  .strictObject({
    id: z.int().describe('Of the shift'),
    mode: z.enum(WAITING_LIST_MODES).describe('automatic: free places are offered in order; manual: by planners'),
    entries: z
      .array(
        z.strictObject({
          id: z.int(),
          user: z.int(),
          display_name: z.string(),
          state,
          since: time,
          offered_until: offeredUntil,
          passed_over: z
            .string()
            .nullable()
            .describe('Why others got a place first: a reason against a sign-up, or not_available'),
        }),
      )
      .meta({ description: 'Those who wait come first, in their order', maxItems: MAX_LISTED }),
  })
  .meta({ id: 'WaitingList', examples: [{ id: 31, mode: 'automatic', entries: [waitingEntry] }] })
