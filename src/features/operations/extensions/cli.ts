import type { Command } from '#platform/command-line/command.ts'
export const extension: Command = { options: {}, run: async () => 0 }
