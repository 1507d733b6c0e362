import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** The pid in the first line and the state in the eighth are documented by PostgreSQL. */
export function readPostmasterFile(cluster: string): { pid: number; ready: boolean } | undefined {
  let lines: string[]
  try {
    lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  return { pid: Number(lines[0]), ready: lines[7]?.trim() === 'ready' }
}

/**
 * Ends the server, or what is left of it, that a killed turnout left behind on this cluster. The caller holds the lock of the data
 * directory, so none of these processes has a master any more.
 */
export async function clearLeftovers(cluster: string, log: (line: string) => void): Promise<void> {
  const recorded = readPostmasterFile(cluster)?.pid
  const master = serverProcesses(cluster).find((pid) => pid === recorded)
  if (master) {
    log(`Stopping the PostgreSQL (process ${master}) that a killed turnout left behind`)
    signal([master], 'SIGINT')
    if (!(await isGone(cluster, 5_000))) signal([master], 'SIGQUIT')
  }
  // Backends whose master is dead end by themselves unless they are busy; the recovery that follows makes killing them safe.
  if (!(await isGone(cluster, 1_000))) signal(serverProcesses(cluster), 'SIGKILL')
  if (!(await isGone(cluster, 10_000))) {
    throw new Error(`Processes of an earlier PostgreSQL still run on ${cluster}: ${serverProcesses(cluster).join(', ')}.`)
  }
  // PostgreSQL would refuse to start when the pid in this file is a zombie or was given to another program.
  if (process.platform === 'linux') rmSync(join(cluster, 'postmaster.pid'), { force: true })
}

async function isGone(cluster: string, withinMs: number): Promise<boolean> {
  for (let waited = 0; serverProcesses(cluster).length > 0; waited += 20) {
    if (waited >= withinMs) return false
    await sleep(20)
  }
  return true
}

/** Every process of a PostgreSQL on this cluster. A server works in its data directory, and a zombie has none. */
function serverProcesses(cluster: string): number[] {
  if (process.platform === 'linux') {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && readLink(`/proc/${name}/cwd`) === cluster)
      .filter((name) => /\/postgres( \(deleted\))?$/.test(readLink(`/proc/${name}/exe`) ?? ''))
      .map(Number)
  }
  const pid = readPostmasterFile(cluster)?.pid
  if (!pid) return []
  const { stdout } = spawnSync('ps', ['-ww', '-p', String(pid), '-o', 'stat=,command='], { encoding: 'utf8' })
  return stdout.includes(cluster) && !stdout.trimStart().startsWith('Z') ? [pid] : []
}

function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined // the process ended meanwhile, or belongs to somebody else
  }
}

function signal(pids: number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}
