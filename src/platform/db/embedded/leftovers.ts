import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CLUSTER_DIR } from './cluster.ts'

/** Reads postmaster.pid: PostgreSQL documents the process id in line 1 and the state in line 8. */
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

/** The process id that the current or last server of a data directory wrote. */
export function readServerPid(dataDir: string): number | undefined {
  return readPostmasterFile(join(dataDir, CLUSTER_DIR))?.pid
}

/** Stops the server of a process that was killed. No process may hold the lock of the data directory. */
export async function stopLeftoverServer(dataDir: string): Promise<void> {
  await clearLeftovers(join(dataDir, CLUSTER_DIR), () => {})
}

/**
 * Stops the server processes that a killed parent process left on this cluster. The caller holds the lock of the data directory,
 * so no live parent process supervises them.
 */
export async function clearLeftovers(cluster: string, log: (line: string) => void): Promise<void> {
  const recorded = readPostmasterFile(cluster)?.pid
  const postmaster = serverProcesses(cluster).find((pid) => pid === recorded)
  if (postmaster) {
    log(`Stopping the PostgreSQL (process ${postmaster}) of a turnout that was killed`)
    signal([postmaster], 'SIGINT')
    if (!(await isGone(cluster, 5_000))) signal([postmaster], 'SIGQUIT')
  }
  // Backends without a postmaster exit on their own unless they are busy. Killing them is safe, because recovery follows.
  if (!(await isGone(cluster, 1_000))) signal(serverProcesses(cluster), 'SIGKILL')
  if (!(await isGone(cluster, 10_000))) {
    throw new Error(`Processes of an earlier PostgreSQL are still running on ${cluster}: ${serverProcesses(cluster).join(', ')}.`)
  }
  // PostgreSQL refuses to start if the process id in this file belongs to a zombie or, by reuse, to another program.
  if (process.platform === 'linux') rmSync(join(cluster, 'postmaster.pid'), { force: true })
}

async function isGone(cluster: string, timeoutMs: number): Promise<boolean> {
  for (let waited = 0; serverProcesses(cluster).length > 0; waited += 20) {
    if (waited >= timeoutMs) return false
    await sleep(20)
  }
  return true
}

/** All PostgreSQL processes of this cluster, found by their working directory. Zombies have none. */
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
  return ` ${stdout.trim()} `.includes(` -D ${cluster} `) && !stdout.trimStart().startsWith('Z') ? [pid] : []
}

function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined // the process has exited, or belongs to another user
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
