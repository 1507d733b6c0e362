import { inReadersLanguage } from '#features/events/questionnaires/queries.ts'
import { questionField } from '#features/events/questionnaires/rules.ts'
import { loadEligibility } from '#features/staffing/eligibility/queries/eligibility.ts'
import { getShiftForSignup, type ShiftForSignup } from '#features/staffing/eligibility/queries/reachable-shifts.ts'
import { findWaysOut, needsWaysOut, takesPart } from '#features/staffing/eligibility/queries/ways-out.ts'
import { type Candidacy, participantOf } from '#features/staffing/eligibility/rules/candidacy.ts'
import { findFreePart } from '#features/staffing/eligibility/rules/individual-times.ts'
import { loadReasonContext } from '#features/staffing/staffing/queries/qualifications.ts'
import { type ReasonContext, STATE } from '#features/staffing/staffing/rules/model.ts'
import { reasonText } from '#features/staffing/staffing/views/reasons.ts'
import { findOwnTexts } from '#platform/features/own-texts.ts'
import { type Html, html } from '#platform/html/html.ts'
import type { Page } from '#platform/http/page.ts'
import {
  type ActionPage,
  actionPage,
  type FormPage,
  formPage,
  type PageBody,
  type PageRequest,
  type Redirect,
  type Refused,
} from '#platform/http/page.ts'
import { Problem } from '#platform/http/problem.ts'
import { readWhich, resolveLocalTime, whichOf } from '#platform/i18n/local-time.ts'
import type { Words } from '#platform/i18n/words.ts'
import type { Span } from '#platform/time-span.ts'
import type { Flash } from '#platform/ui/flash.ts'
import type { FormError } from '#platform/ui/form.ts'
import { customize, type Details, decline, type MoveOutcome, signUp } from '../commands/sign-up.ts'
import { undo } from '../commands/undo.ts'
import { MEMBER_MOUNT, type MountContext, type PageMount } from '../mount.ts'
import type { ParticipantMount } from '../points.ts'
import { findOwnComments, type VisibleComment } from '../queries/signup.ts'
import { fieldOf } from '../rules/fields.ts'
import { type Origin, originPath, readOrigin } from '../rules/links.ts'
import { readOwnTime } from '../rules/typed-times.ts'
import { UNDO_SECONDS } from '../rules/undo.ts'
import { type DeclineForm, declineForm, type SignupForm, signupForm, signupInput, type UndoForm, undoForm } from '../schema.ts'
import { declineView, type SignupFormData, signupFormView } from '../views/signup-form.ts'

type Located = { shift: ShiftForSignup; mounted: MountContext }
type Found = Located & { candidacy: Candidacy; reasonContext: ReasonContext }
type ShiftRequest = PageRequest<{ shift: number }>

/** The shift, or what to answer instead: see `PageMount`. */
async function requireShift(mount: PageMount, request: ShiftRequest): Promise<Located | Redirect | PageBody> {
  const mounted = await mount.authorize(request)
  if (!('links' in mounted)) return mounted
  const { context, path } = request
  const shift = await getShiftForSignup(context, path.shift)
  // 404 instead of 403, so hidden ids cannot be probed.
  if (!shift || !participantOf(context.actor)) throw new Problem('not_found')
  return { shift, mounted }
}

/** What the person can do about the shift. Submitted forms need it only where the command refuses. */
async function judge({ context }: ShiftRequest, { shift, mounted }: Located): Promise<Found> {
  const { eligibility: candidacies, facts } = await loadEligibility(context, [shift.id])
  const candidacy = candidacies.get(shift.id)
  // Deleted meanwhile.
  if (!candidacy) throw new Problem('not_found')
  const waysOut = needsWaysOut([candidacy]) ? await findWaysOut(context, shift.event_id, { candidacies }) : undefined
  const textOf = await findOwnTexts(context, 'event', [shift.event_id])
  const shown = { ...shift, event_title: textOf(shift.event_id, 'title', shift.event_title) }
  return { shift: shown, candidacy, mounted, reasonContext: { ...(await loadReasonContext(context, facts)), waysOut } }
}

