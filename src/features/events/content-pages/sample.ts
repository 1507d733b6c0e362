import type { SampleContext } from '#platform/features/sample-data.ts'

/** A public page and one for signed-in people. */
export async function loadPages({ tx }: SampleContext): Promise<void> {
  await tx
    .insertInto('content_page')
    .values([
      {
        title: 'Mitmachen',
        slug: 'mitmachen',
        content:
          '## So wirst du Mitglied\n\n1. Komm zu einem **Übungsdienst**: dienstags um 19 Uhr in der Feuerwache.\n2. Lerne uns kennen.\n3. Füll den Aufnahmeantrag aus.\n\nFragen? Ruf uns an: 0123 456789.',
        in_footer: true,
        is_public: true,
      },
      {
        title: 'Einsatzkleidung',
        slug: 'einsatzkleidung',
        content: '- Kleidung nach jedem Dienst aufhängen\n- Schäden der Kleiderkammer melden\n- Handschuhe nicht mischen',
        in_footer: true,
        is_public: false,
      },
    ])
    .execute()
}
