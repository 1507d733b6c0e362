import type { Command } from '#platform/command-line/command.ts'
import { keyringOf, requireDatabase } from '#platform/command-line/data-directory.ts'
import { formatTable } from '#platform/command-line/terminal.ts'
import { retentionRulesOf } from '#platform/features/retention.ts'
import { runRetention } from './commands/retention.ts'
import { previewRules } from './queries/retention.ts'

export const retention: Command = {
  options: { 'dry-run': { type: 'boolean', help: 'Only say what would be deleted' } },
  run: async ({ config, values, withDatabase, asOperator, features }) => {
    const rules = retentionRulesOf(features)
    requireDatabase(config)
    const keyring = keyringOf(config)
    return withDatabase(config, async ({ db, config: effective }) => {
      const context = asOperator(effective, db, keyring)
      const previews = await previewRules(context.db, rules, context.now)
      const results = values['dry-run'] ? undefined : await runRetention(context, rules)
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