const titleOf = ({ label, event_title }: ShiftForSignup): string => (label ? `${event_title}, ${label}` : event_title)
const shiftDataOf = ({ shift, mounted: { links } }: Located): SignupFormData['shift'] => ({
  id: shift.id,
  title: titleOf(shift),
  start: shift.start_time,
  end: shift.end_time,
  eventPath: links.event(shift.event_id, shift.event_title),
})
const pageOf = (
  { shift, mounted: { links, banner, eventId: _eventId, ...page } }: Located,
  title: string,
  main: Html,
): PageBody => ({
  title,
  main: html`${banner}${main}`,
  ...page,
  breadcrumb: [{ href: links.event(shift.event_id, shift.event_title), label: shift.event_title }],
})

async function formOf(request: PageRequest, found: Found, refused: Refused | undefined): Promise<PageBody> {
  const { own } = found.candidacy
  const comments = own ? await findOwnComments(request.context, own.id) : []
  const questions = await inReadersLanguage(request.context, found.candidacy.questions)
  const shown = { ...found, candidacy: { ...found.candidacy, questions } }
  return pageOf(found, request.context.words.t('signup.title'), signupFormView(formDataOf(request, shown, refused, comments)))
}

export const signupPageFor = (mount: PageMount): FormPage<SignupForm> =>
  formPage({
    path: mount.paths.signup,
    access: mount.access,
    form: signupInput,
    show: async (request, refused) => {
      const located = await requireShift(mount, request)
      return 'shift' in located ? formOf(request, await judge(request, located), refused) : located
    },
    submit: async (request, input) => {
      const { words } = request.context
      const located = await requireShift(mount, request)
      if (!('shift' in located)) return located
      const { shift } = located
      const isQuick = input.quick === '1'
      const read = isQuick ? undefined : readDetails(input, shift, words)
      if (read?.errors.length) return { refused: read.errors, status: 422 }
      const details = read?.details
      const comment = isQuick || !input.comment ? undefined : { text: input.comment, isPublic: input.public }
      const act = input.doing === 'customize' ? customize : signUp
      // With these reasons the command would refuse, too, with its locks: most sign-ups for a shift that has just become full end here.
      const early = isQuick && act === signUp && shift.seems_full ? await judge(request, located) : undefined
      const known = early?.candidacy.reasons['sign-up'] ?? []
      const outcome: MoveOutcome = known.length
        ? { ok: false, reasons: known, needsForm: false }
        : await act(request.commandContext, { shiftId: shift.id, details, comment })
      if (outcome.ok) return redirectBack(located, input.from, flashOf(words, located, outcome, input))
      // Double click: the first request already signed the person up.
      if (isQuick && outcome.reasons.some(({ code }) => code === 'already_in'))
        return redirectBack(located, input.from, { kind: 'info', text: words.t('signup.reason.already_in') })
      const found = early ?? (await judge(request, located))
      const errors = errorsOf(found.reasonContext, outcome, timesOf(shift, details))
      // Nothing was written, so the form shows what was read.
      if (isQuick) return { ...(await formOf(request, found, { values: { quick: '1' }, errors })), status: 409 }
      return { refused: errors, status: 422 }
    },
  })

const declinePageFor = (mount: PageMount): FormPage<DeclineForm> =>
  formPage({
    path: mount.paths.decline,
    access: mount.access,
    form: declineForm,
    show: async (request, refused) => {
      const located = await requireShift(mount, request)
      if (!('shift' in located)) return located
      const found = await judge(request, located)
      const { candidacy, reasonContext, mounted } = found
      const main = declineView({
        ...reasonContext,
        links: mounted.links,
        csrfToken: request.csrfToken,
        shift: shiftDataOf(found),
        reasons: candidacy.reasons.decline,
        consequences: {
          freesPlace: candidacy.own?.state === 1,
          companions: candidacy.own?.companions ?? 0,
          needsNewDecision: candidacy.own?.state === 1 && candidacy.signupState === 0,
        },
        from: readOrigin(refused?.values.from ?? request.query.get('from')),
        comment: typeof refused?.values.comment === 'string' ? refused.values.comment : '',
        // Without a form, the reasons are shown already.
        errors: candidacy.reasons.decline.length ? [] : (refused?.errors ?? []),
      })
      return pageOf(found, request.context.words.t('signup.decline_title'), main)
    },
    submit: async (request, { from, sure, comment }) => {
      const { words } = request.context
      const located = await requireShift(mount, request)
      if (!('shift' in located)) return located
      const { shift, mounted } = located
      const early = sure ? undefined : await judge(request, located)
      // For example, confirmed while the page with the button was open.
      const isAsked = early && (early.candidacy.own?.state === STATE.confirmed || !!early.candidacy.own?.companions)
      if (isAsked && early.candidacy.canDecline)
        return { redirect: `${mounted.links.decline(shift.id)}?from=${encodeURIComponent(from)}` }
      const outcome = await decline(request.commandContext, {
        shiftId: shift.id,
        comment: comment ? { text: comment, isPublic: false } : undefined,
      })
      if (!outcome.ok) {
        if (outcome.reasons.some(({ code }) => code === 'already_declined'))
          return redirectBack(located, from, { kind: 'info', text: words.t('signup.reason.already_declined') })
        const { reasonContext } = early ?? (await judge(request, located))
        return { refused: errorsOf(reasonContext, outcome, timesOf(shift)), status: 409 }
      }
      const text = words.t('signup.declined', { shift: titleOf(shift) })
      return redirectBack(located, from, {
        kind: 'info',
        text,
        short: words.t('signup.short_declined'),
        undo: undoOf(located, outcome, from),
      })
    },
  })

