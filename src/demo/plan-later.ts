import type { SampleText } from '#platform/sample-data/language.ts'
import { type EventPlan, homeMatch, instant, request, training } from './plan.ts'

export const LATER: EventPlan<SampleText>[] = [
  training(
    5,
    { en: 'Hazardous materials', de: 'Gefahrgut' },
    {
      en: 'Theory with *plenty* of practice: cordons, measuring, decontamination.',
      de: 'Theorie mit *viel* Praxis: Absperren, Messen, Dekontamination.',
    },
    { cast: { olga: 1 } },
  ),
  {
    week: 5,
    weekday: 6,
    type: 'public',
    title: { en: 'Town market', de: 'Stadtmarkt' },
    place: { en: 'Market square', de: 'Marktplatz' },
    audience: ['members'],
    responsible: ['olga'],
    text: { en: 'Information stand and bouncy castle.', de: 'Infostand und Hüpfburg.' },
    cancelledBecause: {
      en: 'The town has cancelled the market because of the roadworks. Thank you to everybody who had signed up.',
      de: 'Die Stadt hat den Markt wegen der Bauarbeiten abgesagt. Danke an alle, die sich angemeldet hatten.',
    },
    shifts: [
      {
        label: { en: 'Stand', de: 'Stand' },
        from: '10:00',
        hours: 6,
        flow: request,
        structure: { slug: 'uniform', min: 4, max: 8 },
        cast: { ann: 0 },
      },
    ],
  },
  {
    week: 6,
    weekday: 6,
    type: 'public',
    title: { en: 'County contest of youth brigades', de: 'Kreiswettbewerb der Jugendfeuerwehren' },
    place: { en: 'Holm sports ground', de: 'Sportplatz Holm' },
    audience: ['youth', 'fire'],
    text: { en: 'The team and their **fans** travel together by coach.', de: 'Mannschaft und **Fans** fahren gemeinsam im Bus.' },
    shifts: [
      {
        label: '',
        from: '07:30',
        hours: 9,
        flow: request,
        structure: {
          slug: 'named_teams',
          age: 16,
          teams: [
            [{ en: 'Team', de: 'Mannschaft' }, null, 5, 9],
            [{ en: 'Aftercare', de: 'Betreuung' }, 'EH', 2, 4],
            [{ en: 'Drivers', de: 'Fahrdienst' }, 'C', 1, 2],
          ],
        },
      },
    ],
  },
  training(
    7,
    { en: 'Pump operators', de: 'Maschinisten' },
    { en: 'Pumping, driving, finding faults.', de: 'Pumpen, Fahren, Störungen beheben.' },
    {
      structure: { slug: 'uniform', min: 4, max: 8, needs: ['C', 'TM'] },
      cast: { paul: 1 },
    },
  ),
  homeMatch(7, { en: 'Northfield United', de: 'Eintracht Nordhof' }, { cast: { ann: 1 } }),
  {
    week: 8,
    weekday: 6,
    type: 'course',
    title: { en: 'Driver safety training', de: 'Fahrsicherheitstraining' },
    place: { en: 'Driver training ground', de: 'Verkehrsübungsplatz' },
    audience: ['fire', 'medics'],
    trainersPlan: true,
    text: {
      en: 'With **our own vehicles**. Bring your driving licence.',
      de: 'Mit den **eigenen Fahrzeugen**. Bring deinen Führerschein mit.',
    },
    shifts: [
      {
        label: { en: 'Morning', de: 'Vormittag' },
        from: '08:00',
        hours: 4,
        flow: instant,
        cast: { ann: 2 },
        structure: { slug: 'uniform', age: 18, min: 4, max: 8, needs: ['B'] },
      },
      {
        label: { en: 'Afternoon', de: 'Nachmittag' },
        from: '13:00',
        hours: 4,
        flow: instant,
        cast: { ann: 1 },
        structure: { slug: 'uniform', age: 18, min: 4, max: 8, needs: ['B'] },
      },
    ],
  },
  training(9, { en: 'Ladders', de: 'Leitern' }, { en: 'Entered twice.', de: 'Doppelt angelegt.' }, { status: 'binned' }),
  {
    week: 9,
    weekday: 5,
    type: 'public',
    title: { en: 'Lantern parade', de: 'Laternenumzug' },
    place: { en: 'Parkside primary school', de: 'Grundschule am Park' },
    audience: ['members'],
    responsible: ['paul'],
    text: {
      en: 'Keeping the parade safe, and a **campfire** in the school yard.',
      de: 'Absichern des Umzugs und **Lagerfeuer** auf dem Schulhof.',
    },
    shifts: [
      {
        label: '',
        from: '17:00',
        hours: 3,
        flow: request,
        cast: { ann: 0 },
        structure: {
          slug: 'named_teams',
          teams: [
            [{ en: 'Road closures', de: 'Straßensperren' }, 'TM', 4, 8],
            [{ en: 'First aid', de: 'Erste Hilfe' }, 'EH', 2, 3],
            [{ en: 'Campfire', de: 'Feuerstelle' }, null, 1, 3],
          ],
        },
      },
    ],
  },
  {
    week: 10,
    weekday: 5,
    type: 'firstAid',
    title: { en: 'Indoor tournament', de: 'Hallenturnier' },
    place: { en: 'North sports hall', de: 'Sporthalle Nord' },
    audience: ['medics'],
    responsible: ['paul'],
    text: { en: 'Three days of handball, one shift each day.', de: 'Drei Tage Handball, jeden Tag eine Schicht.' },
    shifts: [0, 1, 2].map((day) => ({
      label: [
        { en: 'Friday', de: 'Freitag' },
        { en: 'Saturday', de: 'Samstag' },
        { en: 'Sunday', de: 'Sonntag' },
      ][day]!,
      day,
      from: day ? '09:00' : '16:00',
      hours: day ? 9 : 6,
      flow: instant,
      structure: { slug: 'uniform', min: 2, max: 4, needs: ['SanH'] } as const,
    })),
  },
  {
    week: 11,
    weekday: 4,
    type: 'public',
    title: { en: 'Annual general meeting', de: 'Jahreshauptversammlung' },
    place: { en: 'The Linden Tree Inn', de: 'Gasthof Zur Linde' },
    audience: ['members'],
    responsible: ['olga'],
    text: {
      en: 'Reports, elections, awards. **Uniform**, please. Families are welcome.',
      de: 'Berichte, Wahlen, Ehrungen. **Uniform**, bitte. Angehörige sind willkommen.',
    },
    shifts: [
      {
        label: '',
        from: '19:30',
        hours: 4,
        flow: { slug: 'instant_confirmation', mayLeave: true, mayBring: 3 },
        structure: { slug: 'uniform', min: null, max: null },
        cast: { olga: 1, ann: 1 },
      },
    ],
  },
  {
    week: 12,
    weekday: 5,
    type: 'course',
    title: { en: 'Leadership weekend', de: 'Führungswochenende' },
    place: { en: 'Forest Lake youth hostel', de: 'Jugendherberge am Waldsee' },
    audience: ['fire', 'medics'],
    text: {
      en: 'For team leaders and those who want to become one. *Friday evening to Sunday noon.*',
      de: 'Für alle, die führen oder führen wollen. *Freitagabend bis Sonntagmittag.*',
    },
    trainersPlan: true,
    shifts: [
      {
        label: '',
        from: '18:00',
        hours: 43,
        flow: { slug: 'request_confirm', closes: 336 },
        cast: { paul: 0 },
        structure: {
          slug: 'qualification_mix',
          age: 18,
          mix: [
            ['GF', 2, 6],
            ['TF', 2, 8],
            ['RS', 0, 6],
          ],
        },
      },
    ],
  },
  training(
    13,
    { en: 'Plan for the year', de: 'Jahresplanung' },
    { en: 'Draft: topics are still being collected.', de: 'Entwurf: Themen werden noch gesammelt.' },
    { status: 'draft' },
  ),
  {
    week: 15,
    weekday: 6,
    type: 'firstAid',
    title: { en: 'Harbour concert', de: 'Hafenkonzert' },
    place: { en: 'Harbour grounds', de: 'Hafengelände' },
    audience: ['medics', 'fire'],
    status: 'draft',
    text: null,
    shifts: [
      {
        label: { en: 'Night', de: 'Nacht' },
        from: '17:00',
        hours: 9,
        flow: request,
        structure: {
          slug: 'complex',
          blocks: [
            ['medicalArea', { en: 'Stage', de: 'Bühne' }],
            ['ambulance', ''],
          ],
        },
      },
    ],
  },
  {
    week: 16,
    weekday: 6,
    type: 'standby',
    title: { en: 'Dyke watch', de: 'Deichwache' },
    place: { en: 'Storm surge barrier', de: 'Sturmflutsperrwerk' },
    audience: ['fire'],
    status: 'draft',
    text: { en: 'Only if the **water level** requires it.', de: 'Nur falls der **Pegel** es verlangt.' },
    shifts: [
      {
        label: { en: 'Day', de: 'Tag' },
        from: '06:00',
        hours: 12,
        flow: request,
        structure: {
          slug: 'complex',
          blocks: [
            ['engine', { en: 'Engine 1', de: 'LF 20' }],
            ['command', ''],
          ],
        },
      },
      {
        label: { en: 'Night', de: 'Nacht' },
        from: '18:00',
        hours: 12,
        flow: request,
        structure: {
          slug: 'complex',
          blocks: [
            ['engine', { en: 'Engine 1', de: 'LF 20' }],
            ['command', ''],
          ],
        },
      },
    ],
  },
]
