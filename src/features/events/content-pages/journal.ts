import type { Change, Changes } from '#platform/journal/kinds.ts'

type Page = { title: string; slug: string; is_public: boolean; in_footer: boolean }

declare module '#platform/journal/kinds.ts' {
  interface JournalKinds {
    'page.changed': { subject: 'page'; changes: Changes<Page & { content: string }> }
    'page.created': { subject: 'page'; changes: Page }
    'page.deleted': {
      subject: 'page'
      changes: { title: Change<string, null>; slug: Change<string, null>; content: Change<string, null> }
    }
  }
}
