import { dayOf } from '#features/accounts/users/rules.ts'
import { type CardOutcome, saveCards } from '#features/staffing/disposition/commands/board.ts'
import { UNDO_SECONDS } from '#features/staffing/participations/rules/undo.ts'
import { loadReasonContext } from '#features/staffing/staffing/queries/qualifications.ts'
import { STATE } from '#features/staffing/staffing/rules/model.ts'
import type { StoredLimit } from '#features/staffing/working-time-limits/rules.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { signedIn } from '#platform/http/access.ts'
import { actionPage, formPage, type PageRequest, type PageResponse } from '#platform/http/page.ts'
import { Problem, requireFound } from '#platform/http/problem.ts'
import { type Day, readDay, spanOfDay } from '#platform/i18n/days.ts'
import { readId } from '#platform/ids.ts'
import type { Flash } from '#platform/ui/flash.ts'
import { undoAssignment } from '../commands.ts'
import { findOffers } from '../queries/offers.ts'
import { getPerson, mayPlan } from '../queries/people.ts'
import { findPlaces } from '../queries/places.ts'
import { ASSIGN, PEOPLE, peopleUrl, readPeopleChoice, UNDO_ASSIGNMENT, writePeopleChoice } from '../rules/choice.ts'
import { type ListedPerson, makeTable } from '../rules/table.ts'
import { type AssignForm, assignForm, undoForm } from '../schema.ts'
import { assignView, type RefusedOffer } from '../views/assign.ts'
import { peopleHead } from './people.ts'

type Chosen = { person: ListedPerson; limits: readonly StoredLimit[]; day: ReturnType<typeof spanOfDay> }

/** The cell in the address: `7.2031-05-04`, of a listed person. Undefined: there is none. */
async function getCell({ context, query }: PageRequest): Promise<Chosen | undefined> {
  if (!(await mayPlan(context))) throw new Problem('permission_denied')
  const [person = '', day = ''] = (query.get('at') ?? '').split('.')
  const [id, known] = [readId(person), readDay(day)]
  if (id === undefined || known === undefined) return undefined
  const span = spanOfDay(known, context.site.timeZone)
  const found = requireFound(await getPerson(context, id, span))
  return { ...found, day: span }
}

/** The table that the planner came from. */
function backTo(context: RequestContext, back: string): { url: string; query: string } {
  const today: Day = dayOf(context.now, context.site.timeZone)
  const choice = readPeopleChoice(new URLSearchParams(back), today)
  return { url: peopleUrl(choice, today), query: writePeopleChoice(choice, today) }
}

async function show(
  request: PageRequest,
  { person, limits, day }: Chosen,
  more: { refused?: RefusedOffer; flash?: Flash; status?: number } = {},
): Promise<PageResponse> {
  const { context, csrfToken, query, url } = request
  const { words, now } = context
  const places = await findPlaces(context, [person.id], day, limits)
  const [row] = makeTable({ people: [person], places, days: [day], limits, timeZone: context.site.timeZone })
  const back = backTo(context, query.get('back') ?? '').url
  const main = assignView({
    ...(await loadReasonContext(context)),
    csrfToken,
    action: url,
    back,
    name: person.name,
    cell: row!.cells[0]!,
    offers: await findOffers(context, person.id, day),
    refused: more.refused,
  })
  return {
    title: words.t('people_times.assign_title', { name: person.name, day: words.day(day.start, now) }),
    main,
    head: peopleHead(),
    breadcrumb: [
      { href: '/planning/', label: words.t('people_times.planning') },
      { href: back, label: words.t('people_times.title') },
    ],
    ...(more.flash && { flash: more.flash }),
    ...(more.status && { status: more.status }),
  }
}

export const assignPage = formPage({
  path: ASSIGN,
  access: signedIn,
  form: assignForm,
  show: async (request) => {
    const chosen = await getCell(request)
    return chosen ? show(request, chosen) : { redirect: PEOPLE }
  },
  submit: async (request, form) => {
    const chosen = await getCell(request)
    if (!chosen) return { redirect: PEOPLE }
    const { words } = request.context
    const [outcome] = (await saveCards(request.commandContext, [changeOf(chosen.person, form)])) as [CardOutcome]
    if (outcome.kind === 'stale')
      return show(request, chosen, { flash: { kind: 'warn', text: words.t('people_times.stale') }, status: 409 })
    if (outcome.kind === 'refused') {
      const { shift: shiftId, place, reason = '' } = form
      const refused = { shiftId, place, reason, reasons: outcome.reasons }
      return show(request, chosen, { refused, flash: { kind: 'warn', text: words.t('people_times.refused') }, status: 422 })
    }
    return saved(request, chosen, outcome)
  },
})

function changeOf({ id }: ListedPerson, { shift, version, place, reason = '' }: AssignForm) {
  return {
    shiftId: shift,
    who: { kind: 'local', id } as const,
    version,
    to: STATE.confirmed,
    place,
    // Only those who plan see the reason.
    comment: reason.trim() ? { text: reason.trim(), isHidden: true } : undefined,
  }
}

async function saved(
  { context, query }: PageRequest,
  { person, limits, day }: Chosen,
  { shiftId, entryId }: Extract<CardOutcome, { kind: 'saved' }>,
): Promise<PageResponse> {
  const { words } = context
  const places = await findPlaces(context, [person.id], day, limits)
  const place = places.find((one) => one.shiftId === shiftId)
  const shift = place ? [place.eventTitle, words.hours(place.start, place.end)].filter(Boolean).join(', ') : ''
  const back = backTo(context, query.get('back') ?? '')
  return {
    redirect: `${back.url}#person-${person.id}`,
    flash: {
      kind: 'good',
      text: words.t('people_times.assigned', { name: person.name, shift }),
      ...(entryId !== undefined && {
        undo: { action: UNDO_ASSIGNMENT, fields: { entry: String(entryId), back: back.query }, seconds: UNDO_SECONDS },
      }),
    },
  }
}

const UNDO_FLASHES = {
  undone: { kind: 'info', text: 'people_times.undone' },
  late: { kind: 'bad', text: 'people_times.undo_late' },
  changed: { kind: 'warn', text: 'people_times.undo_changed' },
} as const

export const undoAssignmentPage = actionPage({
  path: UNDO_ASSIGNMENT,
  access: signedIn,
  form: undoForm,
  submit: async ({ context, commandContext }, { entry, back }) => {
    const { kind, text } = UNDO_FLASHES[await undoAssignment(commandContext, entry)]
    return { redirect: backTo(context, back).url || PEOPLE, flash: { kind, text: context.words.t(text) } }
  },
})
