import { randomBytes } from 'node:crypto'
import { html, ui } from 'turnout/extension'
import { drawPlaces } from './draw.js'
import { findApplicants, findTickets, getDraw, getShift } from './queries.js'

/** @typedef {import('turnout/extension').PageRequest} PageRequest */
/** @typedef {import('turnout/extension').Work} Work */

/** @param {number} shiftId */
export const drawPath = (shiftId) => `/x/lottery/shifts/${shiftId}/`

/** @param {PageRequest} request */
async function findReachable({ db, path, maySeeShift }) {
  const shift = await getShift(db, Number(path.shift))
  return shift && (await maySeeShift(shift.id)) ? shift : undefined
}

/** Before the draw: until when people register, how many there are, and the button. @param {PageRequest} request @param {import('./queries.js').Shift} shift */
async function waitingView(request, shift) {
  const { t, now, db, dateTime, csrfToken } = request
  const signUp = await request.getSignUp(shift.id)
  const isOpen = signUp !== undefined && signUp.closesAt > now
  const applicants = await findApplicants(db, shift.id)
  const canDraw = !isOpen && applicants.length > 0 && (await request.mayChangeShift(shift.id))
  return ui.card({
    body: html`<p>${isOpen ? t('open', { until: dateTime(signUp.closesAt) }) : t('to_draw')}</p>
<p class="muted">${t('registered', { count: applicants.length })} · ${shift.free === null ? t('places_enough') : t('places', { count: shift.free })}</p>`,
    footer: canDraw ? ui.postButton({ action: `${drawPath(shift.id)}draw/`, csrfToken, label: t('draw') }) : undefined,
  })
}

/** Numbers and results are for everybody, names for those who plan. @param {PageRequest} request @param {import('./queries.js').Shift} shift @param {import('./queries.js').Draw} draw */
async function resultView({ t, db, dateTime, person, mayChangeShift }, shift, draw) {
  const tickets = await findTickets(db, draw.id)
  const showsNames = await mayChangeShift(shift.id)
  /** @param {import('./queries.js').Ticket} ticket */
  const nameOf = ({ person_id, name }) => (person_id === person.id ? t('you') : showsNames ? name : null)
  return html`${ui.card({
    body: ui.facts([
      {
        name: t('drawn_at', { at: dateTime(draw.drawn_at) }),
        value: draw.places === null ? t('places_enough') : t('places', { count: draw.places }),
      },
      { name: t('seed'), value: html`<code class="wrap">${draw.seed}</code>` },
    ]),
    footer: html`<p class="muted">${t('how')} ${t('own_account', { id: String(person.id) })}</p>`,
  })}
${ui.card({
  title: t('result'),
  body: html`<ol>${tickets.map(
    (
      ticket,
    ) => html`<li>${ui.badge(ticket.won ? { tone: 'good', text: t('place') } : { tone: 'quiet', text: t('without') })} ${nameOf(ticket)}
<p class="muted"><code>${ticket.number.slice(0, 12)}</code>${ticket.has_priority && html` · ${t('priority')}`}${ticket.is_beyond_limits && html` · ${t('beyond_limits')}`}</p></li>`,
  )}</ol>`,
})}`
}

/** @type {import('turnout/extension').Page[]} */
export const pages = [
  {
    path: '/x/lottery/shifts/{shift}/',
    access: 'signed-in',
    show: async (request) => {
      const shift = await findReachable(request)
      if (!shift) return { notFound: true }
      const title = request.t('draw_of', { shift: shift.name })
      const draw = await getDraw(request.db, shift.id)
      const body = draw ? await resultView(request, shift, draw) : await waitingView(request, shift)
      const back = ui.linkButton({ href: `/events/${shift.event_id}/`, label: request.t('to_event') })
      return { title, main: html`${ui.pageHead({ title, actions: [back] })}${body}` }
    },
  },
  {
    path: '/x/lottery/shifts/{shift}/draw/',
    access: 'signed-in',
    submit: async (request) => {
      const { t, now } = request
      const shift = await findReachable(request)
      if (!shift || !(await request.mayChangeShift(shift.id))) return { notFound: true }
      const redirect = drawPath(shift.id)
      const signUp = await request.getSignUp(shift.id)
      if (signUp && signUp.closesAt > now) return { redirect, say: { kind: 'bad', text: t('too_early') } }
      const outcome = await makeDraw(request, shift.id)
      if (typeof outcome === 'string') return { redirect, say: { kind: 'info', text: t(outcome) } }
      return { redirect, say: { kind: 'good', text: t('drawn', { count: outcome }) } }
    },
  },
]

/**
 * Once for each shift: nobody draws again until the result suits. Returns how many got a place, or why nothing was drawn.
 * @param {PageRequest & Work} request @param {number} shiftId
 */
const makeDraw = ({ change, now, person }, shiftId) =>
  change(async (tx) => {
    const shift = await getShift(tx, shiftId)
    const applicants = await findApplicants(tx, shiftId)
    if (!shift || !applicants.length) return 'nobody'
    const seed = randomBytes(16).toString('hex')
    const places = shift.free
    const [draw] = await tx.query(
      `insert into x_lottery.draw (shift_id, seed, places, drawn_at, drawn_by) values ($1, $2, $3, $4, $5)
       on conflict do nothing returning id`,
      [shiftId, seed, places, now, person.id],
    )
    if (!draw) return 'already'
    const tickets = drawPlaces(applicants, { seed, places })
    const { winners, beyondLimits } = await confirmWinners(tx, shiftId, tickets)
    const others = tickets.filter(({ personId }) => !winners.has(personId))
    await tx.decide(
      shiftId,
      others.map(({ personId }) => ({ personId, to: 'rejected' })),
    )
    for (const { personId, number, hasPriority } of tickets)
      await tx.query(
        `insert into x_lottery.ticket (draw_id, person_id, number, has_priority, won, is_beyond_limits)
         values ($1, $2, $3, $4, $5, $6)`,
        [draw.id, personId, number, hasPriority, winners.has(personId), beyondLimits.has(personId)],
      )
    return winners.size
  })

/**
 * The place of a winner whom a working time limit refuses goes to the next person.
 * @param {import('turnout/extension').Writer} tx @param {number} shiftId @param {ReturnType<typeof drawPlaces>} tickets
 */
async function confirmWinners(tx, shiftId, tickets) {
  const winners = new Set()
  const beyondLimits = new Set()
  const waiting = tickets.filter(({ won }) => !won)
  let next = tickets.filter(({ won }) => won)
  while (next.length) {
    const decided = await tx.decide(
      shiftId,
      next.map(({ personId }) => ({ personId, to: 'confirmed' })),
    )
    const refused = new Set(decided.beyondLimits)
    for (const { personId } of next) (refused.has(personId) ? beyondLimits : winners).add(personId)
    next = waiting.splice(0, refused.size)
  }
  return { winners, beyondLimits }
}
