/** @typedef {import('turnout/extension').Context} Context */
/** @typedef {{ id: number, title: string, label: string, location: string, start: Date, end: Date, confirmed: number, missing: number, present: number }} Shift */
/** @typedef {{ shift_id: number, name: string, arrived_at: Date | null, left_at: Date | null }} Place */

/** What the screen shows: shifts that the person who entered the code sees. @param {Context} context */
export async function readBoard({ db, now, timeZone, findShifts, getSettings }) {
  const [days] = /** @type {[{ today: string, tomorrow: string, end: Date }]} */ (
    await db.query(
      `select to_char(day, 'YYYY-MM-DD') as today, to_char(day + interval '1 day', 'YYYY-MM-DD') as tomorrow,
         (day + interval '2 days') at time zone $2 as end
       from date_trunc('day', $1::timestamptz at time zone $2) as day`,
      [now, timeZone],
    )
  )
  const found = await findShifts({ from: now, to: days.end })
  const shifts = /** @type {(Shift & { day: string })[]} */ (
    await db.query(
      `select s.id, e.title, s.label, e.location, s.start_time as start, s.end_time as end, s.confirmed_count as confirmed, s.missing,
         s.present_count as present, to_char(s.start_time at time zone $2, 'YYYY-MM-DD') as day
       from published.shift s join published.event e on e.id = s.event_id
       where s.id = any ($1::bigint[]) order by s.start_time, e.title, s.id`,
      [found.map(({ id }) => id), timeZone],
    )
  )
  const showsNames = (await getSettings()).names === 'on'
  const named = showsNames ? found.filter(({ mayChange }) => mayChange).map(({ id }) => id) : []
  const people = await findPeople(db, named)
  /** @param {(day: string) => boolean} isOfDay */
  const shiftsOf = (isOfDay) =>
    shifts
      .filter(({ day }) => isOfDay(day))
      .map(({ day: _, ...shift }) => ({ ...shift, people: named.includes(shift.id) ? (people.get(shift.id) ?? []) : null }))
  return {
    made_at: now,
    // Shifts of yesterday that have not ended are work of today.
    days: [
      { date: days.today, shifts: shiftsOf((day) => day <= days.today) },
      { date: days.tomorrow, shifts: shiftsOf((day) => day === days.tomorrow) },
    ],
  }
}

/** Confirmed people by shift. @param {Context['db']} db @param {number[]} shiftIds */
async function findPeople(db, shiftIds) {
  /** @type {Map<number, { name: string, state: string }[]>} */
  const people = new Map()
  if (!shiftIds.length) return people
  const places = /** @type {Place[]} */ (
    await db.query(
      `select p.shift_id, u.name, p.arrived_at, p.left_at from published.participation p join published.person u on u.id = p.person_id
       where p.shift_id = any ($1::bigint[]) and p.state = 1 order by p.arrived_at nulls last, u.name, p.id`,
      [shiftIds],
    )
  )
  for (const { shift_id, name, arrived_at, left_at } of places) {
    const state = left_at ? 'left' : arrived_at ? 'present' : 'expected'
    people.set(shift_id, [...(people.get(shift_id) ?? []), { name, state }])
  }
  return people
}
