import { type Book, clean, cut, instant, objectText, type SourceRow, type Step, type Target, text, timeOr } from './book.ts'
import { titleOf } from './steps-catalogue.ts'
import { linked } from './steps-people.ts'

const DAY = 24 * 3600_000
const HOUR = 3600_000
const EMPTY = { json: '{}' }
const iso = (at: number): string => new Date(at).toISOString()

export const EVENT_STEPS: Step[] = [
  {
    source: 'event',
    take: (row, book) => {
      if (!linked(book, 'event', row, [['eventtype', row.type_id]])) return []
      book.add('event', row.id as number)
      const values = {
        id: row.id!,
        title: titleOf(row, book, 'event'),
        location: cut(clean(row.location), 254),
        type_id: row.type_id!,
        description: row.description === null ? null : clean(row.description),
        active: row.active === true,
        created_at: book.now,
      }
      return [{ table: 'event', values }]
    },
  },
]

export const SHIFT_STEP: Step = { source: 'shift', take: takeShift }

function takeShift(row: SourceRow, book: Book): Target[] {
  const id = row.id as number
  if (!linked(book, 'shift', row, [['event', row.event_id]])) return []
  const start = instant(row.start_time)
  const end = instant(row.end_time)
  if (start === undefined || end === undefined) {
    book.leftOut('shift', id, 'has no start or no end')
    return []
  }
  const meeting = instant(row.meeting_time) ?? start
  if (meeting > start) book.repaired('shift', id, 'met after its start; it meets at the start')
  const slug = (column: string) => {
    const value = cut(clean(row[column]), 50)
    if (!value) book.repaired('shift', id, `had no ${column}; it became "unknown"`)
    return value || 'unknown'
  }
  const configuration = (column: string) => {
    const value = objectText(row[column])
    if (!value) book.repaired('shift', id, `had a ${column} that is no object; it became empty`)
    return value ?? EMPTY
  }
  const realEnd = end > start ? end : endAfter(id, start, end, book)
  book.add('shift', id)
  book.spans.set(id, [start, realEnd])
  const values = {
    id,
    event_id: row.event_id!,
    label: cut(clean(row.label), 255),
    meeting_time: meeting > start || !row.meeting_time ? row.start_time! : row.meeting_time,
    start_time: row.start_time!,
    end_time: end > start ? row.end_time! : iso(realEnd),
    signup_flow_slug: slug('signup_flow_slug'),
    signup_flow_configuration: configuration('signup_flow_configuration'),
    structure_slug: slug('structure_slug'),
    structure_configuration: configuration('structure_configuration'),
  }
  return [{ table: 'shift', values }]
}

/** An end up to a day before the start was meant for the next day; any other is a mistake of which only the start is known. */
function endAfter(id: number, start: number, end: number, book: Book): number {
  const next = end + DAY
  if (next > start) {
    book.repaired('shift', id, 'ended before its start; it ends a day later')
    return next
  }
  book.repaired('shift', id, 'ended long before its start; it ends an hour after it')
  return start + HOUR
}

/** The four kinds: whose number stands where, and what it is called here. */
const KINDS = [
  { column: 'user_id', kind: 'local', target: 'user_id', source: 'userprofile' },
  { column: 'guest_user_id', kind: 'guest', target: 'guest_id', source: 'guests_guestuser' },
  { column: 'federated_user_id', kind: 'visitor', target: 'visitor_id', source: 'federation_federateduser' },
] as const

/** Of several records of one person on one shift the weightiest stays: confirmed, requested, rejected, declined; then the newest. */
const WEIGHT: Record<number, number> = { 1: 4, 0: 3, 3: 2, 2: 1, 4: 0 }
export const weightOf = (state: unknown): number => WEIGHT[state as number] ?? -1

/** `losers`: numbers of participations that lose against another of the same person on the same shift. */
export function participationStep(losers: ReadonlySet<number>): Step {
  return { source: 'abstractparticipation', take: (row, book) => takeParticipation(row, book, losers) }
}

