import { getSettings } from '#features/operations/settings/queries.ts'
import { type BoardShift, getBoardShift } from '#features/staffing/disposition/queries/shift-board.ts'
import { askPath, boardPath } from '#features/staffing/disposition/rules/paths.ts'
import { findCoverage } from '#features/staffing/staffing/queries/coverage.ts'
import { loadReasonContext } from '#features/staffing/staffing/queries/qualifications.ts'
import { shortfallOf } from '#features/staffing/staffing/rules/statistics.ts'
import { html } from '#platform/html/html.ts'
import { signedIn } from '#platform/http/access.ts'
import { actionPage, formPage, type Page, type PageRequest } from '#platform/http/page.ts'
import { Problem } from '#platform/http/problem.ts'
import { assetUrl } from '#platform/ui/assets.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { askPeople } from '../commands/ask.ts'
import { stopInquiry } from '../commands/end.ts'
import { findCandidates } from '../queries/candidates.ts'
import { findInquiries } from '../queries/inquiries.ts'
import { stopPath } from '../rules/links.ts'
import { askForm, inquirySettings } from '../schema.ts'
import { askView } from '../views/ask.ts'

/** 404 for shifts that the reader does not see, 403 for those that they do not plan. */
async function requireShift({ context, path }: PageRequest<{ shift: number }>): Promise<BoardShift> {
  const found = await getBoardShift(context, path.shift)
  if (!found) throw new Problem('not_found')
  if (!found.mayChange) throw new Problem('permission_denied')
  return found.shift
}

const titleOf = ({ label, eventTitle }: BoardShift): string => (label ? `${eventTitle}, ${label}` : eventTitle)
/** Preselected: a few more than are missing, because not everybody can. */
const SPARE = 2

const askPage = formPage({
  path: '/shifts/{shift}/ask/',
  access: signedIn,
  form: askForm.schema,
  show: async (request, refused) => {
    const { context, csrfToken } = request
    const { words, db } = context
    const shift = await requireShift(request)
    const { inquiries_per_day: perDay } = await getSettings(db, inquirySettings)
    const [candidates, inquiries, coverage, reasonContext] = await Promise.all([
      findCandidates(context, shift.id, perDay),
      findInquiries(db, shift.id),
      findCoverage(db, [shift.id]),
      loadReasonContext(context),
    ])
    const wanted = Math.max(1, shortfallOf(shift))
    const stored = askForm.state({
      people: candidates.people.slice(0, wanted * SPARE).map(({ id }) => id),
      wanted,
      how: 'all',
      size: 5,
      hours: 2,
      message: '',
    })
    const title = words.t('inquiries.title')
    const main = askView({
      ...reasonContext,
      csrfToken,
      shift,
      title: titleOf(shift),
      perDay,
      state: refused ?? stored,
      candidates,
      inquiries,
      shortages: coverage.get(shift.id)?.shortages ?? [],
    })
    return {
      title,
      main,
      head: html`<link rel="stylesheet" href="${assetUrl('shortages.css')}">`,
      breadcrumb: [{ href: boardPath(shift.id), label: titleOf(shift) }],
    }
  },
  submit: async (request, input) => {
    const { words } = request.context
    const shift = await requireShift(request)
    const outcome = await askPeople(request.commandContext, {
      shiftId: shift.id,
      userIds: input.people,
      wanted: input.wanted,
      waves: input.how === 'waves' ? { size: input.size, hours: input.hours } : undefined,
      message: input.message,
    })
    if (!outcome.ok) return { refused: [{ field: 'people', text: words.t(`inquiries.refused_${outcome.reason}`) }], status: 422 }
    const text = words.t('inquiries.sent', { count: outcome.asked })
    return {
      redirect: askPath(shift.id),
      flash: {
        kind: 'good',
        text: outcome.waiting ? `${text} ${words.t('inquiries.sent_waiting', { count: outcome.waiting })}` : text,
        undo: { action: stopPath(shift.id, outcome.inquiryId), label: words.t('inquiries.withdraw') },
      },
    }
  },
})

const stopPage = actionPage({
  path: '/shifts/{shift}/ask/{id}/stop/',
  access: signedIn,
  form: emptyForm,
  submit: async (request) => {
    const { words } = request.context
    const { shift, id } = request.path
    await requireShift(request)
    const isStopped = await stopInquiry(request.commandContext, { shiftId: shift, inquiryId: id })
    const flash = isStopped
      ? ({ kind: 'info', text: words.t('inquiries.stopped') } as const)
      : ({ kind: 'warn', text: words.t('inquiries.not_stopped') } as const)
    return { redirect: askPath(shift), flash }
  },
})

export const askPages: Page[] = [askPage, stopPage]
