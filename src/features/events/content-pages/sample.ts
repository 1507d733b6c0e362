import type { SampleContext } from '#platform/features/sample-data.ts'
import { inLanguage } from '#platform/sample-data/language.ts'

const PAGES = [
  {
    title: { en: 'Join us', de: 'Mitmachen' },
    slug: { en: 'join-us', de: 'mitmachen' },
    content: {
      en: '## How to become a member\n\n1. Come to a **training evening**: Tuesdays at 7 pm at the fire station.\n2. Get to know us.\n3. Fill in the form.\n\nAny questions? Call us: 0123 456789.',
      de: '## So wirst du Mitglied\n\n1. Komm zu einem **Übungsdienst**: dienstags um 19 Uhr in der Feuerwache.\n2. Lerne uns kennen.\n3. Füll den Aufnahmeantrag aus.\n\nFragen? Ruf uns an: 0123 456789.',
    },
    in_footer: true,
    is_public: true,
  },
  {
    title: { en: 'Protective clothing', de: 'Einsatzkleidung' },
    slug: { en: 'protective-clothing', de: 'einsatzkleidung' },
    content: {
      en: '- Hang up your clothing after each shift\n- Report damage to the stores\n- Keep pairs of gloves together',
      de: '- Kleidung nach jedem Dienst aufhängen\n- Schäden der Kleiderkammer melden\n- Handschuhe nicht mischen',
    },
    in_footer: true,
    is_public: false,
  },
]

/** A public page and one for signed-in people. */
export async function loadPages({ tx, language }: SampleContext): Promise<void> {
  await tx.insertInto('content_page').values(inLanguage(PAGES, language)).execute()
}
