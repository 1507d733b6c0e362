import { findImportable } from '#features/operations/extensions/commands/check.ts'
import { adaptCommand } from '#features/operations/extensions/commands/run-command.ts'
import { commandOf } from '#features/operations/extensions/rules/names.ts'
import type { CommandEntry, Job } from '#platform/command-line/command.ts'
import type { Feature } from '#platform/features/feature.ts'
import { collectModuleAdditions } from '#platform/features/modules.ts'
import { FEATURES } from '../features.ts'
import { makeOperatorContext } from './operator-context.ts'

const asOperatorWith =
  (added: readonly Feature[]): Job['asOperator'] =>
  (...access) =>
    makeOperatorContext(collectModuleAdditions([...FEATURES, ...added]), ...access)

/** Those of the named extensions. One that cannot be imported has none; `doctor` says why. */
export async function findExtensionCommands(sources: readonly string[], workingFolder: string): Promise<CommandEntry[]> {
  const found = await findImportable(sources, workingFolder)
  return found.flatMap(({ source, extension }) =>
    (extension.commands ?? []).map((command) => ({
      name: commandOf(extension.name, command.name),
      summary: command.summary,
      load: async () => adaptCommand({ source, extension }, command, asOperatorWith),
    })),
  )
}
