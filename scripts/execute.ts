import { spawnSync } from 'node:child_process'

/** Runs a program to its end, and returns what it printed. */
export function execute(program: string, args: string[], options: { cwd?: string; env?: NodeJS.ProcessEnv } = {}): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    ...options,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed: ${error?.message ?? stdout + stderr}`)
  return stdout
}

/** Runs a program that may fail; linters do when they find something. */
export function executeAny(
  program: string,
  args: string[],
  cwd: string,
  env: NodeJS.ProcessEnv = process.env,
): { status: number | null; stdout: string; stderr: string } {
  const { error, ...outcome } = spawnSync(program, args, { cwd, env, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 })
  if (error) throw error
  return outcome
}
