import { findContacts } from '#features/staffing/eligibility/queries/contacts.ts'
import { findEligibility } from '#features/staffing/eligibility/queries/eligibility.ts'
import { getShiftForSignup } from '#features/staffing/eligibility/queries/reachable-shifts.ts'
import { loadReasonContext } from '#features/staffing/staffing/queries/qualifications.ts'
import { isIn, STATE } from '#features/staffing/staffing/rules/model.ts'
import type { Answered, OfferKind } from '#features/staffing/waiting-list/points.ts'
import { offerView } from '#features/staffing/waiting-list/views/offer.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { answerStandIn } from '../commands/stand-in.ts'
import { answerSwap } from '../commands/swap.ts'
import { type AskedByLink, getAskedStandIn, getProposedSwap, type SwapByLink } from '../queries/offered.ts'
import { getPlace, getStandIn, getStandInMode, judgeTaker } from '../queries/stand-in.ts'
import { judgeSwap } from '../queries/swap.ts'
import { judgeStandIn, needsAgreement, reasonsAgainstStandIn } from '../rules/stand-in.ts'
import { judgeSwapLink, rolesToAgree } from '../rules/swap.ts'
import { swapAnswerView } from '../views/swap.ts'

/** A place that was taken by the link; while the person has it, they can give it up as any other. */
async function takenBy(context: RequestContext, shiftId: number, state: 'taken' | 'swapped'): Promise<Answered> {
  const candidacy = (await findEligibility(context, [shiftId])).get(shiftId)
  if (!isIn(candidacy?.own?.state)) return { state: 'given_up', change: undefined }
  return { state, change: candidacy?.canDecline ? 'no' : undefined }
}

/** Somebody is asked to take the place of another. */
export const standInOffer: OfferKind<AskedByLink> = {
  kind: 'stand_in',
  load: getAskedStandIn,
  askedBy: ({ seeker }) => seeker,
  show: async ({ context }, offer, { action, calendarPath }) => {
    const { words, now, db, site } = context
    const link = judgeStandIn(offer, now)
    if (link === 'taken') return takenBy(context, offer.shiftId, 'taken')
    if (link === 'found') return { state: 'found', change: 'no' }
    if (link === 'declined') return { state: 'stand_in_declined', change: 'yes' }
    if (link !== 'open') return link
    const shift = await getShiftForSignup(context, offer.shiftId)
    const standIn = await getStandIn(db, offer.standInId)
    const place = standIn && (await getPlace(db, offer.shiftId, standIn.userId))
    const judged = place && (await judgeTaker(db, { now, site }, { shiftId: offer.shiftId, userId: offer.userId, place }))
    if (!shift || !judged) return 'gone'
    const isDecided = needsAgreement(await getStandInMode(db), judged.signupRules?.hasRequestStage !== false)
    const main = offerView({
      ...(await loadReasonContext(context)),
      action,
      formPath: undefined,
      shift,
      contacts: await findContacts(context, shift.event_id),
      calendarPath,
      name: offer.actor.displayName,
      question: words.t('stand_in.question', { name: offer.seeker }),
      lines: [...(offer.message ? [words.t('offers.quoted', { text: offer.message })] : []), words.t('stand_in.why_you')],
      yes: words.t('stand_in.yes'),
      no: words.t('stand_in.no'),
      effect: words.t(isDecided ? 'stand_in.by_planner' : 'stand_in.at_once', { name: offer.seeker }),
      reasons: reasonsAgainstStandIn(judged),
    })
    return { title: words.t('offers.page_title'), main }
  },
  answer: async ({ context, commandContext }, { standInId }, { answer }) => {
    const outcome = await answerStandIn(commandContext, { standInId, answer })
    return outcome.kind === 'refused' ? { refused: context.words.t('offers.not_possible') } : outcome.kind
  },
}

/** Somebody is asked to swap shifts. */
export const swapOffer: OfferKind<SwapByLink> = {
  kind: 'swap',
  load: getProposedSwap,
  askedBy: ({ swap }) => swap.proposer.name,
  show: async ({ context }, offer, { action, calendarPath }) => {
    const { words, now, db, site } = context
    const { swap, actor } = offer
    const { proposer, other } = swap
    const link = judgeSwapLink(swap, now)
    if (link === 'answered' && swap.state === 'accepted') return { state: 'swap_accepted', change: 'no' }
    if (link === 'answered' && swap.state === 'declined') return 'swap_declined'
    if (link === 'answered') return takenBy(context, proposer.shiftId, 'swapped')
    if (link === 'swap_gone' || link === 'swap_expired') return link
    const place = await getPlace(db, proposer.shiftId, proposer.userId)
    const ownPlace = await getPlace(db, other.shiftId, other.userId)
    const mode = await getStandInMode(db)
    const judged =
      place?.state === STATE.confirmed &&
      ownPlace?.state === STATE.confirmed &&
      mode !== 'off' &&
      (await judgeSwap(
        db,
        { now, site },
        {
          proposer: { userId: proposer.userId, eventId: proposer.eventId, place },
          other: { userId: other.userId, eventId: other.eventId, place: ownPlace },
        },
      ))
    if (link === 'declined') {
      const canAgain = judged && !judged.other.reasons.length && !judged.proposer.reasons.length
      return { state: 'swap_declined', change: canAgain ? 'yes' : undefined }
    }
    if (!judged) return 'swap_gone'
    const hasRequestStage = {
      proposer: judged.other.signupRules?.hasRequestStage !== false,
      other: judged.proposer.signupRules?.hasRequestStage !== false,
    }
    const main = swapAnswerView({
      ...(await loadReasonContext(context)),
      action,
      reader: actor.displayName,
      name: proposer.name,
      give: other,
      get: proposer,
      shift: await getShiftForSignup(context, proposer.shiftId),
      contacts: await findContacts(context, proposer.eventId),
      calendarPath,
      message: swap.message,
      until: swap.expiresAt,
      needsAgreement: rolesToAgree(mode, hasRequestStage).length > 0,
      reasons: judged.other.reasons,
      canOther: judged.proposer.reasons.length === 0,
    })
    return { title: words.t('swap.page_title'), main }
  },
  answer: async ({ context: { words }, commandContext }, { swap }, { answer }) => {
    const { kind } = await answerSwap(commandContext, { swapId: swap.id, answer })
    if (kind === 'refused') return { refused: words.t('swap.cannot') }
    return kind === 'other_cannot' ? { refused: words.t('swap.other_cannot', { name: swap.proposer.name }) } : kind
  },
}
