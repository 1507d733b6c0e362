import { readFileSync } from 'node:fs'

const TICK_MS = 10

/** What Linux tells about a process after its name, which may contain spaces. Undefined if it has ended, and on other systems. */
export function readStat(pid: number | string): { parent: number; ownMs: number; childrenMs: number } | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number)
    const [user, system, userOfChildren, systemOfChildren] = fields.slice(11, 15) as [number, number, number, number]
    return { parent: fields[1]!, ownMs: (user + system) * TICK_MS, childrenMs: (userOfChildren + systemOfChildren) * TICK_MS }
  } catch {
    return undefined
  }
}

/** How long a process used the processor, if the system says it. */
export const processorMs = (pid: number): number | undefined => readStat(pid)?.ownMs
