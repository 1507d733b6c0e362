import { type ShiftValues, shiftFields } from '#features/events/events/rules/shift-fields.ts'
import { MAX_QUESTIONS_PER_SHIFT } from '#features/events/questionnaires/rules.ts'
import { isSelfService } from '#features/staffing/staffing/flows/registry.ts'
import { checkFlow, completeFlow } from './flow-checks.ts'
import type { Configuration } from './flow-form.ts'
import type { Fault } from './form-rows.ts'
import { checkSlugs } from './offered-slugs.ts'
import type { ShiftRead, StoredShift } from './shift-form.ts'
import { checkOrder, type ShiftTimes } from './shift-times.ts'
import { checkStructure, completeStructure, type KnownIds } from './structure-checks.ts'

/** A shift as API clients send it. Absent keys keep the stored values, or get the defaults of a new shift. */
export type ShiftBody = { [Name in keyof ShiftValues]?: ShiftValues[Name] | undefined } & {
  meeting_time?: string | null | undefined
  start_time?: string | undefined
  end_time?: string | undefined
  signup_flow_slug?: string | undefined
  signup_flow_configuration?: Configuration | undefined
  structure_slug?: string | undefined
  structure_configuration?: Configuration | undefined
  questions?: number[] | undefined
}

export type BodyContext = {
  timeZone: string
  stored?: StoredShift | undefined
  known: KnownIds & { questions: ReadonlySet<number> }
  /** Ids of shifts that can lead; rows of shifts that are created together with this one. */
  leaders: ReadonlySet<number>
  leaderRows: ReadonlySet<number>
  newUuid: () => string
}

const TIME_FIELDS: Record<string, string> = { meeting: 'meeting_time', start: 'start_time', end: 'end_time' }
const SLUG_FIELDS = { flow: 'signup_flow_slug', structure: 'structure_slug' }

/** `given`: the configurations that the body changes. */
export type BodyRead = ShiftRead & { given: { flow: boolean; structure: boolean } }

/** Fields of faults are paths in the body, as `structure_configuration/teams/0/title`. */
export function readShiftBody(body: ShiftBody, context: BodyContext): BodyRead {
  const { stored, timeZone, known } = context
  const times = timesOf(body, stored?.times)
  const flow = configurationOf(body.signup_flow_slug, body.signup_flow_configuration, {
    slug: stored?.flowSlug,
    configuration: stored?.flowConfiguration,
    usual: 'request_confirm',
  })
  const structure = configurationOf(body.structure_slug, body.structure_configuration, {
    slug: stored?.structureSlug,
    configuration: stored?.structureConfiguration,
    usual: 'uniform',
  })
  const completed = completeStructure(structure.slug, structure.configuration, context.newUuid)
  const { leader_shift_index: leaderRow, ...flowConfiguration } = completeFlow(flow.slug, flow.configuration, timeZone)
  const plain = shiftFields.readBody(body, stored ?? shiftFields.defaults)
  const questions = [...new Set(body.questions ?? stored?.questions ?? [])].sort((a, b) => a - b)
  const slugs = { flowSlug: flow.slug, structureSlug: structure.slug }
  const flowFaults = checkFlow(flow.slug, flow.configuration, { ...context, times })
  const faults: Fault[] = [
    ...(times ? checkOrder(times).map(({ field, code }) => ({ field: TIME_FIELDS[field]!, code })) : []),
    ...shiftFields.findFaults(plain),
    ...checkSlugs(slugs, stored).map(({ of, code }) => ({ field: SLUG_FIELDS[of], code })),
    // New times can contradict deadlines that stay.
    ...(flow.isGiven || isSelfService(flow.slug) ? flowFaults : [])
      .filter(({ code }) => flow.isGiven || code === 'opens_after_closing')
      .map(({ field, code }) => ({ field: `signup_flow_configuration/${field}`, code })),
    ...(structure.isGiven ? checkStructure(structure.slug, completed, known) : []).map(({ field, code }) => ({
      field: `structure_configuration/${field}`,
      code,
    })),
    ...checkQuestions(body.questions ?? [], known.questions, stored),
  ]
  return {
    faults,
    leaderRow: typeof leaderRow === 'number' ? leaderRow : undefined,
    given: { flow: flow.isGiven, structure: structure.isGiven },
    input: {
      ...plain,
      times,
      questions,
      ...slugs,
      flowConfiguration: flow.isGiven ? flowConfiguration : flow.configuration,
      structureConfiguration: structure.isGiven ? completed : structure.configuration,
    },
  }
}

/** Without a meeting time, people meet at the start. Undefined if a time is missing. */
function timesOf({ meeting_time, start_time, end_time }: ShiftBody, stored: ShiftTimes | undefined): ShiftTimes | undefined {
  const start = start_time === undefined ? stored?.start : new Date(start_time)
  const end = end_time === undefined ? stored?.end : new Date(end_time)
  if (!start || !end) return undefined
  const meeting = meeting_time === undefined ? (stored?.meeting ?? start) : meeting_time
  return { start, end, meeting: meeting === null ? start : new Date(meeting) }
}

/** Keys that are not given keep their values, unless the slug changes. */
function configurationOf(
  slug: string | undefined,
  given: Configuration | undefined,
  stored: { slug: string | undefined; configuration: Configuration | undefined; usual: string },
): { slug: string; configuration: Configuration; isGiven: boolean } {
  const chosen = slug ?? stored.slug ?? stored.usual
  const isSame = chosen === stored.slug
  return {
    slug: chosen,
    configuration: { ...(isSame ? stored.configuration : {}), ...given },
    isGiven: given !== undefined || !isSame,
  }
}

function checkQuestions(given: readonly number[], known: ReadonlySet<number>, stored: StoredShift | undefined): Fault[] {
  const unknown = given.flatMap((id, index): Fault[] =>
    known.has(id) || stored?.questions.includes(id) ? [] : [{ field: `questions/${index}`, code: 'unknown_question' }],
  )
  return new Set(given).size > MAX_QUESTIONS_PER_SHIFT
    ? [...unknown, { field: 'questions', code: 'too_many_questions' }]
    : unknown
}
