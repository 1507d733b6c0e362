import { sql } from 'kysely'
import { Temporal } from 'temporal-polyfill'
import { z } from 'zod'
import { qualificationRecord } from '#features/accounts/qualifications/schema.ts'
import { visibleTo } from '#features/events/events/access.ts'
import { knownEventTypes, timeParameters, typeRecord } from '#features/events/events/schema/events.ts'
import { readGiven } from '#features/events/questionnaires/rules.ts'
import { defineSettings, wholeNumber } from '#features/operations/settings/schema/define-settings.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { choiceParameter, idListParameter } from '#platform/http/parameter-kinds.ts'
import { modifiedSince } from '#platform/http/time-parameter.ts'
import { readTypedTime } from '#platform/i18n/typed-dates.ts'
import { checkbox, dateTime as dateTimeInput, defineForm, hidden, radios, select, textarea } from '#platform/ui/define-form.ts'
import { formCheckbox, formLines, formText, isTimeOfDay } from '#platform/ui/form-schemas.ts'
import { readOrigin } from './rules/links.ts'

const dateTime = z.iso.datetime({ offset: true })

const commentExample = { author: 'Ada', text: 'brings the van', created_at: '2031-04-01T10:00:00.500000+02:00' }
const participantExample = { display_name: 'Ben', is_minor: false, type: 'LocalUserParticipant', qualifications: [] }
const firstExample = {
  id: 88,
  shift: 31,
  event: 12,
  event_title: 'Harbour run',
  event_type: { id: 2, title: 'Race' },
  state: { value: 1, label: 'confirmed' },
}
const lastExample = {
  start_time: '2031-05-04T08:00:00+02:00',
  end_time: '2031-05-04T14:30:00+02:00',
  duration: 23_400,
  structure_data: {},
  user: 7,
}
const participationExample = { ...firstExample, ...lastExample, participant: participantExample }
const userinfoExample = {
  ...firstExample,
  comments: [commentExample],
  ...lastExample,
  participant: { ...participantExample, email: 'ben@turnout.example', date_of_birth: '1995-02-03', age: 36 },
}

const publicParticipant = z.strictObject({
  display_name: z.string(),
  is_minor: z.boolean(),
  type: z.enum(['LocalUserParticipant', 'GuestParticipant', 'FederatedParticipant', 'PlaceholderParticipant']),
  qualifications: z.array(qualificationRecord),
})

export const commentRecord = z
  .strictObject({ author: z.string(), text: z.string(), created_at: dateTime })
  .meta({ id: 'Comment', examples: [commentExample] })

const beforeComments = {
  id: z.int(),
  shift: z.int(),
  event: z.int(),
  event_title: z.string(),
  event_type: typeRecord,
  state: z.strictObject({ value: z.int().min(0).max(4), label: z.string() }),
}
const afterComments = {
  start_time: dateTime.describe('Individual, or else of the shift'),
  end_time: dateTime,
  duration: z.number().describe('Seconds between the two'),
  structure_data: z.record(z.string(), z.unknown()),
  user: z.int().nullable().describe('null for guests, visitors and placeholders'),
}

/** Without e-mail address and date of birth. */
export const participationRecord = z
  .strictObject({ ...beforeComments, ...afterComments, participant: publicParticipant })
  .meta({ id: 'Participation', examples: [participationExample] })

export const userinfoParticipationRecord = z
  .strictObject({
    ...beforeComments,
    comments: z.array(commentRecord).describe('Oldest first; those that the caller may see'),
    ...afterComments,
    participant: publicParticipant.extend({
      email: z.string().nullable(),
      date_of_birth: z.iso.date().nullable(),
      age: z.int().nullable(),
    }),
  })
  .meta({ id: 'UserinfoParticipation', examples: [userinfoExample] })

async function knownEvents(ids: number[], { db, actor }: RequestContext): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{
    id: number
  }>`select e.id from event e where e.id = any (${ids}::bigint[]) and ${visibleTo(actor)}`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

async function knownShifts(ids: number[], { db, actor }: RequestContext): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ id: number }>`
    select s.id from shift s join event e on e.id = s.event_id where s.id = any (${ids}::bigint[]) and ${visibleTo(actor)}`.execute(
    db,
  )
  return new Set(rows.map(({ id }) => id))
}

