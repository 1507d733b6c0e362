import { type EventPlan, homeMatch, instant, request, standby, training } from './plan.ts'

export const PAST: EventPlan[] = [
  training(-13, 'Wasserförderung über lange Wegstrecken', 'Wir bauen die Strecke vom **Mühlenteich** bis zur Wache auf.', {
    cast: { paul: 1, olga: 2 },
  }),
  {
    ...{
      week: -12,
      weekday: 6,
      type: 'firstAid',
      title: 'Stadtlauf',
      place: 'Rathausplatz',
      audience: ['medics', 'fire'],
      responsible: ['paul'],
    },
    text: 'Start und Ziel am **Rathausplatz**, drei Posten an der Strecke.\n\n- 10 km um 10:00 Uhr\n- Kinderlauf um 13:00 Uhr',
    shifts: [
      {
        ...{ label: 'Strecke', from: '08:30', hours: 4, meet: 30, flow: request, cast: { ann: 1, paul: 1 } },
        structure: {
          slug: 'named_teams',
          teams: [
            ['Posten Rathaus', 'SanH', 2, 4],
            ['Posten Hafen', 'EH', 2, 4],
            ['Fahrradstreife', null, 0, 2],
          ],
        },
      },
      {
        ...{ label: 'Kinderlauf', from: '12:30', hours: 3, flow: request, cast: { ann: 3 } },
        structure: { slug: 'uniform', min: 2, max: 4, needs: ['SanH'] },
      },
    ],
  },
  {
    ...{
      week: -11,
      weekday: 6,
      type: 'course',
      title: 'Lehrgang Sprechfunk',
      place: 'Schulungsraum 1',
      audience: ['members'],
      trainersPlan: true,
    },
    text: 'Zwei Tage Theorie und Praxis mit Prüfung. Unterlagen werden **ausgegeben**.',
    shifts: [
      {
        ...{
          label: 'Tag 1',
          from: '09:00',
          hours: 8,
          flow: { slug: 'request_confirm', closes: 120, fixedTimes: true },
          cast: { ann: 2 },
        },
        structure: { slug: 'uniform', age: 16, min: 6, max: 12 },
      },
      {
        label: 'Tag 2',
        day: 1,
        from: '09:00',
        hours: 6,
        flow: { slug: 'coupled', leader: 0 },
        structure: { slug: 'uniform', min: 6, max: 12 },
      },
    ],
  },
  training(-10, 'Atemschutz-Notfalltraining', 'Nur für Träger:innen mit **gültiger Untersuchung**.', {
    structure: { slug: 'uniform', age: 18, min: 6, max: 10, needs: ['AGT'] },
    cast: { paul: 1 },
  }),
  {
    ...{ week: -9, weekday: 5, type: 'firstAid', title: 'Stadtfest Ahrensmünde', place: 'Marktplatz und Hafen', shared: true },
    text: 'The biggest weekend of the year: **four shifts**, two nights. Partner units help on Saturday.\n\n> Bitte Ohrenschutz mitbringen.',
    ...{ audience: ['medics', 'fire'], responsible: ['paul', 'olga'] },
    shifts: [
      {
        ...{ label: 'Freitagnacht', from: '18:00', hours: 8, meet: 30, flow: request, cast: { ann: 1 } },
        structure: {
          slug: 'complex',
          age: 18,
          choose: true,
          blocks: [
            ['post', 'Bühne'],
            ['post', 'Hafen', true],
            ['ambulance', 'Rettungsmittel'],
          ],
        },
      },
      {
        ...{ label: 'Samstag Tag', day: 1, from: '10:00', hours: 8, flow: request, cast: { olga: 3 }, visitors: [1, 1] },
        structure: {
          slug: 'complex',
          blocks: [
            ['medicalArea', 'Behandlungsplatz'],
            ['command', 'Führung'],
          ],
        },
      },
      {
        ...{ label: 'Samstagnacht', day: 1, from: '18:00', hours: 9, flow: request, cast: { ann: 1, paul: 1 } },
        structure: {
          slug: 'qualification_mix',
          age: 18,
          mix: [
            ['NotSan', 1, 2],
            ['RS', 1, 3],
            ['SanH', 2, 6],
            ['EH', 0, null],
          ],
        },
        placeholders: ['Notärztin Klinikum'],
      },
      {
        ...{ label: 'Abbau', day: 2, from: '10:00', hours: 3, flow: instant, cast: { olga: 1 } },
        structure: { slug: 'uniform', min: 4, max: null },
        placeholders: ['Helfer Bauhof 1', 'Helfer Bauhof 2'],
      },
    ],
  },
  homeMatch(-8, 'TuS Holm', { cast: { ann: 1 } }),
  training(-7, 'Technische Hilfe nach Verkehrsunfall', 'Mit **Schere und Spreizer** am Übungsfahrzeug.'),
  {
    ...{
      week: -6,
      weekday: 6,
      type: 'course',
      title: 'First aid refresher (in English)',
      place: 'Training room 2',
      trainersPlan: true,
    },
    text: 'A half day for everybody whose certificate runs out soon. *Coffee is on us.*',
    audience: ['members'],
    shifts: [
      { label: '', from: '10:00', hours: 4, flow: instant, structure: { slug: 'uniform', min: 6, max: 14 }, cast: { ann: 2 } },
    ],
  },
  {
    ...{
      week: -5,
      weekday: 4,
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
    ...{
      week: -5,
      weekday: 6,
      type: 'firstAid',
      title: 'Nachtwache Lichterfest',
      place: 'Stadtpark',
      audience: ['medics'],
      responsible: ['paul'],
    },
    text: 'Feuerwerk um **22:30 Uhr**, danach Streife bis Schluss.',
    shifts: [
      {
        ...{ label: 'Abend und Nacht', from: '20:00', hours: 8, meet: 45, flow: request, cast: { ann: 0, paul: 1 } },
        structure: {
          slug: 'qualification_mix',
          age: 18,
          mix: [
            ['RS', 1, 2],
            ['SanH', 2, 4],
            ['EH', 1, 4],
          ],
        },
      },
    ],
  },
  training(-4, 'Löschangriff aus der Bewegung', 'Drei Durchgänge, jede:r übernimmt jede Funktion.', {
    flow: request,
    structure: {
      slug: 'complex',
      blocks: [
        ['engine', 'LF 20'],
        ['engine', 'LF 10', true],
      ],
    },
    cast: { paul: 1, olga: 0 },
  }),
  {
    ...{
      week: -3,
      weekday: 5,
      type: 'public',
      title: 'Zeltlager der Jugendfeuerwehr',
      place: 'Zeltplatz Waldsee',
      audience: ['youth', 'trainers'],
    },
    text: 'Von Freitag bis Sonntag am **Waldsee**.\n\n- Schlafsack\n- Badesachen\n- Taschenlampe',
    shifts: [
      {
        ...{ label: 'Ganzes Wochenende', from: '16:00', hours: 46, meet: 60, flow: request },
        structure: {
          slug: 'named_teams',
          age: 16,
          teams: [
            ['Jugendliche', null, 4, 12],
            ['Betreuung', 'EH', 2, 4],
          ],
        },
      },
    ],
  },
  homeMatch(-2, 'FC Westerende', { cast: { ann: 2 } }),
  standby(-2, [{ paul: 1 }]),
  training(-1, 'Fahrzeugkunde', 'Geräte finden mit **verbundenen Augen**.', { cast: { paul: 2, olga: 1 } }),
  {
    ...{
      week: -1,
      weekday: 6,
      type: 'public',
      title: 'Open day at the fire station',
      place: 'Feuerwache Ahrensmünde',
      guestLink: true,
    },
    text: 'Rides in the engine, demonstrations and cake. Families and friends may help: use the **guest link**.',
    ...{ audience: ['members'], responsible: ['olga', 'paul'] },
    shifts: [
      {
        ...{
          label: 'Aufbau',
          from: '08:00',
          hours: 2,
          flow: instant,
          cast: { paul: 1 },
          structure: { slug: 'uniform', min: 4, max: 12 },
        },
      },
      {
        ...{ label: 'Stände', from: '10:00', hours: 7, flow: instant, cast: { ann: 1 }, guests: [1, 1] },
        structure: {
          slug: 'named_teams',
          teams: [
            ['Vorführung', 'TM', 4, 9],
            ['Erste Hilfe', 'EH', 2, 4],
            ['Kuchen und Kaffee', null, 3, 8],
          ],
        },
      },
    ],
  },
]
