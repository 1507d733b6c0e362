import assert from 'node:assert/strict'
import { proposeSwap } from '#features/staffing/exchanges/commands/swap.ts'
import { refreshStatistics } from '#features/staffing/staffing/commands/statistics.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { transact } from '#platform/db/transaction.ts'
import { contextAs } from './command-context.ts'
import type { ShiftOptions } from './fixtures.ts'
import { ANN, type Group, PAUL, type Person } from './people.ts'
import { openWorld, type World } from './world.ts'

/** Two events of two planners: Ann is on the shift of the first, Cem on that of the second. */
export class SwapWorld {
  readonly world: World
  readonly group: Group
  readonly cem: Person
  readonly dora: Person
  /** Plans the second event. */
  readonly pia: Person

  private constructor(world: World, group: Group, people: [Person, Person, Person]) {
    this.world = world
    this.group = group
    ;[this.cem, this.dora, this.pia] = people
  }

  static async open(): Promise<SwapWorld> {
    const world = await openWorld()
    const people = [
      await world.addPerson({ name: 'Cem' }),
      await world.addPerson({ name: 'Dora' }),
      await world.addPerson({ name: 'Pia' }),
    ] as [Person, Person, Person]
    const group = await world.addGroup('Team', [ANN, people[0], people[1]])
    return new SwapWorld(world, group, people)
  }

  as(person: Person, later = 0): CommandContext {
    const { actor, ...rest } = contextAs(this.world, person)
    const inGroup = person === ANN || person === this.cem || person === this.dora
    return {
      ...rest,
      actor: { ...actor, groupIds: inGroup ? [this.group.id] : [] } as typeof actor,
      now: new Date(this.world.now.getTime() + later),
    }
  }

  async clear(mode = 'at_once'): Promise<void> {
    const { write } = this.world.db
    for (const table of ['swap', 'stand_in', 'waiting_entry', 'participation'] as const) await write.deleteFrom(table).execute()
    await write.deleteFrom('setting').where('name', '=', 'stand_ins').execute()
    await write
      .insertInto('setting')
      .values({ name: 'stand_ins', value: JSON.stringify(mode) })
      .execute()
  }

  /** A shift with one place, which the person has. */
  async addShift(who: Person | undefined, options: ShiftOptions & { type?: number; planner?: Person; title?: string } = {}) {
    const { type, planner = PAUL, title = 'Harbour run', ...shift } = options
    const { id, shifts } = await this.world.addEvent({
      title,
      seenBy: [this.group],
      responsible: [planner],
      ...(type === undefined ? {} : { type }),
      shifts: [
        {
          start: '2031-05-20T08:00:00Z',
          end: '2031-05-20T14:00:00Z',
          flow: 'instant_confirmation',
          configuration: { maximum_number_of_participants: 1 },
          ...shift,
        },
      ],
    })
    const place = who ? await this.world.addParticipation({ who, shift: shifts[0]!, state: 1 }) : 0
    await transact(this.world.db.write, (tx) => refreshStatistics(tx, shifts))
    return { eventId: id, shift: shifts[0]!, place }
  }

  /** Ann has the first place, Cem the second one a day later. */
  async addPair(second: Parameters<SwapWorld['addShift']>[1] = {}, first: Parameters<SwapWorld['addShift']>[1] = {}) {
    const ann = await this.addShift(ANN, first)
    const cem = await this.addShift(this.cem, {
      title: 'Fair',
      planner: this.pia,
      start: '2031-05-21T08:00:00Z',
      end: '2031-05-21T14:00:00Z',
      ...second,
    })
    return { ann, cem }
  }

  async propose({ shift }: { shift: number }, { place }: { place: number }, message = ''): Promise<number> {
    const outcome = await proposeSwap(this.as(ANN), { shiftId: shift, placeId: place, message })
    assert.ok(outcome.ok, JSON.stringify(outcome))
    return outcome.id
  }

  /** Who is confirmed where, by shift. */
  async confirmed(...shifts: number[]): Promise<(number | null)[][]> {
    const rows = await this.world.db.write
      .selectFrom('participation')
      .select(['shift_id', 'user_id'])
      .where('state', '=', 1)
      .orderBy('user_id')
      .execute()
    return shifts.map((shift) => rows.filter(({ shift_id }) => shift_id === shift).map(({ user_id }) => user_id))
  }

  async stateOf(id: number): Promise<string> {
    const row = await this.world.db.write.selectFrom('swap').select('state').where('id', '=', id).executeTakeFirstOrThrow()
    return row.state
  }
}
