import { type EventPlan, homeMatch, instant, request, training } from './plan.ts'

export const LATER: EventPlan[] = [
  training(5, 'Gefahrgut', 'Theorie mit *viel* Praxis: Absperren, Messen, Dekontamination.', { cast: { olga: 1 } }),
  {
    ...{
      week: 5,
      weekday: 6,
      type: 'public',
      title: 'Stadtmarkt',
      place: 'Marktplatz',
      audience: ['members'],
      responsible: ['olga'],
    },
    text: 'Infostand und Hüpfburg.',
    cancelledBecause: 'Die Stadt hat den Markt wegen der Bauarbeiten abgesagt. Thank you to everybody who had signed up.',
    shifts: [
      {
        label: 'Stand',
        from: '10:00',
        hours: 6,
        flow: request,
        structure: { slug: 'uniform', min: 4, max: 8 },
        cast: { ann: 0 },
      },
    ],
  },
  {
    ...{
      week: 6,
      weekday: 6,
      type: 'public',
      title: 'Kreiswettbewerb der Jugendfeuerwehren',
      place: 'Sportplatz Holm',
      audience: ['youth', 'fire'],
    },
    text: 'Mannschaft und **Fans** fahren gemeinsam im Bus.',
    shifts: [
      {
        ...{ label: '', from: '07:30', hours: 9, flow: request },
        structure: {
          slug: 'named_teams',
          age: 16,
          teams: [
            ['Mannschaft', null, 5, 9],
            ['Betreuung', 'EH', 2, 4],
            ['Fahrdienst', 'C', 1, 2],
          ],
        },
      },
    ],
  },
  training(7, 'Maschinisten', 'Pumpen, Fahren, Störungen beheben.', {
    structure: { slug: 'uniform', min: 4, max: 8, needs: ['C', 'TM'] },
    cast: { paul: 1 },
  }),
  homeMatch(7, 'Eintracht Nordhof', { cast: { ann: 1 } }),
  {
    ...{
      week: 8,
      weekday: 6,
      type: 'course',
      title: 'Fahrsicherheitstraining',
      place: 'Verkehrsübungsplatz',
      audience: ['fire', 'medics'],
      trainersPlan: true,
    },
    text: 'Mit den **eigenen Fahrzeugen**. Bring your driving licence.',
    shifts: [
      {
        ...{ label: 'Vormittag', from: '08:00', hours: 4, flow: instant, cast: { ann: 2 } },
        structure: { slug: 'uniform', age: 18, min: 4, max: 8, needs: ['B'] },
      },
      {
        ...{ label: 'Nachmittag', from: '13:00', hours: 4, flow: instant, cast: { ann: 1 } },
        structure: { slug: 'uniform', age: 18, min: 4, max: 8, needs: ['B'] },
      },
    ],
  },
  training(9, 'Leitern und Steckleiterteile', 'Doppelt angelegt.', { status: 'binned' }),
  {
    ...{
      week: 9,
      weekday: 5,
      type: 'public',
      title: 'Laternenumzug',
      place: 'Grundschule am Park',
      audience: ['members'],
      responsible: ['paul'],
    },
    text: 'Absichern des Umzugs und **Lagerfeuer** auf dem Schulhof.',
    shifts: [
      {
        ...{ label: '', from: '17:00', hours: 3, flow: request, cast: { ann: 0 } },
        structure: {
          slug: 'named_teams',
          teams: [
            ['Straßensperren', 'TM', 4, 8],
            ['Erste Hilfe', 'EH', 2, 3],
            ['Feuerstelle', null, 1, 3],
          ],
        },
      },
    ],
  },
  {
    ...{
      week: 10,
      weekday: 5,
      type: 'firstAid',
      title: 'Hallenturnier',
      place: 'Sporthalle Nord',
      audience: ['medics'],
      responsible: ['paul'],
    },
    text: 'Drei Tage Handball, jeden Tag eine Schicht.',
    shifts: [0, 1, 2].map((day) => ({
      ...{
        label: ['Freitag', 'Samstag', 'Sonntag'][day]!,
        day,
        from: day ? '09:00' : '16:00',
        hours: day ? 9 : 6,
        flow: instant,
      },
      structure: { slug: 'uniform', min: 2, max: 4, needs: ['SanH'] } as const,
    })),
  },
  {
    ...{
      week: 11,
      weekday: 4,
      type: 'public',
      title: 'Jahreshauptversammlung',
      place: 'Gasthof Zur Linde',
      audience: ['members'],
      responsible: ['olga'],
    },
    text: 'Berichte, Wahlen, Ehrungen. **Uniform**, bitte.',
    shifts: [
      {
        label: '',
        from: '19:30',
        hours: 4,
        flow: instant,
        structure: { slug: 'uniform', min: null, max: null },
        cast: { olga: 1, ann: 1 },
      },
    ],
  },
  {
    ...{
      week: 12,
      weekday: 5,
      type: 'course',
      title: 'Leadership weekend',
      place: 'Jugendherberge am Waldsee',
      audience: ['fire', 'medics'],
    },
    text: 'For team leaders and those who want to become one. *Friday evening to Sunday noon.*',
    trainersPlan: true,
    shifts: [
      {
        ...{ label: '', from: '18:00', hours: 43, flow: { slug: 'request_confirm', closes: 336 }, cast: { paul: 0 } },
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
  training(13, 'Jahresplanung', 'Entwurf: Themen werden noch gesammelt.', { status: 'draft' }),
  {
    ...{
      week: 15,
      weekday: 6,
      type: 'firstAid',
      title: 'Hafenkonzert',
      place: 'Hafengelände',
      audience: ['medics', 'fire'],
      status: 'draft',
    },
    text: null,
    shifts: [
      {
        label: 'Nacht',
        from: '17:00',
        hours: 9,
        flow: request,
        structure: {
          slug: 'complex',
          blocks: [
            ['medicalArea', 'Bühne'],
            ['ambulance', ''],
          ],
        },
      },
    ],
  },
  {
    ...{
      week: 16,
      weekday: 6,
      type: 'standby',
      title: 'Deichwache',
      place: 'Sturmflutsperrwerk',
      audience: ['fire'],
      status: 'draft',
    },
    text: 'Nur falls der **Pegel** es verlangt.',
    shifts: [
      {
        label: 'Tag',
        from: '06:00',
        hours: 12,
        flow: request,
        structure: {
          slug: 'complex',
          blocks: [
            ['engine', 'LF 20'],
            ['command', ''],
          ],
        },
      },
      {
        label: 'Nacht',
        from: '18:00',
        hours: 12,
        flow: request,
        structure: {
          slug: 'complex',
          blocks: [
            ['engine', 'LF 20'],
            ['command', ''],
          ],
        },
      },
    ],
  },
]