function takeParticipation(row: SourceRow, book: Book, losers: ReadonlySet<number>): Target[] {
  const table = 'abstractparticipation'
  const id = row.id as number
  if (!linked(book, table, row, [['shift', row.shift_id]])) return []
  const person = personOf(row, book)
  if (!person) return []
  if (!(weightOf(row.state) >= 0)) {
    book.leftOut(table, id, `is in state ${text(row.state) || 'none'}, which does not exist`)
    return []
  }
  if (losers.has(id)) {
    book.leftOut(table, id, `the same person has another record on shift ${row.shift_id}, which counts more`)
    return []
  }
  const data = objectText(row.structure_data)
  if (!data) book.repaired(table, id, 'had structure data that is no object; it became empty')
  const [from, to] = [instant(row.individual_start_time), instant(row.individual_end_time)]
  const [start, end] = book.spans.get(row.shift_id as number)!
  const isBackwards = (to ?? end) < (from ?? start)
  if (isBackwards) book.repaired(table, id, 'left before it came; it has the times of the shift')
  book.add(table, id)
  const values = {
    id,
    shift_id: row.shift_id!,
    ...person,
    state: row.state!,
    structure_data: data ?? EMPTY,
    individual_start_time: isBackwards || from === undefined ? null : row.individual_start_time!,
    individual_end_time: isBackwards || to === undefined ? null : row.individual_end_time!,
    finished: row.finished === true,
    created_at: book.now,
  }
  return [{ table: 'participation', values }]
}

function personOf(row: SourceRow, book: Book): Target['values'] | undefined {
  const table = 'abstractparticipation'
  const kinds = KINDS.filter(({ column }) => row[column] !== null && row[column] !== undefined)
  const isPlaceholder = row.display_name !== null && row.display_name !== undefined
  if (kinds.length + Number(isPlaceholder) !== 1) {
    book.leftOut(table, row.id, kinds.length || isPlaceholder ? 'belongs to several people' : 'belongs to nobody')
    return undefined
  }
  const [kind] = kinds
  if (!kind) return { kind: 'placeholder', placeholder_name: placeholderName(row, book) }
  if (!linked(book, table, row, [[kind.source, row[kind.column]]])) return undefined
  return { kind: kind.kind, [kind.target]: row[kind.column]! }
}

function placeholderName(row: SourceRow, book: Book): string {
  const wanted = cut(clean(row.display_name), 240).trim() || 'Placeholder'
  if (wanted !== row.display_name)
    book.repaired('abstractparticipation', row.id, `had no name that can be kept; it became ${wanted}`)
  for (let n = 1; ; n++) {
    const name = n === 1 ? wanted : `${wanted} (${n})`
    if (!book.isFirst('placeholder', text(row.shift_id), name)) continue
    if (n > 1) book.repaired('abstractparticipation', row.id, `was the second ${wanted} of its shift; it became ${name}`)
    return name
  }
}

const LEVELS = new Set([0, 1, 2])

export const COMMENT_STEP: Step = {
  source: 'core_participationcomment',
  take: (row, book) => {
    const table = 'core_participationcomment'
    if (!linked(book, table, row, [['abstractparticipation', row.participation_id]])) return []
    const words = cut(clean(row.text), 255)
    if (!words.trim()) {
      book.leftOut(table, row.id, 'is empty')
      return []
    }
    // When it is not known who may see it, rather too few see it than too many.
    const level = LEVELS.has(row.visible_for as number) ? (row.visible_for as number) : 0
    if (level !== row.visible_for) book.repaired(table, row.id, 'did not say who may see it; responsibles may')
    const responsible = row.authored_by_responsible_id ?? null
    const values = {
      id: row.id!,
      participation_id: row.participation_id!,
      text: words,
      visible_for: level,
      author_kind: responsible === null ? 'participant' : 'responsible',
      author_id: book.has('userprofile', responsible) ? responsible : null,
      created_at: timeOr(row.created_at, book.now),
    }
    return [{ table: 'participation_comment', values }]
  },
}
