import { isValues, ProgrammeFileError, type Values } from './programme-file.ts'

/** A page of a list of pretalx's REST API. */
type RestPage = { next?: unknown; results: unknown[] }
const isPage = (value: unknown): value is RestPage => isValues(value) && Array.isArray(value.results)

/** Submissions that do not take place. */
const ABSENT = new Set(['submitted', 'rejected', 'canceled', 'withdrawn', 'deleted', 'draft'])

/** The address of the following page; undefined: the last one, or no list of the API. */
export const nextPageOf = (document: unknown): string | undefined =>
  isPage(document) && typeof document.next === 'string' && document.next ? document.next : undefined

/**
 * The talks in a response of the REST API (`/talks/`, `/submissions/?expand=slots.room`, `/slots/?expand=submission,room`), or in an
 * array of all its pages, in the form of the widget's list. Undefined: another document.
 */
export function talksOfRest(document: unknown): Values | undefined {
  const pages = Array.isArray(document) && document.length ? document : [document]
  if (!pages.every(isPage)) return undefined
  // Sessions of missing pages would look deleted.
  if (nextPageOf(pages.at(-1))) throw new ProgrammeFileError('more_pages')
  const results = pages.flatMap(({ results }) => results).map((result) => (isValues(result) ? result : {}))
  if (results.length && !results.some(hasPlaceForTimes)) throw new ProgrammeFileError('no_schedule')
  const talks = results.flatMap(talksOfResult)
  return { ...(isValues(document) ? { rooms: document.rooms, timezone: document.timezone } : {}), talks }
}

const hasPlaceForTimes = (result: Values): boolean => 'slot' in result || 'slots' in result || 'start' in result

/** A submission has one slot, several or none; an entry of the list of slots has a submission, or is a break. */
function talksOfResult(result: Values): Values[] {
  if ('start' in result) return talkOfSlot(result, result.submission)
  const slots = Array.isArray(result.slots) ? result.slots : [result.slot]
  return slots.flatMap((slot) => {
    if (typeof slot === 'number') throw new ProgrammeFileError('not_expanded')
    return isValues(slot) ? talkOfSlot(slot, result) : []
  })
}

function talkOfSlot(slot: Values, submission: unknown): Values[] {
  if (typeof submission === 'string') throw new ProgrammeFileError('not_expanded')
  const { start, end, duration, room } = slot
  if (!isValues(submission)) return start ? [{ id: slot.id, title: slot.description, start, end, duration, room }] : []
  // Without a time, the submission is not in the programme.
  if (!start || ABSENT.has(String(submission.state))) return []
  return [{ ...submission, start, end, duration: duration ?? submission.duration, room }]
}
