import type { BlockKey } from './blocks.ts'
import type { EventTypeKey } from './event-types.ts'
import type { GroupKey } from './groups.ts'
import type { CastName } from './people.ts'
import type { QualificationKey } from './qualifications.ts'

type Bounds = [needs: QualificationKey | null, min: number, max: number | null]

export type StructurePlan =
  | { slug: 'uniform'; age?: number; min: number | null; max: number | null; needs?: QualificationKey[] }
  | { slug: 'named_teams'; age?: number; choose?: true; teams: [title: string, ...Bounds][] }
  | { slug: 'qualification_mix'; age?: number; mix: Bounds[] }
  | { slug: 'complex'; age?: number; choose?: true; blocks: [block: BlockKey, label: string, optional?: true][] }

export type FlowPlan =
  | {
      slug: 'request_confirm' | 'instant_confirmation'
      /** Hours before the start. */
      closes?: number
      mayLeave?: true
      fixedTimes?: true
      /** How many others each person may bring. */
      mayBring?: number
    }
  | { slug: 'manual'; why: string }
  /** `leader`: index of the earlier shift of the event that this one is coupled to. */
  | { slug: 'coupled'; leader: number }

/** 0 requested, 1 confirmed, 2 declined, 3 rejected */
export type PlannedState = 0 | 1 | 2 | 3

export type ShiftPlan = {
  label: string
  /** Days after the day of the event. */
  day?: number
  from: string
  hours: number
  /** Minutes before the start. */
  meet?: number
  flow: FlowPlan
  structure: StructurePlan
  cast?: Partial<Record<CastName, PlannedState>>
  placeholders?: string[]
  visitors?: PlannedState[]
  guests?: PlannedState[]
}

export type EventPlan = {
  week: number
  /** 1 is Monday */
  weekday: number
  type: EventTypeKey
  title: string
  place: string
  text: string | null
  audience: GroupKey[]
  /** Responsible besides the planners' group. */
  responsible?: CastName[]
  trainersPlan?: true
  status?: 'draft' | 'binned'
  cancelledBecause?: string
  shared?: true
  guestLink?: true
  shifts: ShiftPlan[]
}

export const request: FlowPlan = { slug: 'request_confirm', closes: 24 }
export const instant: FlowPlan = { slug: 'instant_confirmation', mayLeave: true }

type Extra = Partial<Pick<ShiftPlan, 'structure' | 'cast' | 'flow'>> & Partial<Pick<EventPlan, 'status' | 'audience'>>

/** Training evening, every second Tuesday. */
export function training(week: number, topic: string, text: string, { structure, cast, flow, ...more }: Extra = {}): EventPlan {
  return {
    week,
    weekday: 2,
    type: 'training',
    title: `Übungsdienst: ${topic}`,
    place: 'Feuerwache Ahrensmünde',
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

export function homeMatch(week: number, opponent: string, { cast }: Extra = {}): EventPlan {
  return {
    week,
    weekday: 7,
    type: 'firstAid',
    title: `Fußball: SV Ahrensmünde – ${opponent}`,
    place: 'Stadion am Deich',
    text: 'Anpfiff 15:00 Uhr. Zwei Posten an der Seitenlinie, einer an der **Nordkurve**.',
    audience: ['medics'],
    responsible: ['paul'],
    shifts: [
      {
        label: 'Heimspiel',
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
export function standby(week: number, casts: ShiftPlan['cast'][] = []): EventPlan {
  const nights = ['Nacht Fr/Sa', 'Nacht Sa/So']
  return {
    week,
    weekday: 5,
    type: 'standby',
    title: `Bereitschaft am Wochenende`,
    place: 'Feuerwache Ahrensmünde, Wachraum',
    text: 'Der Dienstplan steht; getauscht wird über die **Einsatzplanung**.\n\n1. Melder abholen\n2. Fahrzeuge übernehmen\n3. Abmelden nicht vergessen',
    audience: ['fire', 'medics'],
    responsible: ['paul'],
    shifts: nights.map((label, day) => ({
      label,
      day,
      from: '20:00',
      hours: 10,
      flow: { slug: 'manual', why: 'Bitte bei der Einsatzplanung melden.' },
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