const undoPageFor = (mount: PageMount): ActionPage<UndoForm> =>
  actionPage({
    path: mount.paths.undo,
    access: mount.access,
    form: undoForm,
    submit: async (request, { entry, from }) => {
      const { words } = request.context
      const located = await requireShift(mount, request)
      if (!('shift' in located)) return located
      const { shift } = located
      const outcome = await undo(request.commandContext, { shiftId: shift.id, entryId: entry })
      if (outcome.ok)
        return redirectBack(located, from, { kind: 'info', text: words.t('signup.undone', { shift: titleOf(shift) }) })
      const { reasonContext } = await judge(request, located)
      const text =
        outcome.code === 'refused'
          ? [words.t('signup.not_undone'), ...outcome.reasons.map((reason) => reasonText(reasonContext, reason))].join(' ')
          : words.t(`signup.not_undone_${outcome.code}`)
      return redirectBack(located, from, { kind: 'warn', text })
    },
  })

/** The pages of sign-up for those who take part under other paths. */
export const pagesForMount = ({ mount, wrap = (page) => page }: ParticipantMount): Page[] =>
  [signupPageFor(mount), declinePageFor(mount), undoPageFor(mount)].map(wrap)

export const memberPages: Page[] = [signupPageFor(MEMBER_MOUNT), declinePageFor(MEMBER_MOUNT), undoPageFor(MEMBER_MOUNT)]

function redirectBack({ shift, mounted }: Located, from: Origin, flash: Flash): Redirect {
  return { redirect: originPath(from, mounted.links.event(shift.event_id, shift.event_title)), flash }
}

type Done = Extract<MoveOutcome, { ok: true }>

function undoOf({ shift, mounted }: Located, { entryId }: Done, from: Origin): Flash['undo'] {
  return entryId === undefined
    ? undefined
    : { action: mounted.links.undo(shift.id), fields: { entry: String(entryId), from }, seconds: UNDO_SECONDS }
}

function flashOf(words: Words, located: Located, outcome: Done, input: SignupForm): Flash {
  const { doing } = input
  const { from, to, hasChanged } = outcome
  const undo = undoOf(located, outcome, input.from)
  if (doing === 'customize' && from === 1 && to === 0) return { kind: 'info', text: words.t('signup.change_requested'), undo }
  if (doing === 'customize') return { kind: 'good', text: words.t(hasChanged ? 'signup.saved' : 'signup.unchanged'), undo }
  const text = words.t(to === 1 ? 'signup.confirmed' : 'signup.requested', { shift: titleOf(located.shift) })
  const short = words.t(to === 1 ? 'signup.short_confirmed' : 'signup.short_requested')
  return { kind: 'good', text, short, undo }
}

