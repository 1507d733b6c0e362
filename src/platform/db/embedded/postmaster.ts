import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, renameSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Account, giveToOwnerOf, spawnArguments } from './account.ts'
import { clearLeftovers, readPostmasterFile } from './leftovers.ts'

/** One server process. */
type Postmaster = {
  pid: number
  /** Resolves with the reason when the process has exited. */
  exited: Promise<string>
  stop(): Promise<void>
}

export type LaunchOptions = {
  native: string
  account: Account
  cluster: string
  socketDir: string
  logFile: string
  settings: Record<string, string>
  log: (line: string) => void
}

const SETTINGS = {
  listen_addresses: '',
  port: '5432',
  unix_socket_permissions: '0700',
  max_connections: '60',
  superuser_reserved_connections: '0',
  shared_buffers: '128MB',
  huge_pages: 'off',
  // One database for one application: replication, I/O workers and the JIT compiler would only take memory and processes.
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_logical_replication_workers: '0',
  io_method: 'sync',
  jit: 'off',
  // Keep recovery after a crash short, to be available again within seconds.
  max_wal_size: '256MB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  // The application receives errors of statements. In this file they would store personal data.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
}

const MAX_LOG_BYTES = 10_000_000

/** Stops leftover processes of the cluster, starts the server and waits until it accepts connections. */
export async function launchPostmaster({
  native,
  account,
  cluster,
  socketDir,
  logFile,
  settings,
  log,
}: LaunchOptions): Promise<Postmaster> {
  await clearLeftovers(cluster, log)
  const options = Object.entries({ ...SETTINGS, ...settings, unix_socket_directories: socketDir })
  const args = ['-D', cluster, ...options.flatMap(([name, value]) => ['-c', `${name}=${value}`])]
  const [file, rest, common] = spawnArguments(account, join(native, 'bin/postgres'), args)

  if ((statSync(logFile, { throwIfNoEntry: false })?.size ?? 0) > MAX_LOG_BYTES) renameSync(logFile, `${logFile}.1`)
  const output = openSync(logFile, 'a', 0o600)
  giveToOwnerOf(dirname(logFile), logFile)
  const before = statSync(logFile).size
  // A process group of its own, so that Ctrl-C reaches only the application, which stops the server last.
  const child = spawn(file, rest, { ...common, stdio: ['ignore', output, output], detached: true })
  closeSync(output)
  // process.exit() cannot wait for the server, but can still signal it, also during its start.
  const signalOnExit = () => void child.kill('SIGINT')
  process.once('exit', signalOnExit)
  let ended: string | undefined
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
  }).then((reason) => {
    ended = reason
    process.off('exit', signalOnExit)
    return reason
  })

  for (let waited = 0; ; waited += 10) {
    await sleep(10)
    if (ended !== undefined) {
      const output = readFileSync(logFile).subarray(before).toString().slice(-4_000).trim()
      throw new Error(`The embedded PostgreSQL did not start (${ended}). The end of ${logFile}:\n${output}`)
    }
    const state = readPostmasterFile(cluster)
    if (state?.ready && state.pid === child.pid) break
    if (waited > 0 && waited % 10_000 === 0) log('PostgreSQL is still recovering from its last shutdown')
  }
  // Do not keep the process alive for a server that was not stopped.
  child.unref()

  const stop = async () => {
    child.ref() // wait for the server to finish its shutdown
    for (const [name, graceMs] of [
      ['SIGINT', 20_000],
      ['SIGQUIT', 5_000],
      ['SIGKILL', 0],
    ] as const) {
      if (ended !== undefined) return
      child.kill(name)
      await (graceMs === 0 ? exited : Promise.race([exited, sleep(graceMs, undefined, { ref: false })]))
    }
  }
  return { pid: child.pid!, exited, stop }
}
