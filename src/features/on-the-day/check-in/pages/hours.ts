import { eventPath } from '#features/events/events/rules/slug.ts'
import { html } from '#platform/html/html.ts'
import { signedIn } from '#platform/http/access.ts'
import { actionPage, formPage, type Page, type PageRequest } from '#platform/http/page.ts'
import { Problem } from '#platform/http/problem.ts'
import { readId } from '#platform/ids.ts'
import { assetUrl } from '#platform/ui/assets.ts'
import { applyRealTimes, judgeRow, undoRealTimes } from '../commands/apply.ts'
import { findRealRows, getLastRun } from '../queries/results.ts'
import { requireCheckInEvent } from '../queries/roster.ts'
import { checkInPath } from '../rules/paths.ts'
import { ROUNDINGS, type Rounding } from '../rules/real-times.ts'
import { applyForm, undoRunForm } from '../schema.ts'
import { realTimesView } from '../views/hours.ts'

const readRounding = (text: string | null): Rounding => ROUNDINGS.find((value) => String(value) === text) ?? 0

const hoursPage = formPage({
  path: '/events/{event}/check-in/hours/',
  access: signedIn,
  form: applyForm,
  show: async (request: PageRequest<{ event: number }>) => {
    const { context, csrfToken, query, path } = request
    const { words, now, db } = context
    const event = await requireCheckInEvent(context, path.event)
    const rounding = readRounding(query.get('rounding'))
    const rows = (await findRealRows(db, event.id)).map((row) => ({
      ...row,
      hasEnded: row.shiftEnd <= now,
      real: judgeRow(row, rounding),
    }))
    const lastRun = await getLastRun(db, event.id)
    return {
      title: words.t('check_in.to_hours'),
      breadcrumb: [
        { href: eventPath(event.id, event.title), label: event.title },
        { href: checkInPath(event.id), label: words.t('check_in.title') },
      ],
      head: html`<link rel="stylesheet" href="${assetUrl('check-in.css')}">`,
      main: realTimesView({ words, now, csrfToken, event, rounding, rows, lastRun }),
    }
  },
  submit: async (request, form) => {
    const { words } = request.context
    const event = await requireCheckInEvent(request.context, request.path.event)
    if (event.isCancelled) throw new Problem('conflict')
    const outcome = await applyRealTimes(request.commandContext, event.id, readRounding(form.rounding))
    const redirect = checkInPath(event.id, 'hours')
    if (!outcome) return { redirect, flash: { kind: 'info', text: words.t('check_in.nothing_to_apply') } }
    return {
      redirect,
      flash: {
        kind: 'good',
        text: words.t('check_in.applied', { count: outcome.changed }),
        undo: { action: checkInPath(event.id, 'hours/undo'), fields: { run: String(outcome.runId) } },
      },
    }
  },
})

const undoPage = actionPage({
  path: '/events/{event}/check-in/hours/undo/',
  access: signedIn,
  form: undoRunForm,
  submit: async (request, { run }) => {
    const { words } = request.context
    const event = await requireCheckInEvent(request.context, request.path.event)
    const id = readId(run)
    if (!id) throw new Problem('invalid_input')
    const outcome = await undoRealTimes(request.commandContext, event.id, id)
    const redirect = checkInPath(event.id, 'hours')
    if (!outcome) return { redirect, flash: { kind: 'warn', text: words.t('check_in.undone_before') } }
    const text = words.t('check_in.run_undone', { count: outcome.restored })
    const kept = outcome.kept ? ` ${words.t('check_in.run_kept', { count: outcome.kept })}` : ''
    return { redirect, flash: { kind: outcome.kept ? 'warn' : 'info', text: `${text}${kept}` } }
  },
})

export const realTimesPages: Page[] = [hoursPage, undoPage]
