import { defineExtension, html, ui } from 'turnout/extension'
import { migrations } from './migrations.js'
import { drawPath, pages } from './pages.js'
import { findShifts, findTickets, getDraw, getShift } from './queries.js'
import { de, en } from './words.js'

export default defineExtension({
  name: 'lottery',
  version: '1.0.0',
  turnout: '^1.0',
  words: { en, de },
  migrations,
  pages,
  endpoints: [
    {
      method: 'GET',
      path: '/api/x/lottery/shifts/{shift}/',
      access: { scope: 'ME_READ' },
      summary: 'The draw of a shift, as everybody who sees the shift can check it',
      read: async ({ db, path, maySeeShift, person }) => {
        const shift = await getShift(db, Number(path.shift))
        const draw = shift && (await maySeeShift(shift.id)) ? await getDraw(db, shift.id) : undefined
        if (!draw) return undefined
        const tickets = await findTickets(db, draw.id)
        return {
          seed: draw.seed,
          places: draw.places,
          drawn_at: draw.drawn_at,
          tickets: tickets.map(({ number, has_priority, won, is_beyond_limits, person_id }) => ({
            number,
            has_priority,
            won,
            is_beyond_limits,
            mine: person_id === person?.id,
          })),
        }
      },
    },
  ],
  adds: {
    eventSection: async ({ db, t, person }, { id }) => {
      const shifts = person ? await findShifts(db, id) : []
      if (!shifts.length) return undefined
      const items = shifts.map(
        (shift) =>
          html`<li><a href="${drawPath(shift.id)}">${shift.name}</a> ${shift.is_drawn && ui.badge({ tone: 'info', text: t('result') })}</li>`,
      )
      return ui.card({ title: t('places_drawn'), body: html`<ul>${items}</ul>` })
    },
  },
  flows: [{ name: 'draw', label: 'flow', hasRequests: true }],
  personalData: [
    { table: 'ticket', column: 'person_id', label: 'ticket', whenErased: 'clear', whenMerged: { moveUnless: ['draw_id'] } },
    { table: 'draw', column: 'drawn_by', label: 'drawer', whenErased: 'clear', whenMerged: 'move' },
  ],
  retention: [{ table: 'draw', column: 'drawn_at', days: 1095 }],
})
