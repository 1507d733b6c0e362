import { randomUUID } from 'node:crypto'
import { Temporal } from 'temporal-polyfill'
import { pickDay, shiftsOfDay } from '#features/events/events/rules/shift-days.ts'
import { eventPath } from '#features/events/events/rules/slug.ts'
import { hashSecret } from '#platform/auth/secrets.ts'
import { html } from '#platform/html/html.ts'
import { signedIn } from '#platform/http/access.ts'
import { actionPage, type Page, type PageRequest, type Redirect, type UserRequest, viewPage } from '#platform/http/page.ts'
import { Problem } from '#platform/http/problem.ts'
import { resolveLocalTime } from '#platform/i18n/local-time.ts'
import { readFieldMoment } from '#platform/i18n/typed-dates.ts'
import type { Words } from '#platform/i18n/words.ts'
import { assetUrl } from '#platform/ui/assets.ts'
import type { Flash } from '#platform/ui/flash.ts'
import { type MarkResult, markPeople, type NewMark, resolveConflict } from '../commands/marks.ts'
import { addWalkIn } from '../commands/walk-in.ts'
import { findCheckInPeople, findCheckInShifts, findConflicts, findLoggedMarks, requireCheckInEvent } from '../queries/roster.ts'
import { correctTime, type Mark } from '../rules/attendance.ts'
import { checkInPath } from '../rules/paths.ts'
import type { CheckInPerson, CheckInShift, Conflict } from '../rules/roster.ts'
import { markForm, resolveForm, type SentMark, sentMarks, syncForm, walkInForm } from '../schema.ts'
import { logView } from '../views/log.ts'
import { plannerView } from '../views/planner.ts'

type EventRequest = PageRequest<{ event: number }>

async function loadDay({ context, query, path }: EventRequest) {
  const { words, now, db } = context
  const event = await requireCheckInEvent(context, path.event)
  const all = await findCheckInShifts(db, event.id)
  const day = pickDay(all, query.get('day'), now, words)
  const shifts = shiftsOfDay(all, day, words)
  const people = await findCheckInPeople(
    db,
    shifts.map(({ id }) => id),
  )
  const conflicts = await findConflicts(
    db,
    people.map(({ id }) => id),
  )
  return { event, all, day, shifts, people, conflicts }
}

/** Pages that show other people, times or conflicts are loaded again; marks alone are updated by the script. */
const shapeOf = (shifts: readonly CheckInShift[], people: readonly CheckInPerson[], conflicts: readonly Conflict[]): string =>
  hashSecret(JSON.stringify([shifts, people.map(({ id, name, phone, start, end }) => [id, name, phone, start, end]), conflicts]))
    .toString('base64url')
    .slice(0, 16)

const userIdOf = ({ context: { actor } }: UserRequest): number => actor.userId

const plannerPage = viewPage({
  path: '/events/{event}/check-in/',
  access: signedIn,
  show: async (request) => {
    const { context, csrfToken } = request
    const { words, now } = context
    const { event, all, day, shifts, people, conflicts } = await loadDay(request)
    const days = new Map(all.map(({ start }) => [words.inputDate(start), start]))
    return {
      title: words.t('check_in.title_of', { event: event.title }),
      breadcrumb: [{ href: eventPath(event.id, event.title), label: event.title }],
      head: html`<link rel="stylesheet" href="${assetUrl('check-in.css')}">`,
      scripts: [assetUrl('check-in.js')],
      main: plannerView({
        words,
        now,
        csrfToken,
        userId: userIdOf(request),
        event,
        days: [...days].map(([one, at]) => ({ day: one, at })),
        day,
        shifts,
        people,
        conflicts,
        shape: shapeOf(shifts, people, conflicts),
      }),
    }
  },
})

const json = (content: unknown) => ({
  content: JSON.stringify(content),
  contentType: 'application/json; charset=utf-8',
  headers: { 'cache-control': 'no-store' },
})

const stateJson = (people: readonly CheckInPerson[]) =>
  Object.fromEntries(
    people.map(({ id, arrivedAt, leftAt, noShow, markId, previous, source }) => [
      id,
      {
        arrived: arrivedAt?.getTime() ?? null,
        left: leftAt?.getTime() ?? null,
        noShow,
        mark: markId,
        bySelf: source === 'self',
        previous: previous && {
          arrived: previous.arrivedAt === null ? null : Date.parse(previous.arrivedAt),
          left: previous.leftAt === null ? null : Date.parse(previous.leftAt),
          noShow: previous.noShow,
        },
      },
    ]),
  )

/** What the script compares its page with, and the token for sending: a page from the cache has an old one. */
const statePage = viewPage({
  path: '/events/{event}/check-in/state/',
  access: signedIn,
  show: async (request) => {
    const { shifts, people, conflicts } = await loadDay(request)
    return json({
      user: userIdOf(request),
      csrf: request.csrfToken,
      shape: shapeOf(shifts, people, conflicts),
      people: stateJson(people),
    })
  },
})

function readSent({ id, person, kind, base, made, to }: SentMark, sent: number, now: Date): NewMark | undefined {
  const madeAt = correctTime(made, sent, now)
  const mark = kind === 'set' ? to && { kind, to: fromSent(to) } : kind === 'no_show' ? { kind } : { kind, at: madeAt }
  return mark && { id, participationId: person, base, madeAt, mark }
}

const fromSent = ({ arrived, left, noShow }: NonNullable<SentMark['to']>) => ({
  arrivedAt: arrived === null ? null : new Date(arrived),
  leftAt: left === null ? null : new Date(left),
  noShow,
})

/** Marks that took longer were waiting for a connection. */
const LATE_MS = 60_000

