import type { Tx } from '#platform/db/transaction.ts'
import type { SourceLanguage } from '#platform/i18n/languages.ts'
import type { SampleText } from '#platform/sample-data/language.ts'
import type { GroupKey, Groups } from './groups.ts'
import { castMember, type Person } from './people.ts'
import type { QualificationKey, Qualifications } from './qualifications.ts'

type TypePlan = {
  title: SampleText
  color: string
  /** Who sees participants: 0 people who see the event, 1 confirmed participants, 2 responsibles only, 3 also visitors */
  shows: 0 | 1 | 2 | 3
  text: SampleText | null
  audience: readonly GroupKey[]
  requires: readonly QualificationKey[]
}

const PLAN = {
  training: {
    title: { en: 'Training', de: 'Übungsdienst' },
    color: '#1d6fb8',
    shows: 0,
    audience: ['fire'],
    requires: [],
    text: {
      en: 'We meet in the **vehicle bay**. Please bring all of your protective clothing.',
      de: 'Treffpunkt ist die **Fahrzeughalle**. Bitte vollständige Schutzkleidung mitbringen.',
    },
  },
  firstAid: {
    title: { en: 'First aid duty', de: 'Sanitätswachdienst' },
    color: '#c0392b',
    shows: 1,
    audience: ['medics'],
    requires: ['EH'],
    text: {
      en: 'Uniform and **identity card**, please.\n\n- Food and drinks are provided\n- Collect your radio from the command post',
      de: 'Dienstkleidung und **Ausweis** nicht vergessen.\n\n- Verpflegung wird gestellt\n- Funkgeräte gibt es an der Einsatzleitung',
    },
  },
  standby: {
    title: { en: 'Standby', de: 'Bereitschaft' },
    color: '#7d3c98',
    shows: 2,
    audience: ['fire', 'medics'],
    requires: [],
    text: {
      en: 'You are alerted by pager; be at the station **within 8 minutes**.',
      de: 'Alarmierung über Melder; **Anfahrt höchstens 8 Minuten**.',
    },
  },
  public: {
    title: { en: 'Public event', de: 'Öffentlichkeit' },
    color: '#1e8449',
    shows: 3,
    audience: ['members'],
    requires: [],
    text: null,
  },
  course: {
    title: { en: 'Course', de: 'Lehrgang' },
    color: '#b9770e',
    shows: 0,
    audience: ['members'],
    requires: [],
    text: {
      en: 'Attendance on **all days** is needed for the certificate.',
      de: 'Für das Zeugnis musst du an **allen Tagen** dabei sein.',
    },
  },
} as const satisfies Record<string, TypePlan>

export type EventTypeKey = keyof typeof PLAN
export type EventTypes = Record<EventTypeKey, number>

export const requiredForType = (key: EventTypeKey): readonly QualificationKey[] => PLAN[key].requires

type Surroundings = { language: SourceLanguage; people: Person[]; groups: Groups; qualifications: Qualifications }

export async function loadEventTypes(tx: Tx, { language, people, groups, qualifications }: Surroundings): Promise<EventTypes> {
  const keys = Object.keys(PLAN) as EventTypeKey[]
  const rows = await tx
    .insertInto('event_type')
    .values(
      keys.map((key) => ({
        title: PLAN[key].title[language],
        color: PLAN[key].color,
        show_participant_data: PLAN[key].shows,
        default_description: PLAN[key].text?.[language] ?? null,
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
