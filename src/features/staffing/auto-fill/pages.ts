import { z } from 'zod'
import { eventPath } from '#features/events/events/rules/slug.ts'
import { isBeyondLimits } from '#features/staffing/disposition/commands/board.ts'
import { cardKey } from '#features/staffing/disposition/rules/cards.ts'
import { boardPath, eventBoardPath } from '#features/staffing/disposition/rules/paths.ts'
import { PLANNING } from '#features/staffing/shortages/rules/choice.ts'
import { loadReasonContext } from '#features/staffing/staffing/queries/qualifications.ts'
import { isStaff } from '#platform/auth/actor.ts'
import { type Html, html } from '#platform/html/html.ts'
import { signedIn, staff } from '#platform/http/access.ts'
import { actionPage, formPage, type Page, type PageBody, type PageResponse, type UserRequest } from '#platform/http/page.ts'
import { Problem } from '#platform/http/problem.ts'
import { monthFrom } from '#platform/i18n/days.ts'
import { PageWork, type WorkProgress } from '#platform/page-work.ts'
import type { Flash } from '#platform/ui/flash.ts'
import { manageCrumbs } from '#platform/ui/manage.ts'
import { type Crumb, pageHeadView } from '#platform/ui/page-head.ts'
import { applyProposal, changeWeights, undoRun } from './commands.ts'
import { findFormerNames } from './queries/former-names.ts'
import { getLastRun } from './queries/last-run.ts'
import { getWeights } from './queries/ledger.ts'
import { loadProposal } from './queries/proposal.ts'
import { type FixedPerson, readChosenPeople, readFixedPeople, readProposedPeople } from './rules/chosen.ts'
import { compareProposals } from './rules/former.ts'
import { type LoadedProposal, shiftTitle } from './rules/proposal.ts'
import { UNDO_HOURS } from './rules/undo.ts'
import {
  type FillOptions,
  proposalForm,
  readFillOptions,
  readFormer,
  undoForm,
  weightsForm,
  writeFillOptions,
  writeFormer,
  writeScope,
} from './schema.ts'
import { comparisonView } from './views/comparison.ts'
import { FILL, FILL_CANCEL, FILL_UNDO, FILL_WEIGHTS, proposalView } from './views/proposal.ts'
import { searchView } from './views/search.ts'

/** A search goes on while the page shows how far it is. */
const searches = new PageWork<LoadedProposal>()
/** The page asks again so long after its last answer. */
const REFRESH_SECONDS = 1

/** One search for each person and address. */
const searchKey = ({ query, context: { actor } }: UserRequest): string => `${actor.userId} ${query}`

/** Without a scope: the current month. */
const optionsOf = ({ query, context: { words, now } }: UserRequest): FillOptions =>
  readFillOptions(query, monthFrom(words.inputDate(now), words.language).name)

async function show(request: UserRequest, more: { flash?: Flash; status?: number } = {}): Promise<PageResponse> {
  const { context, csrfToken } = request
  const options = optionsOf(request)
  const search = await searches.take(searchKey(request), context.site.progressAfterMs ?? 0, (control) =>
    loadProposal(context, options, control),
  )
  if (!search.isDone) return showSearch(request, search.progress)
  const proposal = search.result
  const isOne = options.scope.kind !== 'month'
  if (isOne && proposal.shifts.length + proposal.skipped.length + proposal.filled === 0) throw new Problem('not_found')
  const { words } = context
  const lastRun = await getLastRun(context)
  const shown = writeFormer({ ...options, people: peopleIn(proposal) })
  const main = await proposalView({
    ...(await loadReasonContext(context)),
    csrfToken,
    options,
    proposal,
    lastRun,
    shown,
    comparison: await compareWithFormer(request, { options, proposal, shown }),
    isStaff: isStaff(context.actor),
  })
  return { title: words.t('fill.title'), breadcrumb: crumbsOf(request, options, proposal), main, wide: true, ...more }
}

/** To the event or the shift whose places are filled; for a month to where the open places are. */
function crumbsOf({ context: { words } }: UserRequest, { scope }: FillOptions, { shifts, skipped }: LoadedProposal): Crumb[] {
  const planning = [{ href: PLANNING, label: words.t('shortages.nav') }]
  const [shift] = [...shifts, ...skipped]
  if (scope.kind === 'month' || !shift) return planning
  const event = { href: eventPath(shift.eventId, shift.eventTitle), label: shift.eventTitle }
  return scope.kind === 'event' ? [event] : [event, { href: boardPath(shift.id), label: shiftTitle(shift) }]
}

/** While the search goes on. The page asks again by itself, also without scripts. */
function showSearch({ context: { words }, csrfToken, query, url }: UserRequest, progress: WorkProgress | undefined): PageBody {
  return {
    title: words.t('fill.title'),
    main: searchView({ words, csrfToken, progress, url, cancel: `${FILL_CANCEL}?${query}` }),
    head: html`<meta http-equiv="refresh" content="${REFRESH_SECONDS}">`,
    headers: { 'cache-control': 'no-store' },
  }
}

/** Ends the search and goes to where the open places are. */
const cancelPage = actionPage({
  path: FILL_CANCEL,
  access: signedIn,
  form: z.object({}),
  submit: async (request) => {
    searches.cancel(searchKey(request))
    const { scope } = optionsOf(request)
    const places = { shift: boardPath, event: eventBoardPath }
    const redirect = scope.kind === 'month' ? PLANNING : places[scope.kind](scope.id)
    return { redirect, flash: { kind: 'info', text: request.context.words.t('fill.stopped') } }
  },
})

