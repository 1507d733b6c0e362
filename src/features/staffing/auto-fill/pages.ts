import { boardPath } from '#features/staffing/disposition/rules/paths.ts'
import { loadReasonContext } from '#features/staffing/staffing/queries/qualifications.ts'
import { html } from '#platform/html/html.ts'
import { signedIn, staff } from '#platform/http/access.ts'
import { actionPage, formPage, type Page, type PageRequest, type PageResponse } from '#platform/http/page.ts'
import { Problem } from '#platform/http/problem.ts'
import { monthFrom } from '#platform/i18n/days.ts'
import type { Flash } from '#platform/ui/flash.ts'
import { manageCrumbs } from '#platform/ui/manage.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { applyProposal, changeWeights, undoRun } from './commands.ts'
import { getLastRun } from './queries/last-run.ts'
import { getWeights } from './queries/ledger.ts'
import { loadProposal } from './queries/proposal.ts'
import { readChosenPeople, readFixedPeople } from './rules/chosen.ts'
import { UNDO_HOURS } from './rules/undo.ts'
import { type FillOptions, proposalForm, readFillOptions, undoForm, weightsForm, writeFillOptions } from './schema.ts'
import { FILL, FILL_UNDO, FILL_WEIGHTS, proposalView } from './views.ts'

/** Without a scope: the current month. */
const optionsOf = ({ query, context: { words, now } }: PageRequest): FillOptions =>
  readFillOptions(query, monthFrom(words.inputDate(now), words.language).name)

async function show(request: PageRequest, more: { flash?: Flash; status?: number } = {}): Promise<PageResponse> {
  const { context, csrfToken } = request
  const options = optionsOf(request)
  const proposal = await loadProposal(context, options)
  const isOne = options.scope.kind !== 'month'
  if (isOne && proposal.shifts.length + proposal.skipped.length + proposal.filled === 0) throw new Problem('not_found')
  const { words } = context
  const lastRun = await getLastRun(context)
  const main = proposalView({ ...(await loadReasonContext(context)), csrfToken, options, proposal, lastRun })
  return { title: words.t('fill.title'), main, wide: true, ...more }
}

const proposalPage = formPage({
  path: FILL,
  access: signedIn,
  form: proposalForm,
  show: (request) => show(request),
  submit: async (request, values) => {
    const { words } = request.context
    const options = optionsOf(request)
    if (values.do === 'refill') return { redirect: `${FILL}?${writeFillOptions({ ...options, fixed: readFixedPeople(values) })}` }
    const { runId, outcomes } = await applyProposal(request.commandContext, readChosenPeople(values))
    const saved = outcomes.filter((one) => one.kind === 'saved' && one.hasChanged).length
    const left = outcomes.filter(({ kind }) => kind !== 'saved').length
    const text = [
      words.t(saved ? 'fill.applied' : 'fill.applied_none', { count: saved }),
      left > 0 && words.t('fill.left', { count: left }),
    ]
    const flash: Flash = {
      kind: left > 0 ? 'warn' : saved ? 'good' : 'info',
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

const weightsPage = formPage({
  path: FILL_WEIGHTS,
  access: staff,
  form: weightsForm.schema,
  show: async ({ context: { db, words }, csrfToken }, refused) => {
    const title = words.t('fill.weights')
    const form = weightsForm.view({
      words,
      csrfToken,
      action: FILL_WEIGHTS,
      state: refused ?? weightsForm.state(await getWeights(db)),
      submit: words.t('fill.weights_save'),
      cancel: { href: '/manage/' },
    })
    return {
      title,
      breadcrumb: manageCrumbs(words),
      main: html`${pageHeadView({ title, facts: words.t('fill.weights_intro') })}${form}`,
    }
  },
  submit: async ({ context: { words }, commandContext }, form) => {
    const isChanged = await changeWeights(commandContext, form)
    const text = words.t(isChanged ? 'fill.weights_saved' : 'fill.weights_unchanged')
    return { redirect: FILL_WEIGHTS, flash: { kind: isChanged ? 'good' : 'info', text } }
  },
})

export const autoFillPages: Page[] = [proposalPage, undoPage, weightsPage]
