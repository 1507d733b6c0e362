import { eventFields } from '#features/events/events/rules/event-fields.ts'
import { createEvent } from '#features/planning/planning/commands/plan-event.ts'
import type { ShiftInput } from '#features/planning/shift-forms/rules/shift-form.ts'
import type { UserActor } from '#platform/auth/actor.ts'
import type { Permission } from '#platform/auth/permissions.ts'
import { contextAs } from '#test/support/command-context.ts'
import { HELPERS, PAUL, type Person, PLANNERS } from './people.ts'
import { openWorld } from './world.ts'

/** A world in which Paul may publish for the helpers, with shortcuts for planning commands. */
export async function openPlanning() {
  const world = await openWorld()
  const { write } = world.db
  await write
    .insertInto('group_grant')
    .values({ group_id: PLANNERS.id, target_group_id: HELPERS.id, permission: 'publish_event_for_group' })
    .execute()
  const contextOf = (person: Person, permissions: Permission[] = person === PAUL ? ['add_event', 'delete_event'] : []) => {
    const { actor, ...rest } = contextAs(world, person)
    return { ...rest, actor: { ...(actor as UserActor), permissions: new Set(permissions) } as UserActor }
  }
  const event = (more = {}) => ({
    ...eventFields.defaults,
    title: 'Harbour run',
    location: 'Pier 3',
    description: null,
    typeId: 1,
    groups: [HELPERS.id],
    responsibleGroups: [],
    responsibleUsers: [PAUL.id],
    ...more,
  })
  return {
    world,
    write,
    contextOf,
    event,
    create: (shifts: ShiftInput[], publish = true) =>
      createEvent(contextOf(PAUL), { event: event(), shifts: shifts.map((each, row) => ({ row, input: each })), publish }),
    kinds: async (eventId: number) =>
      (await write.selectFrom('journal').select('kind').where('event_id', '=', eventId).orderBy('id').execute()).map(
        ({ kind }) => kind,
      ),
    lastChanges: async (eventId: number, kind: string) => {
      const rows = write.selectFrom('journal').select('changes').where('event_id', '=', eventId).where('kind', '=', kind)
      return (await rows.orderBy('id', 'desc').limit(1).executeTakeFirst())?.changes as Record<string, unknown>
    },
    eventRow: (id: number) => write.selectFrom('event').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    shiftRow: (id: number) => write.selectFrom('shift').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    shiftsOf: (id: number) =>
      write.selectFrom('shift').selectAll().where('event_id', '=', id).orderBy('start_time').orderBy('id').execute(),
  }
}