export const participationParameters = {
  state: choiceParameter('Participations in this state.', [0, 1, 2, 3, 4]),
  ...timeParameters,
  modified_since: modifiedSince(
    'Changed at or after this time: the participation itself or its comments, not the person or the event.',
  ),
  event_type: idListParameter({ description: 'In events of these types.', ...knownEventTypes }),
  event: idListParameter({ description: 'In these events, which the caller must be able to see.', known: knownEvents }),
  shift: idListParameter({ description: 'In these shifts, which the caller must be able to see.', known: knownShifts }),
}

const MAX_COMMENT_LENGTH = 255
/** A comment in the body of a write, by the same rules as in the form. */
export const commentText = z
  .string()
  .overwrite((text) => text.replaceAll('\r\n', '\n').trim())
  .check(({ value, issues }) => {
    if ([...value].length > MAX_COMMENT_LENGTH)
      issues.push({ code: 'too_big', maximum: MAX_COMMENT_LENGTH, origin: 'string', inclusive: true, input: value })
  })
  .meta({ maxLength: MAX_COMMENT_LENGTH })

/** A value of a `datetime-local` input, or a time alone; empty: the time of the shift. */
const dateTimeText = formText
  .max(40, 'form.invalid')
  .trim()
  .transform((text) => readTypedTime(text) ?? text)
  .refine((text) => text === '' || isTimeOfDay(text) || isDateTime(text), 'form.time_unreadable')

function isDateTime(text: string): boolean {
  try {
    return Temporal.PlainDateTime.from(text.slice(0, 16)) !== undefined
  } catch {
    return false
  }
}

/** The page of the button; the page of the event if it is unknown. */
export const origin = z.string().default('event').transform(readOrigin)

const ownComment = formLines.refine((text) => [...text].length <= MAX_COMMENT_LENGTH, 'signup.comment_long')

/** A one-click sign-up sends only `quick`. */
export const signupForm = defineForm({
  doing: hidden(z.enum(['sign-up', 'customize']).default('sign-up')),
  quick: hidden(z.literal('1').optional()),
  from: hidden(origin),
  start: dateTimeInput({ label: 'signup.start', schema: dateTimeText.optional() }),
  end: dateTimeInput({ label: 'signup.end', schema: dateTimeText.optional() }),
  start_which: select({ label: 'form.which', schema: z.string().max(10).optional() }),
  end_which: select({ label: 'form.which', schema: z.string().max(10).optional() }),
  wish: radios({ label: 'signup.place', schema: z.string().max(500).optional() }),
  comment: textarea({
    label: 'signup.comment',
    help: 'signup.comment_help',
    rows: 2,
    attributes: { maxlength: MAX_COMMENT_LENGTH },
    schema: ownComment.optional(),
  }),
  public: checkbox({ label: 'signup.public' }),
})

/** Fields of questions have computed names, and the field `asked` says which of them the form shows. */
export const signupInput = z.preprocess(
  (values) => ({ ...(values as object), answers: readGiven(values as Record<string, unknown>) }),
  signupForm.schema.extend({
    answers: z
      .instanceof(Map<number, string[]>, { error: 'questions.too_many' })
      .refine((answers) => [...answers.values()].flat().every((text) => !text.includes('\0')), 'form.invalid'),
    save_answers: formCheckbox,
  }),
)
export type SignupForm = z.infer<typeof signupInput>

export const declineForm = z.object({
  from: origin,
  /** Set by the page that asks; giving up a confirmed place needs it. */
  sure: z.literal('1').optional(),
  comment: ownComment.optional(),
})
export type DeclineForm = z.infer<typeof declineForm>

export const undoForm = z.object({
  entry: z.coerce.number().int().positive(),
  from: origin,
})
export type UndoForm = z.infer<typeof undoForm>

/** When people are reminded. */
export const reminderSettings = defineSettings({
  reminder_hours: wholeNumber({
    label: 'instance.reminder_hours',
    help: 'instance.reminder_hours_help',
    default: 24,
    min: 1,
    max: 336,
  }),
})
