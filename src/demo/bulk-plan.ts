import type { SampleText } from '#platform/sample-data/language.ts'
import type { StructurePlan } from './plan.ts'

const COMMON = { signup_until: null, user_can_decline_confirmed: true, user_can_customize_signup_times: true }

const structures: StructurePlan<SampleText>[] = [
  { slug: 'uniform', min: 2, max: 6 },
  { slug: 'uniform', min: 4, max: 12 },
  { slug: 'uniform', min: null, max: null },
  { slug: 'uniform', min: 3, max: 8, needs: ['EH'] },
  { slug: 'uniform', min: 2, max: 8, needs: ['EH'] },
  {
    slug: 'named_teams',
    teams: [
      [{ en: 'Post 1', de: 'Posten 1' }, 'EH', 1, 4],
      [{ en: 'Post 2', de: 'Posten 2' }, null, 1, 4],
    ],
  },
  {
    slug: 'named_teams',
    choose: true,
    teams: [
      [{ en: 'Reception', de: 'Anmeldung' }, null, 1, 2],
      [{ en: 'Care', de: 'Betreuung' }, 'EH', 2, 5],
      [{ en: 'Snack bar', de: 'Imbiss' }, null, 1, 4],
    ],
  },
  {
    slug: 'qualification_mix',
    mix: [
      ['RS', 0, 2],
      ['EH', 2, 6],
    ],
  },
]

/** What many events are made of. */
export const BULK_PLAN = {
  what: [
    { en: 'Drill', de: 'Übungsdienst' },
    { en: 'First aid duty', de: 'Sanitätswachdienst' },
    { en: 'Standby', de: 'Bereitschaft' },
    { en: 'Blood donation', de: 'Blutspende' },
    { en: 'Course', de: 'Lehrgang' },
    { en: 'Fire watch', de: 'Brandsicherheitswache' },
    { en: 'Open day', de: 'Tag der offenen Tür' },
    { en: 'City run', de: 'Stadtlauf' },
  ],
  where: [
    { en: 'Fire station', de: 'Feuerwache' },
    { en: 'Dyke stadium', de: 'Stadion am Deich' },
    { en: 'Harbour', de: 'Hafengelände' },
    { en: 'Town hall square', de: 'Rathausplatz' },
    { en: 'City park', de: 'Stadtpark' },
    { en: 'Community centre', de: 'Gemeindehaus' },
    { en: 'North sports hall', de: 'Sporthalle Nord' },
    { en: 'Forest lake', de: 'Waldsee' },
  ],
  texts: [
    {
      en: 'We meet at the **vehicle hall**. Please bring full protective clothing.\n\n- Meals are provided\n- Parking at gate 3',
      de: 'Treffpunkt ist die **Fahrzeughalle**. Bitte vollständige Schutzkleidung mitbringen.\n\n- Verpflegung wird gestellt\n- Parken am Tor 3',
    },
    {
      en: 'Please be there **half an hour early**.\n\n1. Briefing\n2. Positions\n3. Debriefing with soup',
      de: 'Bitte sei **eine halbe Stunde früher** da.\n\n1. Besprechung\n2. Posten\n3. Nachbesprechung mit Suppe',
    },
    {
      en: 'Remember uniform and identity card. Radios are at the *control point*.',
      de: 'Dienstkleidung und Ausweis nicht vergessen. Funkgeräte gibt es an der *Einsatzleitung*.',
    },
  ],
  flows: [
    { upTo: 0.55, slug: 'request_confirm', configuration: JSON.stringify({ ...COMMON, user_can_decline_confirmed: false }) },
    { upTo: 0.95, slug: 'instant_confirmation', configuration: JSON.stringify(COMMON) },
    {
      upTo: 1,
      slug: 'manual',
      configuration: {
        en: JSON.stringify({ no_selfservice_explanation: 'Please ask the planners.' }),
        de: JSON.stringify({ no_selfservice_explanation: 'Bitte bei der Einsatzplanung melden.' }),
      },
    },
  ],
  structures,
}
