import type { Config } from '#platform/config.ts'
import { makePool } from '#platform/db/pool.ts'
import { detectPooling, findWrongSettings } from '#platform/db/pooler.ts'
import { TURNOUT } from '#platform/invocation.ts'
import { getDatabaseFacts } from '../queries.ts'
import type { Check } from '../schema.ts'
import { preparePeopleSearch } from './people-search.ts'

/** Commands connect directly, so the pooler that requests use is asked here. */
async function findPoolerFaults({ databaseUrl: url, synchronousCommit }: Config): Promise<readonly string[]> {
  if (!url) return []
  const pooling = await detectPooling(url)
  const pool = makePool({ url, pooling, max: 1, onError: () => {} })
  try {
    return await findWrongSettings(pool, { pooling, synchronousCommit })
  } finally {
    await pool.end()
  }
}

export const databaseCheck: Check = {
  area: 'database',
  find: async ({ db, config, words }) => {
    const { version, megabytes, isSearchReady } = await getDatabaseFacts(db.read)
    const faults = await findPoolerFaults(config)
    return [
      { state: 'good', text: words.t('status.database', { version, size: megabytes }) },
      ...faults.map((text) => ({ state: 'bad' as const, text })),
      // The extension may be missing on a server where Turnout may not create it.
      ...(isSearchReady
        ? []
        : [
            {
              state: 'bad' as const,
              text: words.t('status.search', { command: `${TURNOUT} doctor --fix` }),
              fix: () => preparePeopleSearch(db.write),
            },
          ]),
    ]
  },
}

export const versionCheck: Check = {
  area: 'version',
  find: async ({ version, words }) => [
    { state: 'info', text: words.t('status.version', { version, node: process.versions.node }) },
  ],
}
