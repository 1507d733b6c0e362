/** @typedef {import('turnout/extension').Reader} Reader */
/** @typedef {{ id: number, event_id: number, name: string, free: number | null }} Shift */
/** @typedef {{ id: number, seed: string, places: number | null, drawn_at: Date }} Draw */
/** @typedef {{ person_id: number | null, name: string | null, number: string, has_priority: boolean, won: boolean, is_beyond_limits: boolean }} Ticket */

export const FLOW = 'x_lottery_draw'

/** A shift whose places are drawn. @param {Reader} db @param {number} id */
export const getShift = async (db, id) =>
  /** @type {(Shift | undefined)[]} */ (
    await db.query(
      `select s.id, s.event_id, coalesce(nullif(s.label, ''), e.title) as name, s.free from published.shift s
       join published.event e on e.id = s.event_id where s.id = $1 and s.flow = $2`,
      [id, FLOW],
    )
  )[0]

/** @param {Reader} db @param {number} eventId */
export const findShifts = (db, eventId) =>
  /** @type {Promise<{ id: number, name: string, is_drawn: boolean }[]>} */ (
    db.query(
      `select s.id, coalesce(nullif(s.label, ''), e.title) as name, d.id is not null as is_drawn from published.shift s
       join published.event e on e.id = s.event_id left join x_lottery.draw d on d.shift_id = s.id
       where s.event_id = $1 and s.flow = $2 order by s.start_time, s.id`,
      [eventId, FLOW],
    )
  )

/** @param {Reader} db @param {number} shiftId */
export const getDraw = async (db, shiftId) =>
  /** @type {(Draw | undefined)[]} */ (
    await db.query('select id, seed, places, drawn_at from x_lottery.draw where shift_id = $1', [shiftId])
  )[0]

/** In the order of the draw. @param {Reader} db @param {number} drawId */
export const findTickets = (db, drawId) =>
  /** @type {Promise<Ticket[]>} */ (
    db.query(
      `select t.person_id, p.name, t.number, t.has_priority, t.won, t.is_beyond_limits from x_lottery.ticket t
       left join published.person p on p.id = t.person_id where t.draw_id = $1 order by t.has_priority desc, t.number`,
      [drawId],
    )
  )

/** Who has registered, and whether they went without in their last draw. @param {Reader} db @param {number} shiftId */
export const findApplicants = (db, shiftId) =>
  /** @type {Promise<{ personId: number, wentWithout: boolean }[]>} */ (
    db.query(
      `select p.person_id as "personId", coalesce((select not t.won and not t.is_beyond_limits from x_lottery.ticket t where t.person_id = p.person_id
         order by t.draw_id desc limit 1), false) as "wentWithout"
       from published.participation p where p.shift_id = $1 and p.state = 0 order by p.person_id`,
      [shiftId],
    )
  )
