import { MEMBER_LINKS } from '#features/participations/rules/links.ts'
import { loadReasonContext } from '#features/staffing/queries/qualifications.ts'
import { signedIn } from '#platform/http/access.ts'
import { viewPage } from '#platform/http/page.ts'
import { findNextEvents } from '../queries/events.ts'
import { findEndedLinks } from '../queries/partner-events.ts'
import {
  type Found,
  findAskedShifts,
  findNextShifts,
  findWaitingShifts,
  findWantedShifts,
  type ShiftOfEvent,
} from '../queries/shifts.ts'
import { homeView, type ShiftLines } from '../views/home.ts'
import { signupDataOf } from './event.ts'
import { eventLineOf, shiftLineOf } from './list-items.ts'

const NEXT_SHIFTS = 6
const REQUESTS = 6
const EVENTS = 8
const WANTED = 6

export const homePage = viewPage({
  path: '/',
  access: signedIn,
  show: async ({ context, csrfToken }) => {
    const { words, actor } = context
    const [next, asked, waiting, events, wanted, endedLinks] = await Promise.all([
      findNextShifts(context, NEXT_SHIFTS),
      findAskedShifts(context, REQUESTS),
      findWaitingShifts(context, REQUESTS),
      findNextEvents(context, EVENTS),
      findWantedShifts(context, WANTED),
      findEndedLinks(context),
    ])
    const main = homeView({
      ...(await loadReasonContext(context)),
      links: MEMBER_LINKS,
      csrfToken,
      endedLinks,
      name: actor.kind === 'user' ? actor.displayName : '',
      next: next.rows.map((row) => ({ ...shiftLineOf(row), meeting: row.meeting_time })),
      asked: linesOf(asked),
      waiting: waiting && linesOf(waiting),
      events: events.map(eventLineOf),
      wanted: wanted.map((row) => ({ ...shiftLineOf(row), meeting: row.meeting_time, signup: signupDataOf(row.candidacy) })),
    })
    return { title: words.t('frame.home'), main, live: true }
  },
})

const linesOf = ({ count, rows }: Found<ShiftOfEvent>): ShiftLines => ({ count, shifts: rows.map(shiftLineOf) })
