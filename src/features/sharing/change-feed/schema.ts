import { z } from 'zod'
import { BadParameter, type Parameter } from '#platform/http/parameters.ts'
import { type ChangeKind, KINDS } from './rules/kinds.ts'

const changeExample = {
  cursor: '6f1c2b1e0d3a-1k2',
  kind: 'event',
  id: 12,
  version: 2018,
  what: 'updated',
  cause: 'event.changed',
  at: '2031-05-04T08:00:00+02:00',
}

/** Of each kind one. Records that are gone and changes of access are read otherwise than others. */
const CAUSES: Partial<Record<ChangeKind, [what: string, cause: string | null]>> = {
  event: ['updated', 'event.changed'],
  shift: ['gone', 'shift.cancelled'],
  participation: ['created', 'participation.signed_up'],
  waiting_list: ['updated', 'shift.line_joined'],
  exchanges: ['updated', 'shift.swap_agreed'],
  inquiries: ['updated', 'shift.asked'],
  forecast: ['updated', null],
  own_waiting_list: ['created', null],
  own_attendance: ['updated', 'participation.attendance_marked'],
  availability: ['updated', 'user.availability_changed'],
}
export const changeExamples = KINDS.map((kind, n) => {
  const [what = 'updated', cause = null] = CAUSES[kind] ?? []
  return { ...changeExample, cursor: `6f1c2b1e0d3a-1k${n + 2}`, kind, id: 12 + n, version: 2018 + n, what, cause }
})

export const changeRecord = z
  .strictObject({
    cursor: z.string().describe('Continue after this change with `after`; also the id of the event of a stream'),
    kind: z
      .enum(KINDS)
      .describe(
        'The kind of record. `waiting_list`, `exchanges`, `inquiries`, `forecast`: of a shift, for those who may change its event; `attendance`: of an event, for the same people. `own_` and `availability`, `companions`: your own. `access`: your own groups or permissions changed, or which participations of others you see',
      ),
    id: z
      .int()
      .describe(
        'The id of the record: of the shift for `waiting_list`, `exchanges`, `inquiries`, `forecast` and `companions`, of the event for `attendance`, of your entry for `own_waiting_list`, of your participation for `own_attendance`; for `own_exchanges`, `own_inquiries`, `availability` and `access` your own',
      ),
    version: z.int().describe('Grows with every change of the record'),
    what: z
      .enum(['created', 'visible', 'updated', 'gone'])
      .describe(
        '`created`: the record is new; each is announced so at most once. `visible`: it existed before, and you may see it now, for example because a draft was published or an event was restored. `gone`: deleted, or you may no longer see it',
      ),
    cause: z
      .string()
      .nullable()
      .describe('What happened, if one action concerned this record, for example `event.cancelled`; more may be added'),
    at: z.iso.datetime({ offset: true }),
  })
  .meta({ id: 'Change', examples: changeExamples })

export const changesRecord = z
  .strictObject({
    next: z.string().describe('The cursor to continue with. It moves on even if there are no results'),
    has_more: z.boolean().describe('More can be read at once'),
    results: z.array(changeRecord),
  })
  .meta({ id: 'Changes', examples: [{ next: '6f1c2b1e0d3a-1k2', has_more: false, results: [changeExample] }] })

const DEFAULT_LIMIT = 100
const MAX_LIMIT = 1_000
const MAX_WAIT_SECONDS = 60

/** Numbers beyond the most are taken as the most. */
function wholeNumber({ description, from, to }: { description: string; from: number; to: number }): Parameter<number> {
  return {
    description,
    schema: { type: 'integer', minimum: from, maximum: to },
    read: (values, { words }) => {
      const text = values.at(-1)!.trim()
      if (!text) return undefined
      if (!/^\d{1,9}$/.test(text) || Number(text) < from)
        throw new BadParameter('invalid_value', words.t('changes.bad_number', { from: String(from), to: String(to) }))
      return Math.min(Number(text), to)
    },
  }
}

const after: Parameter<string> = {
  description:
    'A cursor: `next` of the page before, or the `cursor` of a change. `start` begins with the oldest change that is kept. Without it, the answer has no results and `next` is the present end.',
  schema: { type: 'string', examples: ['6f1c2b1e0d3a-1k2'] },
  read: (values) => values.at(-1)!.trim() || undefined,
}

export const streamParameters = { after }

export const changesParameters = {
  after,
  limit: wholeNumber({ description: `The most results, ${DEFAULT_LIMIT} by default.`, from: 1, to: MAX_LIMIT }),
  wait: wholeNumber({
    description: `If there is nothing yet, wait for up to so many seconds for a change.`,
    from: 0,
    to: MAX_WAIT_SECONDS,
  }),
}
export const defaultLimit = DEFAULT_LIMIT