const peopleIn = ({ places, people }: LoadedProposal): FixedPerson[] =>
  places.flatMap(({ place, choices }) =>
    choices.map(({ candidate }) => ({ placeId: place.id, who: people.get(candidate.id)!.who })),
  )

/** Undefined: the reader saw no proposal before this one. */
async function compareWithFormer(
  { query, context }: UserRequest,
  { options, proposal, shown }: { options: FillOptions; proposal: LoadedProposal; shown: string | undefined },
): Promise<Html | undefined> {
  const was = query.get('was')
  const former = readFormer(was)
  if (!was || !former || proposal.shifts.length === 0) return undefined
  const { words, now } = context
  const places = proposal.places.map(({ place }) => place)
  const back = writeScope(options.scope)
  back.set('take', was)
  if (shown !== undefined) back.set('was', shown)
  return comparisonView({
    words,
    now,
    comparison: compareProposals(places, peopleIn(proposal), former.people),
    shifts: proposal.shifts,
    names: new Map([
      ...(await findFormerNames(context, proposal.shifts, former.people)),
      ...[...proposal.people.values()].map(({ who, name }) => [cardKey(who), name] as const),
    ]),
    back: `${FILL}?${back}`,
  })
}

const proposalPage = formPage({
  path: FILL,
  access: signedIn,
  form: proposalForm,
  show: (request) => show(request),
  submit: async (request, values) => {
    const { words } = request.context
    const options = optionsOf(request)
    if (values.do === 'refill') {
      const was = writeFormer({ ...options, people: readProposedPeople(values) })
      return { redirect: `${FILL}?${writeFillOptions({ ...options, fixed: readFixedPeople(values) }, was)}` }
    }
    const { runId, outcomes } = await applyProposal(request.commandContext, readChosenPeople(values))
    const saved = outcomes.filter((one) => one.kind === 'saved' && one.hasChanged).length
    const beyond = outcomes.filter(isBeyondLimits).length
    const left = outcomes.filter(({ kind }) => kind !== 'saved').length - beyond
    const text = [
      words.t(saved ? 'fill.applied' : 'fill.applied_none', { count: saved }),
      left > 0 && words.t('fill.left', { count: left }),
      beyond > 0 && words.t('fill.beyond_limits', { count: beyond }),
    ]
    const flash: Flash = {
      kind: left + beyond > 0 ? 'warn' : saved ? 'good' : 'info',
      text: text.filter(Boolean).join(' '),
      ...(runId !== undefined && { undo: { action: FILL_UNDO, fields: { run: String(runId) } } }),
    }
    const { scope } = options
    const redirect = scope.kind === 'shift' ? boardPath(scope.id) : `${FILL}?${writeFillOptions({ ...options, fixed: [] })}`
    return { redirect, flash }
  },
})

const undoPage = actionPage({
  path: FILL_UNDO,
  access: signedIn,
  form: undoForm,
  submit: async ({ context: { words }, commandContext }, { run }) => {
    const outcome = await undoRun(commandContext, run)
    const redirect = FILL
    if (outcome === 'late') return { redirect, flash: { kind: 'bad', text: words.t('fill.undo_late', { count: UNDO_HOURS }) } }
    const text = [
      words.t('fill.undone', { count: outcome.undone }),
      outcome.changed > 0 && words.t('fill.undo_changed', { count: outcome.changed }),
    ]
    return { redirect, flash: { kind: outcome.changed > 0 ? 'warn' : 'info', text: text.filter(Boolean).join(' ') } }
  },
})

/** Query of the proposal from which the reader came. */
const proposalBehind = (query: URLSearchParams): string | undefined => {
  const fill = query.get('fill')
  return fill ? new URLSearchParams(fill).toString() : undefined
}

const weightsPage = formPage({
  path: FILL_WEIGHTS,
  access: staff,
  form: weightsForm.schema,
  show: async ({ context: { db, words }, csrfToken, query }, refused) => {
    const title = words.t('fill.weights')
    const back = proposalBehind(query)
    const form = weightsForm.view({
      words,
      csrfToken,
      action: back === undefined ? FILL_WEIGHTS : `${FILL_WEIGHTS}?${new URLSearchParams({ fill: back })}`,
      state: refused ?? weightsForm.state(await getWeights(db)),
      submit: words.t('fill.weights_save'),
      cancel: { href: back === undefined ? '/manage/' : `${FILL}?${back}` },
    })
    return {
      title,
      breadcrumb: manageCrumbs(words),
      main: html`${pageHeadView({ title, facts: words.t('fill.weights_intro') })}${form}`,
    }
  },
  submit: async ({ context: { words }, commandContext, query }, form) => {
    const back = proposalBehind(query)
    const isChanged = await changeWeights(commandContext, form)
    const text = words.t(isChanged ? 'fill.weights_saved' : 'fill.weights_unchanged')
    return { redirect: back === undefined ? FILL_WEIGHTS : `${FILL}?${back}`, flash: { kind: isChanged ? 'good' : 'info', text } }
  },
})

export const autoFillPages: Page[] = [proposalPage, cancelPage, undoPage, weightsPage]