/** Inputs have minutes only: a field that still shows the shift's time means exactly that time, seconds included. */
function readDetails(input: SignupForm, shift: ShiftForSignup, words: Words): { details: Details; errors: FormError[] } {
  const { start, end, wish } = input
  const errors: FormError[] = []
  const read = (field: 'start' | 'end', usual: Date): Date | null => {
    const sent = input[field]?.trim() ?? ''
    if (!sent) return null
    const wall = readOwnTime(sent, field, { start: shift.start_time, end: shift.end_time }, words.timeZone)
    const which = readWhich(input[`${field}_which`])
    const isUsual = wall.toString({ smallestUnit: 'minute' }) === words.inputDateTime(usual)
    if (isUsual && (!which || which === whichOf(usual, words.timeZone))) return null
    const local = resolveLocalTime(wall, words.timeZone, which)
    if (local.ok) return local.at
    errors.push({ field, text: words.t(`form.time_${local.reason}`) })
    return null
  }
  const hasTimes = start !== undefined || end !== undefined
  const details = {
    ...(hasTimes ? { times: { start: read('start', shift.start_time), end: read('end', shift.end_time) } } : {}),
    ...(wish === undefined ? {} : { wish }),
    answers: input.answers,
    savesAnswers: input.save_answers,
  }
  return { details, errors }
}

/** The times that were refused: those of the form, or else of the shift. */
const timesOf = (shift: ShiftForSignup, details?: Details): Span => ({
  start: details?.times?.start ?? shift.start_time,
  end: details?.times?.end ?? shift.end_time,
})

function errorsOf(reasonContext: ReasonContext, { reasons }: Extract<MoveOutcome, { ok: false }>, times: Span): FormError[] {
  return reasons.map((reason) => ({
    field: 'questionId' in reason ? questionField(reason.questionId) : fieldOf(reason, times),
    text: reasonText(reasonContext, reason),
  }))
}

function formDataOf(
  request: PageRequest,
  found: Found,
  refused: Refused | undefined,
  comments: readonly VisibleComment[],
): SignupFormData {
  const { words, now } = request.context
  const { shift, candidacy, reasonContext, mounted } = found
  const { own, signupRules, wish, eligibilityInput } = candidacy
  const doing = takesPart(candidacy) ? 'customize' : 'sign-up'
  const from = readOrigin(refused?.values.from ?? request.query.get('from'))
  const conflicts = candidacy.formReasons.flatMap((reason) => (reason.code === 'partial_conflict' ? [reason.with] : []))
  const whole = { start: shift.start_time, end: candidacy.earlierEnd ?? shift.end_time }
  const part = conflicts.length > 0 && doing === 'sign-up' ? findFreePart(whole, conflicts) : undefined
  const start = own?.individualStart ?? part?.start ?? whole.start
  const end = own?.individualEnd ?? part?.end ?? whole.end
  const stored = signupForm.state({
    doing,
    from,
    start: words.inputDateTime(start),
    end: words.inputDateTime(end),
    start_which: whichOf(start, words.timeZone) ?? '',
    end_which: whichOf(end, words.timeZone) ?? '',
    wish: wish?.current ?? '',
  })
  const initial = Object.fromEntries(
    candidacy.questions.flatMap(({ id, initial }) =>
      initial === undefined ? [] : [[questionField(id), typeof initial === 'string' ? initial : [...initial]]],
    ),
  )
  // A one-click sign-up has sent no fields.
  const isFirst = !refused || refused.values.quick === '1'
  const sent = isFirst ? {} : { ...refused.values, doing }
  const tolerance = eligibilityInput.settings.toleranceMinutes * 60_000
  const reasons = candidacy.reasons[doing]
  return {
    ...reasonContext,
    links: mounted.links,
    csrfToken: request.csrfToken,
    shift: shiftDataOf(found),
    doing,
    from,
    conflicts,
    hasPart: part !== undefined,
    reasons,
    warnings: candidacy.warnings,
    earlierEnd: candidacy.earlierEnd,
    limits: signupRules?.canChooseTimes
      ? { earliest: new Date(shift.meeting_time.getTime() - tolerance), latest: new Date(shift.end_time.getTime() + tolerance) }
      : undefined,
    wish,
    canDecline: candidacy.canDecline,
    needsNewDecision: own?.state === 1 && !!signupRules?.lateChangesFrom && now >= signupRules.lateChangesFrom,
    areTimesOutside: candidacy.areTimesOutside,
    comments,
    // Without a form, the reasons are shown already.
    questions: candidacy.questions,
    offersSaving: request.context.actor.kind === 'user' && candidacy.questions.some(({ usesSavedAnswers }) => usesSavedAnswers),
    state: {
      values: { ...stored.values, ...(isFirst ? initial : {}), ...sent },
      errors: reasons.length ? [] : (refused?.errors ?? []),
    },
  }
}