/** Marks of the script, also those that have waited for a connection. */
const syncPage = actionPage({
  path: '/events/{event}/check-in/marks/',
  access: signedIn,
  form: syncForm,
  submit: async (request, { content }) => {
    const { now } = request.context
    const event = await requireCheckInEvent(request.context, request.path.event)
    const read = sentMarks.safeParse(parseJson(content))
    if (!read.success) throw new Problem('invalid_input')
    const results: MarkResult[] = []
    for (const sent of read.data.marks) {
      const mark = readSent(sent, read.data.sent, now)
      if (!mark) throw new Problem('invalid_input')
      const source = now.getTime() - mark.madeAt.getTime() > LATE_MS ? 'device' : 'planner'
      results.push(...(await markPeople(request.commandContext, event.id, [mark], { source })))
    }
    return json({ marks: results })
  },
})

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** An instant, or a local time of the instance. Undefined: neither. */
function readMoment(text: string, timeZone: string): Date | null | undefined {
  if (text === '') return null
  if (/Z$/.test(text)) return Number.isNaN(Date.parse(text)) ? undefined : new Date(text)
  try {
    const found = resolveLocalTime(Temporal.PlainDateTime.from(readFieldMoment(text) ?? text), timeZone, 'earlier')
    return found.ok ? found.at : undefined
  } catch {
    return undefined
  }
}

type MarkInput = { kind: string; arrived: string; left: string; no_show: string }

function readMark({ kind, arrived, left, no_show }: MarkInput, { now, site }: EventRequest['context']): Mark | undefined {
  if (kind === 'arrived' || kind === 'left') return { kind, at: now }
  if (kind === 'no_show') return { kind }
  if (kind !== 'set') return undefined
  const arrivedAt = readMoment(arrived, site.timeZone)
  const leftAt = readMoment(left, site.timeZone)
  if (arrivedAt === undefined || leftAt === undefined) return undefined
  return { kind, to: { arrivedAt, leftAt, noShow: no_show === '1' } }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

function backTo(eventId: number, day: string, person: number | undefined, flash: Flash): Redirect {
  const query = /^\d{4}-\d\d-\d\d$/.test(day) ? `?day=${day}` : ''
  return { redirect: `${checkInPath(eventId)}${query}${person ? `#p-${person}` : ''}`, flash }
}

function resultFlash(words: Words, result: MarkResult): Flash {
  if (result.outcome === 'refused') return { kind: 'bad', text: words.t(`check_in.not_saved_${result.reason}`) }
  if (result.outcome === 'conflict') return { kind: 'warn', text: words.t('check_in.conflict_made') }
  return { kind: 'good', text: words.t('check_in.saved') }
}

/** The buttons without scripts. */
const markPage = actionPage({
  path: '/events/{event}/check-in/mark/',
  access: signedIn,
  form: markForm,
  submit: async (request, form) => {
    const { words, now } = request.context
    const event = await requireCheckInEvent(request.context, request.path.event)
    const mark = readMark(form, request.context)
    const person = Number(form.person)
    if (!mark || !UUID.test(form.id) || !Number.isSafeInteger(person)) throw new Problem('invalid_input')
    const base = UUID.test(form.base) ? form.base : null
    const given = { id: form.id, participationId: person, mark, base, madeAt: now }
    const [result] = await markPeople(request.commandContext, event.id, [given], { source: 'planner' })
    return backTo(event.id, form.day, person, resultFlash(words, result!))
  },
})

const resolvePage = actionPage({
  path: '/events/{event}/check-in/resolve/',
  access: signedIn,
  form: resolveForm,
  submit: async (request, { mark, keep, day }) => {
    const { words } = request.context
    const event = await requireCheckInEvent(request.context, request.path.event)
    if (!UUID.test(mark) || (keep !== 'mark' && keep !== 'stored')) throw new Problem('invalid_input')
    const isDone = await resolveConflict(request.commandContext, event.id, { markId: mark, takes: keep === 'mark' })
    return backTo(event.id, day, undefined, {
      kind: isDone ? 'good' : 'warn',
      text: words.t(isDone ? 'check_in.saved' : 'check_in.resolved_before'),
    })
  },
})

const walkInPage = actionPage({
  path: '/events/{event}/check-in/walk-in/',
  access: signedIn,
  form: walkInForm,
  submit: async (request, { shift, name, day }) => {
    const { words } = request.context
    const event = await requireCheckInEvent(request.context, request.path.event)
    if (event.isCancelled) throw new Problem('conflict')
    const outcome = await addWalkIn(request.commandContext, event.id, { shiftId: Number(shift), name, markId: randomUUID() })
    return backTo(event.id, day, undefined, {
      kind: outcome.ok ? 'good' : 'bad',
      text: outcome.ok
        ? words.t('check_in.walk_in_added', { name })
        : words.t(`check_in.walk_in_${outcome.reason === 'name' ? 'name_missing' : outcome.reason}`),
    })
  },
})

const logPage = viewPage({
  path: '/events/{event}/check-in/log/',
  access: signedIn,
  show: async ({ context, path }) => {
    const { words, db } = context
    const event = await requireCheckInEvent(context, path.event)
    return {
      title: words.t('check_in.log'),
      breadcrumb: [
        { href: eventPath(event.id, event.title), label: event.title },
        { href: checkInPath(event.id), label: words.t('check_in.title') },
      ],
      main: logView({ words, title: event.title, marks: await findLoggedMarks(db, event.id) }),
    }
  },
})

export const checkInPages: Page[] = [plannerPage, statePage, syncPage, markPage, resolvePage, walkInPage, logPage]
