import type { SampleText } from '#platform/sample-data/language.ts'
import type { BlockKey } from './blocks.ts'
import type { EventTypeKey } from './event-types.ts'
import type { GroupKey } from './groups.ts'
import type { CastName } from './people.ts'
import type { QualificationKey } from './qualifications.ts'

type Bounds = [needs: QualificationKey | null, min: number, max: number | null]

/** Plans have their texts in every language: `Text` is `SampleText`. `inLanguage` chooses one, which the loaders read. */
export type StructurePlan<Text = string> =
  | { slug: 'uniform'; age?: number; min: number | null; max: number | null; needs?: QualificationKey[] }
  | { slug: 'named_teams'; age?: number; choose?: true; teams: [title: Text, ...Bounds][] }
  | { slug: 'qualification_mix'; age?: number; mix: Bounds[] }
  | { slug: 'complex'; age?: number; choose?: true; blocks: [block: BlockKey, label: Text | '', optional?: true][] }

export type FlowPlan<Text = string> =
  | {
      slug: 'request_confirm' | 'instant_confirmation'
      /** Hours before the start. */
      closes?: number
      mayLeave?: true
      fixedTimes?: true
      /** How many others each person may bring. */
      mayBring?: number
    }
  | { slug: 'manual'; why: Text }
  /** `leader`: index of the earlier shift of the event that this one is coupled to. */
  | { slug: 'coupled'; leader: number }

/** 0 requested, 1 confirmed, 2 declined, 3 rejected */
export type PlannedState = 0 | 1 | 2 | 3

export type ShiftPlan<Text = string> = {
  label: Text | ''
  /** Days after the day of the event. */
  day?: number
  from: string
  hours: number
  /** Minutes before the start. */
  meet?: number
  flow: FlowPlan<Text>
  structure: StructurePlan<Text>
  cast?: Partial<Record<CastName, PlannedState>>
  placeholders?: Text[]
  visitors?: PlannedState[]
  guests?: PlannedState[]
}

export type EventPlan<Text = string> = {
  week: number
  /** 1 is Monday */
  weekday: number
  type: EventTypeKey
  title: Text
  place: Text
  text: Text | null
  audience: GroupKey[]
  /** Responsible besides the planners' group. */
  responsible?: CastName[]
  trainersPlan?: true
  status?: 'draft' | 'binned'
  cancelledBecause?: Text
  shared?: true
  guestLink?: true
  shifts: ShiftPlan<Text>[]
}

export const request: FlowPlan<SampleText> = { slug: 'request_confirm', closes: 24 }
export const instant: FlowPlan<SampleText> = { slug: 'instant_confirmation', mayLeave: true }

type Plan = EventPlan<SampleText>
type Extra = Partial<Pick<ShiftPlan<SampleText>, 'structure' | 'cast' | 'flow'>> & Partial<Pick<Plan, 'status' | 'audience'>>

/** Training evening, every second Tuesday. */
export function training(
  week: number,
  topic: SampleText,
  text: SampleText,
  { structure, cast, flow, ...more }: Extra = {},
): Plan {
  return {
    week,
    weekday: 2,
    type: 'training',
    title: { en: `Training: ${topic.en}`, de: `Übungsdienst: ${topic.de}` },
    place: { en: 'Saltmouth fire station', de: 'Feuerwache Ahrensmünde' },
    audience: ['fire'],
    text,
    shifts: [
      {
        label: '',
        from: '19:00',
        hours: 3,
        meet: 15,
        flow: flow ?? instant,
        structure: structure ?? { slug: 'uniform', min: 9, max: 24, needs: ['TM'] },
        ...(cast ? { cast } : {}),
      },
    ],
    ...more,
  }
}

export function homeMatch(week: number, opponent: SampleText, { cast }: Extra = {}): Plan {
  return {
    week,
    weekday: 7,
    type: 'firstAid',
    title: { en: `Football: Saltmouth Rovers v ${opponent.en}`, de: `Fußball: SV Ahrensmünde – ${opponent.de}` },
    place: { en: 'Dyke Road stadium', de: 'Stadion am Deich' },
    text: {
      en: 'Kick-off at 15:00. Two posts on the touchline, one at the **north stand**.',
      de: 'Anpfiff 15:00 Uhr. Zwei Posten an der Seitenlinie, einer an der **Nordkurve**.',
    },
    audience: ['medics'],
    responsible: ['paul'],
    shifts: [
      {
        label: { en: 'Home match', de: 'Heimspiel' },
        from: '14:00',
        hours: 4,
        meet: 30,
        flow: { slug: 'instant_confirmation', closes: 4, mayLeave: true },
        structure: { slug: 'uniform', age: 18, min: 3, max: 6, needs: ['EH'] },
        ...(cast ? { cast } : {}),
      },
    ],
  }
}

/** A weekend on call: planners assign people, there is no sign-up. */
export function standby(week: number, casts: ShiftPlan['cast'][] = []): Plan {
  const nights = [
    { en: 'Night Fri/Sat', de: 'Nacht Fr/Sa' },
    { en: 'Night Sat/Sun', de: 'Nacht Sa/So' },
  ]
  return {
    week,
    weekday: 5,
    type: 'standby',
    title: { en: 'Weekend standby', de: 'Bereitschaft am Wochenende' },
    place: { en: 'Saltmouth fire station, watch room', de: 'Feuerwache Ahrensmünde, Wachraum' },
    text: {
      en: 'People are assigned; to swap, ask the **planners**.\n\n1. Collect your pager\n2. Take over the vehicles\n3. Report off duty at the end',
      de: 'Die Einteilung steht; getauscht wird über die **Einsatzplanung**.\n\n1. Melder abholen\n2. Fahrzeuge übernehmen\n3. Am Ende abmelden',
    },
    audience: ['fire', 'medics'],
    responsible: ['paul'],
    shifts: nights.map((label, day) => ({
      label,
      day,
      from: '20:00',
      hours: 10,
      flow: { slug: 'manual', why: { en: 'Please talk to the planners.', de: 'Bitte bei der Einsatzplanung melden.' } },
      structure: {
        slug: 'qualification_mix',
        age: 18,
        mix: [
          ['GF', 1, 1],
          ['AGT', 2, 4],
          ['C', 1, 2],
          ['RS', 1, 2],
        ],
      },
      ...(casts[day] ? { cast: casts[day] } : {}),
    })),
  }
}
