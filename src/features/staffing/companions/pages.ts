import { findEligibility } from '#features/staffing/eligibility/queries/eligibility.ts'
import { getShiftForSignup } from '#features/staffing/eligibility/queries/reachable-shifts.ts'
import { findCompanions } from '#features/staffing/participations/queries/companions.ts'
import { MEMBER_LINKS } from '#features/staffing/participations/rules/links.ts'
import { loadReasonContext } from '#features/staffing/staffing/queries/qualifications.ts'
import { isIn } from '#features/staffing/staffing/rules/model.ts'
import { signedIn } from '#platform/http/access.ts'
import { formPage, type PageRequest } from '#platform/http/page.ts'
import { Problem } from '#platform/http/problem.ts'
import type { Words } from '#platform/i18n/words.ts'
import type { FormError } from '#platform/ui/form.ts'
import type { FormValues } from '#platform/ui/form-values.ts'
import { type CompanionsOutcome, changeCompanions, neutralBases } from './commands.ts'
import { type CompanionFault, isNeutral, leftToBring, listVersion, shownCompanions } from './rules.ts'
import { companionsInput, nameField } from './schema.ts'
import { companionReasonText, companionsView } from './views.ts'

async function findShift({ context, path }: PageRequest<{ shift: number }>) {
  const shift = await getShiftForSignup(context, path.shift)
  const candidacy = shift && (await findEligibility(context, [shift.id])).get(shift.id)
  if (!shift || !candidacy) throw new Problem('not_found')
  return { shift, candidacy }
}

/** People who take part in a shift name those whom they bring. */
export const companionsPage = formPage({
  path: '/shifts/{shift}/companions/',
  access: signedIn,
  form: companionsInput,
  show: async (request, refused) => {
    const { context, csrfToken } = request
    const { words, now, db, actor } = context
    const { shift, candidacy } = await findShift(request)
    const { own, signupRules } = candidacy
    const companions = own ? await findCompanions(db, own.id) : []
    const bases = await neutralBases(context, actor.userId)
    const max = signupRules?.maxCompanions ?? 0
    const shown = shownCompanions(companions)
    const names = shown.map(({ id, name }): [string, string] => [nameField(id), isNeutral(name, bases) ? '' : name])
    const stored: FormValues = { ...Object.fromEntries(names), add: '', names: '' }
    const refusal = !isIn(own?.state) ? 'not_in' : max === 0 && !shown.length ? 'off' : undefined
    const eventPath = MEMBER_LINKS.event(shift.event_id, shift.event_title)
    return {
      title: words.t('signup.bring_others'),
      main: companionsView({
        words,
        now,
        csrfToken,
        shift: {
          title: shift.label ? `${shift.event_title}, ${shift.label}` : shift.event_title,
          start: shift.start_time,
          end: shift.end_time,
          eventPath,
          path: MEMBER_LINKS.companions!(shift.id),
        },
        refusal: refusal && words.t(`companions.refusal.${refusal}`),
        needsDecision: signupRules?.hasRequestStage ?? true,
        companions: shown.map(({ id, name, state }) => ({ id, name, state, isIn: isIn(state) })),
        left: leftToBring(companions, max),
        max,
        state: {
          // The list as it is now, so that a second attempt is about what the page shows.
          values: { ...stored, ...refused?.values, seen: listVersion(companions) },
          errors: refused?.errors ?? [],
        },
      }),
      breadcrumb: [{ href: eventPath, label: shift.event_title }],
    }
  },
  submit: async (request, { seen, change }) => {
    const { context } = request
    const { words } = context
    const { shift } = await findShift(request)
    const outcome = await changeCompanions(request.commandContext, { shiftId: shift.id, seen, change })
    if (outcome.ok) {
      const hasChanged = outcome.added + outcome.removed + outcome.renamed > 0
      const flash = { kind: 'good', text: words.t(hasChanged ? 'companions.saved' : 'companions.unchanged') } as const
      return { redirect: MEMBER_LINKS.companions!(shift.id), flash }
    }
    const isFault = outcome.code === 'faults'
    return { refused: await errorsOf(request, outcome), status: isFault ? 422 : 409 }
  },
})

async function errorsOf(
  { context }: PageRequest<{ shift: number }>,
  outcome: Extract<CompanionsOutcome, { ok: false }>,
): Promise<FormError[]> {
  const { words } = context
  if (outcome.code === 'faults') return outcome.faults.map((fault) => faultError(words, fault))
  if (outcome.code !== 'refused') return [{ text: words.t(`companions.refusal.${outcome.code}`) }]
  const reasonContext = await loadReasonContext(context)
  const texts = outcome.reasons.map((reason) => companionReasonText(reasonContext, reason))
  const possible = outcome.possible > 0 ? [words.t('companions.possible', { count: outcome.possible })] : []
  return [{ field: 'add', text: [...texts, ...possible].join(' ') }]
}

function faultError(words: Words, fault: CompanionFault): FormError {
  if (fault.code === 'too_many') return { field: 'add', text: words.t('companions.too_many', { count: fault.left }) }
  return {
    field: fault.id === undefined ? 'names' : nameField(fault.id),
    text: words.t(`companions.${fault.code}`, { name: fault.name }),
  }
}
