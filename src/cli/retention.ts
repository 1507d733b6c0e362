import { runRetention } from '#features/operations/privacy/commands/retention.ts'
import { previewRules } from '#features/operations/privacy/queries/retention.ts'
import { retentionRulesOf } from '#platform/features/retention.ts'
import { FEATURES } from '../features.ts'
import type { Command } from './command.ts'
import { keyringOf, requireDatabase, withDatabase } from './database.ts'
import { makeOperatorContext } from './operator-context.ts'
import { formatTable } from './terminal.ts'

const RETENTION_RULES = retentionRulesOf(FEATURES)

export const retention: Command = {
  options: { 'dry-run': { type: 'boolean', help: 'Only say what would be deleted' } },
  run: async ({ config, values }) => {
    requireDatabase(config)
    const keyring = keyringOf(config)
    return withDatabase(config, async ({ db, config: effective }) => {
      const context = makeOperatorContext(effective, db, keyring)
      const previews = await previewRules(context.db, RETENTION_RULES, context.now)
      const results = values['dry-run'] ? undefined : await runRetention(context, RETENTION_RULES)
      const rows = previews.map(({ name, days, count, oldest }) => [
        name,
        days ? `${days} days` : 'off',
        String(results ? (results.find((result) => result.name === name)?.removed ?? 0) : count),
        oldest ? oldest.toISOString().slice(0, 10) : '-',
      ])
      for (const line of formatTable([['rule', 'period', results ? 'deleted' : 'would delete', 'oldest'], ...rows]))
        console.log(line)
      return 0
    })
  },
}
