import { sql } from 'kysely'
import { tokens } from '#features/access/tokens/feature.ts'
import { users } from '#features/accounts/users/feature.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { accountPages } from '#platform/features/layout.ts'
import { assistantsMount } from './api/mount.ts'
import { assistantPages } from './pages.ts'
import { assistantsWords } from './words.ts'

export const assistants = defineFeature({
  name: 'assistants',
  module: {
    name: 'assistants',
    icon: 'message-square-text',
    presets: [],
    countUses: () => sql`select count(*)::int from access_token where is_for_assistant and revoked_at is null`,
  },
  uses: [users, tokens],
  reads: ['access_token'],
  words: assistantsWords,
  pages: assistantPages,
  mounts: (runtime) => [assistantsMount(runtime)],
  adds: [
    accountPages.add(
      { href: '/settings/assistants/', label: 'settings.assistants', icon: 'message-square-text', isFolded: true },
      105,
    ),
  ],
  commands: [
    {
      name: 'mcp',
      summary: 'Connect an assistant by the Model Context Protocol, on standard input and output',
      load: async () => (await import('./cli.ts')).mcp,
    },
  ],
})
