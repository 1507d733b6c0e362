import type { StarterQualification } from '#features/accounts/qualifications/rules/starters.ts'
import type { Organisation } from '#platform/features/modules.ts'

type Text = Record<'de' | 'en', string>
/** `of`: a qualification of the catalogues to begin with. */
type Place = { of?: StarterQualification; min: number; max: number }
export type StarterShift = {
  label: Text
  /** Days after the first. */
  day?: number
  meeting?: string
  start: string
  /** Not after the start: on the next day. */
  end: string
  places: readonly Place[]
  /** Responsibles decide who takes part. */
  asks?: boolean
  /** How many others each person may bring. */
  bring?: number
}
export type StarterTemplate = {
  name: Text
  description: Text
  /** Titles of fitting event types; the first is the name of a new one. */
  types: Record<'de' | 'en', readonly string[]>
  /** 1: Monday. */
  weekday: number
  shifts: readonly StarterShift[]
}

const people = (min: number, max: number): Place[] => [{ min, max }]

/** Templates to begin with. They are copied when somebody takes one, so changes here reach new ones only. */
export const STARTER_TEMPLATES = {
  drill: {
    name: { de: 'Übungsabend', en: 'Drill evening' },
    description: {
      de: 'Ein Abend für alle Aktiven.',
      en: 'One evening for all active members.',
    },
    types: { de: ['Übung', 'Übungen', 'Ausbildung', 'Übungsdienst', 'Dienstabend'], en: ['Drill', 'Training', 'Exercise'] },
    weekday: 3,
    shifts: [{ label: { de: '', en: '' }, meeting: '18:45', start: '19:00', end: '21:30', places: people(6, 30) }],
  },
  fire_watch: {
    name: { de: 'Brandsicherheitswache', en: 'Fire watch' },
    description: {
      de: 'Eine Führungskraft und zwei Einsatzkräfte bei einer Veranstaltung.',
      en: 'One leader and two firefighters at an event.',
    },
    types: { de: ['Brandsicherheitswache', 'Dienst', 'Einsatz', 'Wache'], en: ['Fire watch', 'Duty'] },
    weekday: 6,
    shifts: [
      {
        label: { de: 'Wache', en: 'Watch' },
        meeting: '17:30',
        start: '18:00',
        end: '23:30',
        asks: true,
        places: [
          { of: 'crew_leader', min: 1, max: 1 },
          { of: 'firefighter', min: 2, max: 3 },
        ],
      },
    ],
  },
  open_day: {
    name: { de: 'Tag der offenen Tür', en: 'Open day' },
    description: { de: 'Aufbau, Grill, Kinderprogramm und Abbau.', en: 'Setting up, food, children’s corner and clearing away.' },
    types: { de: ['Fest', 'Feier', 'Öffentlichkeitsarbeit', 'Veranstaltung'], en: ['Open day', 'Public event', 'Event'] },
    weekday: 6,
    shifts: [
      { label: { de: 'Aufbau', en: 'Set up' }, start: '08:00', end: '10:00', places: people(4, 10) },
      { label: { de: 'Grill und Getränke', en: 'Food and drinks' }, start: '10:00', end: '14:00', places: people(3, 5) },
      { label: { de: 'Grill und Getränke', en: 'Food and drinks' }, start: '14:00', end: '18:00', places: people(3, 5) },
      { label: { de: 'Kinderprogramm', en: 'Children’s corner' }, start: '11:00', end: '17:00', places: people(2, 4) },
      { label: { de: 'Abbau', en: 'Clear away' }, start: '18:00', end: '20:00', places: people(4, 10) },
    ],
  },
  match: {
    name: { de: 'Sanitätsdienst beim Spiel', en: 'First aid at a match' },
    description: {
      de: 'Ein Team für ein Fußballspiel am Nachmittag.',
      en: 'One team for a football match in the afternoon.',
    },
    types: {
      de: ['Sanitätswachdienst', 'Sanitätsdienst', 'Sanitätswache', 'Wachdienst', 'Dienst'],
      en: ['First aid duty', 'Medical duty', 'Duty'],
    },
    weekday: 7,
    shifts: [
      {
        label: { de: 'Team am Spielfeld', en: 'Pitch team' },
        meeting: '13:30',
        start: '14:00',
        end: '17:30',
        asks: true,
        places: [
          { of: 'emt', min: 1, max: 1 },
          { of: 'first_responder', min: 2, max: 3 },
        ],
      },
    ],
  },
  concert: {
    name: { de: 'Sanitätsdienst beim Konzert', en: 'First aid at a concert' },
    description: {
      de: 'Aufbau, zwei Teams und eine Einsatzleitung bis in die Nacht.',
      en: 'Setting up, two teams and a lead until late at night.',
    },
    types: {
      de: ['Sanitätswachdienst', 'Sanitätsdienst', 'Sanitätswache', 'Wachdienst', 'Dienst'],
      en: ['First aid duty', 'Medical duty', 'Duty'],
    },
    weekday: 6,
    shifts: [
      { label: { de: 'Aufbau', en: 'Set up' }, start: '15:00', end: '17:00', places: people(2, 4) },
      {
        label: { de: 'Einsatzleitung', en: 'Lead' },
        meeting: '16:30',
        start: '17:00',
        end: '00:30',
        asks: true,
        places: [{ of: 'medical_lead', min: 1, max: 1 }],
      },
      {
        label: { de: 'Team Bühne', en: 'Stage team' },
        meeting: '16:30',
        start: '17:00',
        end: '00:30',
        asks: true,
        places: [
          { of: 'emt', min: 1, max: 1 },
          { of: 'first_responder', min: 2, max: 2 },
        ],
      },
      {
        label: { de: 'Team Eingang', en: 'Entrance team' },
        meeting: '16:30',
        start: '17:00',
        end: '00:30',
        asks: true,
        places: [
          { of: 'emt', min: 1, max: 1 },
          { of: 'first_responder', min: 2, max: 2 },
        ],
      },
    ],
  },
  training: {
    name: { de: 'Fortbildung', en: 'Training evening' },
    description: { de: 'Ein Abend für alle.', en: 'One evening for everybody.' },
    types: { de: ['Fortbildung', 'Ausbildung', 'Dienstabend', 'Übung'], en: ['Training', 'Course'] },
    weekday: 2,
    shifts: [{ label: { de: '', en: '' }, start: '19:00', end: '21:30', places: people(0, 25) }],
  },
  weekend: {
    name: { de: 'Wochenende', en: 'Weekend away' },
    description: {
      de: 'Freitag bis Sonntag: Betreuung, Küche und Nachtwache.',
      en: 'Friday to Sunday: leaders, kitchen and night watch.',
    },
    types: { de: ['Wochenende', 'Freizeit', 'Fahrt', 'Lager'], en: ['Weekend', 'Camp', 'Trip'] },
    weekday: 5,
    shifts: [
      {
        label: { de: 'Betreuung', en: 'Leaders' },
        meeting: '15:30',
        start: '16:00',
        end: '22:00',
        asks: true,
        places: [
          { of: 'youth_leader', min: 1, max: 2 },
          { min: 2, max: 4 },
        ],
      },
      { label: { de: 'Nachtwache', en: 'Night watch' }, start: '22:00', end: '07:00', places: people(1, 2) },
      {
        label: { de: 'Betreuung', en: 'Leaders' },
        day: 1,
        start: '07:00',
        end: '22:00',
        asks: true,
        places: [
          { of: 'youth_leader', min: 1, max: 2 },
          { min: 3, max: 5 },
        ],
      },
      { label: { de: 'Küche', en: 'Kitchen' }, day: 1, start: '07:00', end: '19:30', places: people(2, 3) },
      { label: { de: 'Nachtwache', en: 'Night watch' }, day: 1, start: '22:00', end: '07:00', places: people(1, 2) },
      {
        label: { de: 'Betreuung und Abreise', en: 'Leaders and way home' },
        day: 2,
        start: '07:00',
        end: '14:00',
        asks: true,
        places: [
          { of: 'youth_leader', min: 1, max: 2 },
          { min: 2, max: 4 },
        ],
      },
    ],
  },
  meeting: {
    name: { de: 'Gruppenstunde', en: 'Group meeting' },
    description: { de: 'Zwei Stunden am Nachmittag.', en: 'Two hours in the afternoon.' },
    types: { de: ['Gruppenstunde', 'Treffen', 'Training'], en: ['Group meeting', 'Meeting', 'Training'] },
    weekday: 5,
    shifts: [{ label: { de: '', en: '' }, meeting: '16:15', start: '16:30', end: '18:30', places: people(2, 4) }],
  },
  working_day: {
    name: { de: 'Arbeitseinsatz', en: 'Working day' },
    description: {
      de: 'Vormittag, Essen und Nachmittag; wer kommt, kann noch jemanden mitbringen.',
      en: 'Morning, lunch and afternoon; people can bring somebody along.',
    },
    types: { de: ['Arbeitseinsatz', 'Arbeitsdienst', 'Einsatz'], en: ['Working day', 'Work party'] },
    weekday: 6,
    shifts: [
      { label: { de: 'Vormittag', en: 'Morning' }, start: '09:00', end: '12:30', places: people(5, 20), bring: 2 },
      { label: { de: 'Essen machen', en: 'Make lunch' }, start: '10:30', end: '13:30', places: people(1, 2) },
      { label: { de: 'Nachmittag', en: 'Afternoon' }, start: '13:30', end: '16:30', places: people(5, 20), bring: 2 },
    ],
  },
  build_up: {
    name: { de: 'Aufbautag', en: 'Build-up day' },
    description: { de: 'Zwei Schichten, Technik und Küche.', en: 'Two shifts, stage and kitchen.' },
    types: { de: ['Aufbau', 'Auf- und Abbau', 'Festival'], en: ['Build-up', 'Festival'] },
    weekday: 4,
    shifts: [
      { label: { de: 'Aufbau', en: 'Build up' }, meeting: '08:45', start: '09:00', end: '14:00', places: people(8, 20) },
      { label: { de: 'Aufbau', en: 'Build up' }, meeting: '13:45', start: '14:00', end: '19:00', places: people(8, 20) },
      {
        label: { de: 'Bühne und Technik', en: 'Stage and sound' },
        start: '10:00',
        end: '19:00',
        places: [
          { of: 'stage', min: 1, max: 2 },
          { min: 2, max: 4 },
        ],
      },
      { label: { de: 'Küche', en: 'Kitchen' }, start: '10:00', end: '15:00', places: people(2, 4) },
      { label: { de: 'Stapler', en: 'Forklift' }, start: '09:00', end: '19:00', places: [{ of: 'forklift', min: 1, max: 2 }] },
    ],
  },
  festival_day: {
    name: { de: 'Festivaltag', en: 'Festival day' },
    description: { de: 'Einlass, Bar und Awareness bis in die Nacht.', en: 'Gate, bar and awareness until late at night.' },
    types: { de: ['Festival', 'Festivaltag', 'Veranstaltung'], en: ['Festival', 'Event'] },
    weekday: 6,
    shifts: [
      { label: { de: 'Einlass', en: 'Gate' }, meeting: '11:45', start: '12:00', end: '17:00', places: people(4, 8) },
      { label: { de: 'Einlass', en: 'Gate' }, meeting: '16:45', start: '17:00', end: '22:00', places: people(4, 8) },
      { label: { de: 'Bar', en: 'Bar' }, meeting: '13:45', start: '14:00', end: '20:00', places: people(4, 6) },
      { label: { de: 'Bar', en: 'Bar' }, meeting: '19:45', start: '20:00', end: '02:00', places: people(4, 6) },
      {
        label: { de: 'Awareness', en: 'Awareness' },
        start: '18:00',
        end: '02:00',
        asks: true,
        places: [{ of: 'awareness', min: 2, max: 4 }],
      },
      { label: { de: 'Müll und Wege', en: 'Rubbish and paths' }, start: '14:00', end: '18:00', places: people(2, 6) },
    ],
  },
  tear_down: {
    name: { de: 'Abbautag', en: 'Tear-down day' },
    description: { de: 'Zwei Schichten und die Müllrunde.', en: 'Two shifts and a last walk for rubbish.' },
    types: { de: ['Abbau', 'Auf- und Abbau', 'Festival'], en: ['Tear-down', 'Festival'] },
    weekday: 1,
    shifts: [
      { label: { de: 'Abbau', en: 'Tear down' }, meeting: '09:45', start: '10:00', end: '14:00', places: people(8, 20) },
      { label: { de: 'Abbau', en: 'Tear down' }, meeting: '13:45', start: '14:00', end: '18:00', places: people(8, 20) },
      { label: { de: 'Müllrunde', en: 'Rubbish walk' }, start: '16:00', end: '18:00', places: people(4, 12) },
    ],
  },
  info_stand: {
    name: { de: 'Infostand', en: 'Information stand' },
    description: { de: 'Zwei Schichten an einem Samstag.', en: 'Two shifts on a Saturday.' },
    types: { de: ['Infostand', 'Aktion', 'Veranstaltung'], en: ['Information stand', 'Campaign', 'Event'] },
    weekday: 6,
    shifts: [
      { label: { de: 'Früh', en: 'Early' }, meeting: '09:30', start: '10:00', end: '13:00', places: people(2, 4) },
      { label: { de: 'Spät', en: 'Late' }, start: '13:00', end: '16:00', places: people(2, 4) },
    ],
  },
} satisfies Record<string, StarterTemplate>
export type Starter = keyof typeof STARTER_TEMPLATES

export const STARTERS = Object.keys(STARTER_TEMPLATES) as Starter[]

export const STARTERS_OF: Record<Organisation, readonly Starter[]> = {
  brigade: ['drill', 'fire_watch', 'open_day'],
  medical: ['match', 'concert', 'training'],
  club: ['weekend', 'meeting', 'working_day'],
  festival: ['build_up', 'festival_day', 'tear_down'],
  other: ['info_stand', 'working_day', 'training'],
}
