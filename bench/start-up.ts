import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/** The arguments of the script `start` in package.json. */
const START = ['--import', new URL('../scripts/compile-cache.mjs', import.meta.url).href]
const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))

type StartUp = { firstSeconds: number; againSeconds: number; megabytes: number | undefined }

/** `npm start` without the install: on an empty directory, and again on the same one. */
export async function measureStartUp(): Promise<StartUp> {
  const dir = mkdtempSync(join(tmpdir(), 'turnout-bench-start-'))
  try {
    const first = await startOnce(dir)
    await first.stop()
    const again = await startOnce(dir)
    await sleep(3_000)
    const megabytes = measureMemory(again.pid)
    await again.stop()
    return { firstSeconds: first.seconds, againSeconds: again.seconds, megabytes }
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

async function startOnce(dir: string): Promise<{ seconds: number; pid: number; stop: () => Promise<void> }> {
  const started = performance.now()
  const child = spawn(process.execPath, [...START, MAIN], {
    env: { ...process.env, DATA_DIR: dir, PORT: '8973', CI: '1' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  for (;;) {
    const ready = await fetch('http://127.0.0.1:8973/readyz').then(
      ({ ok }) => ok,
      () => false,
    )
    if (ready) break
    if (child.exitCode !== null) throw new Error('the server did not start')
    await sleep(20)
  }
  const seconds = (performance.now() - started) / 1000
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  return { seconds, pid: child.pid!, stop }
}

/** Proportional set size of the app and its database together; Linux only. */
function measureMemory(pid: number): number | undefined {
  try {
    const kilobytes = listProcessTree(pid).map((each) =>
      Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${each}/smaps_rollup`, 'utf8'))?.[1] ?? 0),
    )
    return kilobytes.reduce((sum, each) => sum + each, 0) / 1024
  } catch {
    return undefined
  }
}

function listProcessTree(root: number): number[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    try {
      parents.set(Number(name), Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${name}/status`, 'utf8'))?.[1]))
    } catch {
      // The process ended in the meantime.
    }
  }
  const family = [root]
  for (const pid of family) for (const [child, parent] of parents) if (parent === pid) family.push(child)
  return family
}
