import { getSettings } from '#features/operations/settings/queries.ts'
import { type BoardShift, getBoardShift } from '#features/staffing/disposition/queries/shift-board.ts'
import { askPath, boardPath } from '#features/staffing/disposition/rules/paths.ts'
import { whenText } from '#features/staffing/exchanges/views/search.ts'
import { findCoverage } from '#features/staffing/staffing/queries/coverage.ts'
import { loadReasonContext } from '#features/staffing/staffing/queries/qualifications.ts'
import { shortfallOf } from '#features/staffing/staffing/rules/statistics.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { html } from '#platform/html/html.ts'
import { signedIn } from '#platform/http/access.ts'
import { actionPage, formPage, type Page, type PageRequest } from '#platform/http/page.ts'
import { Problem, requireFound } from '#platform/http/problem.ts'
import { assetUrl } from '#platform/ui/assets.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { type FormState, fieldValue, fieldValues } from '#platform/ui/form-values.ts'
import { type AskOutcome, askPeople } from '../commands/ask.ts'
import { stopInquiry } from '../commands/end.ts'
import { type Candidate, findCandidates } from '../queries/candidates.ts'
import { findInquiries, getClosingTime } from '../queries/inquiries.ts'
import { stopPath } from '../rules/links.ts'
import { notifyAt } from '../rules/waves.ts'
import { askForm, inquirySettings, LIST_BUTTONS, MAX_PEOPLE } from '../schema.ts'
import { askView } from '../views/ask.ts'
import type { ChoosingData } from '../views/choosing.ts'

/** 404 for shifts that the reader does not see, 403 for those that they do not plan. */
async function requireShift({ context, path }: PageRequest<{ shift: number }>): Promise<BoardShift> {
  const found = requireFound(await getBoardShift(context, path.shift))
  if (!found.mayChange) throw new Problem('permission_denied')
  return found.shift
}

const titleOf = ({ label, eventTitle }: BoardShift): string => (label ? `${eventTitle}, ${label}` : eventTitle)
/** Proposed: a few more than are missing, because not everybody can. */
const SPARE = 2
/** People to tick. Others are found by their name. */
const MOST_SHOWN = 50

type Asking = { shift: BoardShift; perDay: number; able: readonly Candidate[]; isCut: boolean; refused: FormState | undefined }

/** The people to tick: those who come next or have the name that was typed, and before them all others who are ticked already. */
async function choosingOf({ context, query }: PageRequest, asking: Asking): Promise<ChoosingData> {
  const { shift, perDay, refused } = asking
  const find = (search: { terms: string[] } | { ids: number[] }) => findCandidates(context, shift.id, { perDay, ...search })
  const button = LIST_BUTTONS.find((one) => one === refused?.values.who)
  const typed = button === 'clear' ? '' : cleanSearch(refused ? fieldValue(refused.values, 'q') : query.get('q'))
  const terms = typed.split(/\s+/).filter(Boolean)
  const { people, isCut } = terms.length ? await find({ terms }) : { people: asking.able, isCut: asking.isCut }
  const shown = people.slice(0, MOST_SHOWN)
  const shownIds = shown.map(({ id }) => id)
  const ticked = new Set(refused ? readIds(fieldValues(refused.values, 'people')) : [])
  const kept = [...ticked].filter((id) => !shownIds.includes(id))
  const others = kept.length > 0 ? (await find({ ids: kept })).people : []
  return {
    query: typed,
    people: [...others, ...shown],
    hasFound: shown.length > 0,
    isCut: isCut || people.length > shown.length,
    chosen: button === 'none' ? new Set(kept) : button === 'all' ? new Set([...kept, ...shownIds]) : ticked,
    isOpen: typed !== '' || (refused !== undefined && refused.values.who !== 'next'),
  }
}

const cleanSearch = (text: string | null): string => (text ?? '').replaceAll('\0', '').trim().slice(0, 100)

const readIds = (texts: readonly string[]): number[] =>
  texts
    .filter((text) => /^\d{1,15}$/.test(text))
    .slice(0, MAX_PEOPLE)
    .map(Number)

const askPage = formPage({
  path: '/shifts/{shift}/ask/',
  access: signedIn,
  form: askForm.schema,
  show: async (request, refused) => {
    const { context, csrfToken } = request
    const { words, db, site } = context
    const shift = await requireShift(request)
    const { inquiries_per_day: perDay } = await getSettings(db, inquirySettings)
    const [{ people, isCut }, inquiries, coverage, reasonContext, closesAt] = await Promise.all([
      findCandidates(context, shift.id, { perDay }),
      findInquiries(db, shift.id),
      findCoverage(db, [shift.id]),
      loadReasonContext(context),
      getClosingTime(db, shift.id, site.timeZone),
    ])
    const wanted = Math.max(1, shortfallOf(shift))
    const count = Math.max(1, Math.min(wanted * SPARE, people.length, MAX_PEOPLE))
    const main = askView({
      ...reasonContext,
      csrfToken,
      shift,
      title: titleOf(shift),
      perDay,
      state: refused ?? askForm.state({ count, wanted, how: 'all', size: 5, hours: 2, message: '' }),
      able: { count: people.length, isCut },
      choosing: await choosingOf(request, { shift, perDay, able: people, isCut, refused }),
      inquiries,
      notifiedAt: (askedAt) => notifyAt(askedAt, { start: shift.start, closesAt, timeZone: site.timeZone }),
      closesAt,
      shortages: coverage.get(shift.id)?.shortages ?? [],
    })
    return {
      title: words.t('inquiries.title'),
      main,
      head: html`<link rel="stylesheet" href="${assetUrl('shortages.css')}">`,
      breadcrumb: [{ href: boardPath(shift.id), label: titleOf(shift) }],
    }
  },
  submit: async (request, { who, people, count, wanted, how, size, hours, message }) => {
    const { words } = request.context
    const shift = await requireShift(request)
    if (who !== 'chosen' && who !== 'next') return { refused: [], status: 200 }
    if (who === 'chosen' && !people.length) return { refused: [{ text: words.t('inquiries.no_people') }], status: 422 }
    const outcome = await askPeople(request.commandContext, {
      shiftId: shift.id,
      who: who === 'chosen' ? people : { next: count },
      wanted,
      waves: how === 'waves' ? { size, hours } : undefined,
      message,
    })
    if (!outcome.ok) return { refused: [{ text: words.t(`inquiries.refused_${outcome.reason}`) }], status: 422 }
    return {
      redirect: askPath(shift.id),
      flash: {
        kind: 'good',
        text: sentText(request.context, outcome),
        undo: { action: stopPath(shift.id, outcome.inquiryId), label: words.t('inquiries.withdraw') },
      },
    }
  },
})

/** At night, nobody is asked yet: the text says when they are. */
function sentText({ words, now }: RequestContext, { asked, waiting, notifiedAt }: Extract<AskOutcome, { ok: true }>): string {
  const text =
    notifiedAt > now
      ? words.t('inquiries.sent_later', { count: asked, when: whenText(words, notifiedAt, now) })
      : words.t('inquiries.sent', { count: asked })
  return waiting ? `${text} ${words.t('inquiries.sent_waiting', { count: waiting })}` : text
}

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
