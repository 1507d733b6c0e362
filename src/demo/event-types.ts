import type { Tx } from '#platform/db/transaction.ts'
import type { GroupKey, Groups } from './groups.ts'
import { castMember, type Person } from './people.ts'
import type { QualificationKey, Qualifications } from './qualifications.ts'

type TypePlan = {
  title: string
  color: string
  /** Who sees participants: 0 people who see the event, 1 confirmed participants, 2 responsibles only, 3 also visitors */
  shows: 0 | 1 | 2 | 3
  text: string | null
  audience: readonly GroupKey[]
  requires: readonly QualificationKey[]
}

const PLAN = {
  training: {
    title: 'Übungsdienst',
    color: '#1d6fb8',
    shows: 0,
    audience: ['fire'],
    requires: [],
    text: 'Treffpunkt ist die **Fahrzeughalle**. Bitte vollständige Schutzkleidung mitbringen.',
  },
  firstAid: {
    title: 'Sanitätswachdienst',
    color: '#c0392b',
    shows: 1,
    audience: ['medics'],
    requires: ['EH'],
    text: 'Dienstkleidung und **Ausweis** nicht vergessen.\n\n- Verpflegung wird gestellt\n- Funkgeräte gibt es an der Einsatzleitung',
  },
  standby: {
    title: 'Bereitschaft',
    color: '#7d3c98',
    shows: 2,
    audience: ['fire', 'medics'],
    requires: [],
    text: 'Alarmierung über Melder; **Anfahrt höchstens 8 Minuten**.',
  },
  public: {
    title: 'Public event',
    color: '#1e8449',
    shows: 3,
    audience: ['members'],
    requires: [],
    text: null,
  },
  course: {
    title: 'Lehrgang',
    color: '#b9770e',
    shows: 0,
    audience: ['members'],
    requires: [],
    text: 'Attendance on **all days** is needed for the certificate.',
  },
} as const satisfies Record<string, TypePlan>

export type EventTypeKey = keyof typeof PLAN
export type EventTypes = Record<EventTypeKey, number>

export const requiredForType = (key: EventTypeKey): readonly QualificationKey[] => PLAN[key].requires

type Surroundings = { people: Person[]; groups: Groups; qualifications: Qualifications }

export async function loadEventTypes(tx: Tx, { people, groups, qualifications }: Surroundings): Promise<EventTypes> {
  const keys = Object.keys(PLAN) as EventTypeKey[]
  const rows = await tx
    .insertInto('event_type')
    .values(
      keys.map((key) => ({
        title: PLAN[key].title,
        color: PLAN[key].color,
        show_participant_data: PLAN[key].shows,
        default_description: PLAN[key].text,
        visible_for_all_groups: false,
      })),
    )
    .returning('id')
    .execute()
  const types = Object.fromEntries(keys.map((key, index) => [key, rows[index]!.id])) as EventTypes
  await tx
    .insertInto('event_type_default_group')
    .values(
      keys.flatMap((key) => [
        ...PLAN[key].audience.map((group) => ({ event_type_id: types[key], group_id: groups[group], role: 'audience' })),
        { event_type_id: types[key], group_id: key === 'course' ? groups.trainers : groups.planning, role: 'responsible' },
      ]),
    )
    .execute()
  await tx
    .insertInto('event_type_default_user')
    .values([types.firstAid, types.standby].map((id) => ({ event_type_id: id, user_id: castMember(people, 'paul').id })))
    .execute()
  await tx
    .insertInto('event_type_required_qualification')
    .values(
      keys.flatMap((key) =>
        PLAN[key].requires.map((needed) => ({ event_type_id: types[key], qualification_id: qualifications.idOf[needed] })),
      ),
    )
    .execute()
  return types
}
