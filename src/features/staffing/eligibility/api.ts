import { loadReasonContext } from '#features/staffing/staffing/queries/qualifications.ts'
import { isIn, type Reason, type ReasonContext, type State, type Warning } from '#features/staffing/staffing/rules/model.ts'
import { reasonText, warningText } from '#features/staffing/staffing/views/reasons.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { scope } from '#platform/http/access.ts'
import { recordEndpoint } from '#platform/http/endpoint.ts'
import { wireDate } from '#platform/http/time-format.ts'
import { findEligibility } from './queries/eligibility.ts'
import { getReachableEventOf } from './queries/reachable-shifts.ts'
import type { Candidacy } from './rules/candidacy.ts'
import { eligibilityRecord } from './schema.ts'
import { presentReason } from './views/reasons.ts'

type Found = { candidacy: Candidacy; reasonContext: ReasonContext }

export const eligibilityEndpoint = recordEndpoint({
  path: '/api/shifts/{id}/eligibility/',
  access: scope('ME_READ'),
  name: 'Eligibility',
  operationId: 'shifts_eligibility_retrieve',
  tag: 'own participations',
  summary: 'What the caller can do about a shift, and why not',
  description:
    'The same verdict as on the pages. A sign-up with an empty object succeeds if `sign_up.allowed` is true and `needed` is empty.',
  parameters: {},
  record: eligibilityRecord,
  get: async (context, { id }): Promise<Found | undefined> => {
    const eventId = await getReachableEventOf(context.db, context.actor, id)
    const candidacy = eventId === undefined ? undefined : (await findEligibility(context, [id])).get(id)
    return candidacy && { candidacy, reasonContext: await loadReasonContext(context) }
  },
  present: presentEligibility,
})

function presentEligibility({ candidacy, reasonContext }: Found, context: RequestContext) {
  const { words, site } = context
  const { shift, own, signupRules, reasons, wish, warnings, questions, earlierEnd, formReasons, signupState } = candidacy
  const state = (value: State) => ({ value, label: words.t(`participation.state.${value}`) })
  const time = (at: Date) => wireDate(at, site.timeZone)
  const verdict = (against: readonly Reason[]) => ({
    allowed: against.length === 0,
    reasons: against.map((reason) => ({ code: reason.code, detail: reasonText(reasonContext, reason) })),
  })
  const tolerance = candidacy.eligibilityInput.settings.toleranceMinutes * 60_000
  return {
    shift: shift.id,
    event: shift.eventId,
    participation: own?.id ?? null,
    state: own ? state(own.state) : null,
    sign_up: verdict(reasons['sign-up']),
    decline: verdict(reasons.decline),
    change: verdict(reasons.customize),
    state_after_sign_up: signupRules ? state(signupState) : null,
    needed: isIn(own?.state) ? [] : formReasons.map((reason) => presentReason(reasonContext, reason)),
    warnings: warnings.map((warning) => presentWarning(reasonContext, warning)),
    opens_at: signupRules?.opensAt ? time(signupRules.opensAt) : null,
    closes_at: signupRules ? time(signupRules.closesAt) : null,
    times: {
      can_choose: signupRules?.canChooseTimes ?? false,
      earliest: time(new Date(shift.meeting.getTime() - tolerance)),
      latest: time(new Date(shift.end.getTime() + tolerance)),
      qualified_until: earlierEnd ? time(earlierEnd) : null,
    },
    places: wish
      ? {
          kind: wish.kind,
          required: wish.isRequired,
          wish: wish.current ?? null,
          options: wish.options.map(({ value, title }) => ({ wish: value, title })),
          full: [...wish.full],
          unqualified: [...wish.unqualified],
        }
      : null,
    questions: questions.map(({ id, kind, name, text, description, choices, isRequired, initial }) => ({
      id,
      kind,
      name,
      text,
      description,
      choices: kind === 'text' ? [] : [...choices],
      required: isRequired,
      answer: initial ?? null,
    })),
  }
}

const presentWarning = (reasonContext: ReasonContext, warning: Warning) => ({
  code: warning.code,
  detail: warningText(reasonContext, warning),
})
