import { refuseShift } from '#features/events/events/queries/refusals.ts'
import { eventPath } from '#features/events/events/rules/slug.ts'
import { sumAnswers } from '#features/events/questionnaires/rules.ts'
import { signedIn } from '#platform/http/access.ts'
import { viewPage } from '#platform/http/page.ts'
import { getShiftAnswers } from '../queries/answers.ts'
import { answersView } from '../views/answers.ts'

/** Answers of a shift in total, for its responsible people. */
export const answersPage = viewPage({
  path: '/shifts/{shift}/answers/',
  access: signedIn,
  show: async ({ context, path }) => {
    const { words, now } = context
    const found = await getShiftAnswers(context, path.shift)
    if (!found) throw await refuseShift(context.db, context.actor, path.shift)
    const { shift, questions, people } = found
    return {
      title: words.t('answers.title'),
      breadcrumb: [{ href: eventPath(shift.eventId, shift.eventTitle), label: shift.eventTitle }],
      main: answersView({ words, now, shift, totals: sumAnswers(questions, people) }),
      live: true,
    }
  },
})
