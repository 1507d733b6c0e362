import { type EventPlan, instant, request, standby, training } from './plan.ts'

export const SOON: EventPlan[] = [
  standby(0),
  {
    ...{
      week: 0,
      weekday: 7,
      type: 'firstAid',
      title: 'Reitturnier',
      place: 'Reitanlage Gut Holm',
      audience: ['medics'],
      responsible: ['paul'],
    },
    text: 'Springprüfungen den ganzen Tag. **Zwei Posten** am Parcours, einer am Abreiteplatz.',
    shifts: [
      {
        ...{ label: '', from: '09:00', hours: 8, meet: 30, flow: request },
        structure: {
          slug: 'qualification_mix',
          mix: [
            ['RS', 1, 1],
            ['SanH', 2, 4],
          ],
        },
      },
    ],
  },
  training(1, 'Knoten und Stiche', 'Grundlagen für alle, auch als **Auffrischung**.', { cast: { paul: 1, olga: 2 } }),
  {
    ...{
      week: 1,
      weekday: 6,
      type: 'firstAid',
      title: 'Open Air „Klang am Hafen“',
      place: 'Hafengelände',
      shared: true,
      guestLink: true,
    },
    text: 'Around **6,000 visitors**. Three shifts until the last train has gone.\n\n- Parken: Tor 3\n- Verpflegung: Zelt hinter der Bühne',
    ...{ audience: ['medics', 'fire'], responsible: ['paul'] },
    shifts: [
      {
        label: 'Aufbau',
        from: '10:00',
        hours: 4,
        flow: instant,
        structure: { slug: 'uniform', min: 4, max: 10 },
        cast: { ann: 1 },
      },
      {
        ...{
          label: 'Konzert',
          from: '16:00',
          hours: 7,
          meet: 30,
          flow: request,
          cast: { ann: 1, paul: 0, olga: 2 },
          visitors: [1, 0],
          guests: [0],
        },
        structure: {
          slug: 'complex',
          age: 18,
          choose: true,
          blocks: [
            ['medicalArea', 'Bühne'],
            ['ambulance', 'RTW 1'],
            ['command', 'Führung'],
          ],
        },
      },
      {
        ...{
          label: 'Nacht und Abbau',
          from: '23:00',
          hours: 4,
          flow: request,
          cast: { ann: 0 },
          placeholders: ['Sanitätszug Nord, zwei Personen'],
        },
        structure: {
          slug: 'qualification_mix',
          age: 18,
          mix: [
            ['NotSan', 1, 1],
            ['SanH', 2, 5],
            [null, 0, 4],
          ],
        },
      },
    ],
  },
  {
    ...{
      week: 2,
      weekday: 3,
      type: 'public',
      title: 'Blutspende',
      place: 'Gemeindehaus St. Marien',
      audience: ['members'],
      responsible: ['olga'],
    },
    text: 'Anmeldung, Betreuung und **Imbiss**. No qualification needed at the buffet.',
    shifts: [
      {
        ...{ label: 'Nachmittag', from: '15:00', hours: 5, flow: instant, cast: { ann: 1, olga: 1 } },
        structure: {
          slug: 'named_teams',
          choose: true,
          teams: [
            ['Anmeldung', null, 1, 3],
            ['Betreuung', 'EH', 2, 4],
            ['Imbiss', null, 2, 4],
          ],
        },
      },
    ],
  },
  {
    ...{ week: 2, weekday: 6, type: 'course', title: 'Lehrgang Sanitätshelfer:in', place: 'Schulungsraum 1', trainersPlan: true },
    text: 'Zwei Wochenenden. Wer den ersten Tag bucht, ist für **alle Tage** angemeldet.',
    audience: ['members'],
    shifts: [
      {
        ...{
          label: 'Tag 1',
          from: '09:00',
          hours: 8,
          flow: { slug: 'request_confirm', closes: 168, fixedTimes: true },
          cast: { ann: 3 },
        },
        structure: { slug: 'uniform', age: 16, min: 8, max: 16, needs: ['EH'] },
      },
      {
        label: 'Tag 2',
        day: 1,
        from: '09:00',
        hours: 8,
        flow: { slug: 'coupled', leader: 0 },
        structure: { slug: 'uniform', min: 8, max: 16 },
      },
      {
        label: 'Tag 3',
        day: 7,
        from: '09:00',
        hours: 8,
        flow: { slug: 'coupled', leader: 0 },
        structure: { slug: 'uniform', min: 8, max: 16 },
      },
      {
        label: 'Prüfung',
        day: 8,
        from: '10:00',
        hours: 4,
        flow: { slug: 'coupled', leader: 0 },
        structure: { slug: 'uniform', min: 8, max: 16 },
      },
    ],
  },
  training(3, 'Waldbrand', 'Auf dem Truppenübungsplatz; **Abfahrt pünktlich**.', { cast: { paul: 1 } }),
  {
    ...{ week: 3, weekday: 7, type: 'firstAid', title: 'Halbmarathon', place: 'Deichpromenade', guestLink: true, shared: true },
    text: '1,200 runners along the dyke. First aiders **on bicycles** are very welcome.',
    ...{ audience: ['medics', 'members'], responsible: ['paul'] },
    shifts: [
      {
        ...{
          label: 'Strecke',
          from: '08:00',
          hours: 6,
          meet: 45,
          flow: request,
          cast: { ann: 0, paul: 1 },
          guests: [1, 0],
          visitors: [0],
        },
        structure: {
          slug: 'qualification_mix',
          mix: [
            ['RS', 2, 4],
            ['SanH', 4, 8],
            ['EH', 2, null],
          ],
        },
      },
      {
        ...{
          label: 'Ziel',
          from: '09:30',
          hours: 5,
          flow: instant,
          structure: { slug: 'uniform', age: 18, min: 2, max: 5, needs: ['SanH'] },
        },
      },
    ],
  },
  standby(4, [{ paul: 1 }]),
  {
    ...{
      week: 4,
      weekday: 6,
      type: 'training',
      title: 'Major incident exercise “Nordlicht”',
      place: 'Industriehafen, Halle 7',
      shared: true,
    },
    text: 'Fire on board with **25 casualties**. Joint exercise with our partners.\n\n1. 08:00 briefing\n2. 09:00 alarm\n3. 14:00 debriefing and soup',
    ...{ audience: ['fire', 'medics'], responsible: ['olga', 'paul'] },
    shifts: [
      {
        ...{ label: 'Einsatzkräfte', from: '08:00', hours: 7, flow: request, cast: { ann: 1, olga: 0 }, visitors: [3] },
        structure: {
          slug: 'complex',
          blocks: [
            ['command', ''],
            ['engine', 'LF 20'],
            ['engine', 'LF 10', true],
            ['medicalArea', 'Patientenablage'],
          ],
        },
      },
      {
        ...{ label: 'Verletztendarstellung', from: '07:00', hours: 7, flow: instant },
        structure: { slug: 'uniform', age: 16, min: 10, max: 25 },
        placeholders: ['Theater-AG 1', 'Theater-AG 2', 'Theater-AG 3'],
      },
    ],
  },
]
