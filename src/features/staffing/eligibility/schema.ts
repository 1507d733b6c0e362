import { z } from 'zod'
import { KINDS } from '#features/events/questionnaires/rules.ts'
import { defineSettings, onOff, wholeNumber } from '#features/operations/settings/schema/define-settings.ts'

const dateTime = z.iso.datetime({ offset: true })
const state = z.strictObject({ value: z.int().min(0).max(4), label: z.string() })

/** A reason or warning: `code` is stable, `detail` is a sentence in the language of the caller. */
export const codedText = z.strictObject({ code: z.string(), detail: z.string() })
export const placeOption = z.strictObject({
  wish: z.string().describe('The value for `wish` of a sign-up'),
  title: z.string(),
})

const verdict = z.strictObject({
  allowed: z.boolean(),
  reasons: z.array(codedText).describe('Everything that speaks against it; empty if it is allowed'),
})
const question = z.strictObject({
  id: z.int(),
  kind: z.enum(KINDS),
  name: z.string(),
  text: z.string(),
  description: z.string(),
  choices: z.array(z.string()).describe('Empty for questions with a free text'),
  required: z.boolean(),
  answer: z
    .union([z.string(), z.array(z.string())])
    .nullable()
    .describe('Given or saved before; used if a sign-up does not answer the question'),
})

export const eligibilityRecord = z
  .strictObject({
    shift: z.int(),
    event: z.int(),
    participation: z.int().nullable().describe('The own participation in any state'),
    state: state.nullable(),
    sign_up: verdict,
    decline: verdict,
    change: verdict.describe('Of times, wish, answers and comment of the own participation'),
    state_after_sign_up: state.nullable().describe('null if the shift is not set up correctly'),
    needed: z
      .array(z.strictObject({ pointer: z.string().optional(), ...codedText.shape }))
      .describe('Why an empty object is not enough to sign up; `pointer` is the key that is missing'),
    warnings: z.array(codedText).describe('They do not prevent a sign-up'),
    opens_at: dateTime.nullable(),
    closes_at: dateTime.nullable(),
    times: z.strictObject({
      can_choose: z.boolean().describe('Whether `start_time` and `end_time` may differ from those of the shift'),
      earliest: dateTime,
      latest: dateTime,
      qualified_until: dateTime.nullable().describe('A sign-up must end by then, which is before the end of the shift'),
    }),
    places: z
      .strictObject({
        kind: z.enum(['team', 'unit']),
        required: z.boolean(),
        wish: z.string().nullable().describe('The present wish or place'),
        options: z.array(placeOption),
        full: z.array(z.string()).describe('Titles of places that are taken'),
        unqualified: z.array(z.string()).describe('Titles of places for which the caller is not qualified'),
      })
      .nullable()
      .describe('null if there is nothing to choose'),
    questions: z.array(question),
  })
  .meta({
    id: 'Eligibility',
    examples: [
      {
        shift: 31,
        event: 12,
        participation: null,
        state: null,
        sign_up: { allowed: true, reasons: [] },
        decline: { allowed: true, reasons: [] },
        change: { allowed: false, reasons: [{ code: 'not_in', detail: 'You are not signed up for this shift.' }] },
        state_after_sign_up: { value: 0, label: 'requested' },
        needed: [],
        warnings: [],
        opens_at: null,
        closes_at: '2031-05-04T14:30:00+02:00',
        times: {
          can_choose: true,
          earliest: '2031-05-04T07:30:00+02:00',
          latest: '2031-05-04T14:30:00+02:00',
          qualified_until: null,
        },
        places: null,
        questions: [],
      },
    ],
  })

/** What applies to every sign-up. */
export const signupSettings = defineSettings({
  unknown_age_blocks: onOff({ label: 'instance.unknown_age_blocks', help: 'instance.unknown_age_blocks_help' }),
  expiring_qualification_warns: onOff({
    label: 'instance.expiring_qualification_warns',
    help: 'instance.expiring_qualification_warns_help',
  }),
  individual_times_tolerance_minutes: wholeNumber({
    label: 'instance.tolerance',
    help: 'instance.tolerance_help',
    default: 0,
    min: 0,
    max: 1440,
  }),
})

/** Waiting lists of full shifts. */
export const waitingListSettings = defineSettings({
  waiting_list: onOff({ label: 'instance.waiting_list', help: 'instance.waiting_list_help', default: true }),
  waiting_list_hours: wholeNumber({
    label: 'instance.waiting_list_hours',
    help: 'instance.waiting_list_hours_help',
    default: 12,
    min: 1,
    max: 168,
  }),
})
