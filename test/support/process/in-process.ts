import { AsyncLocalStorage } from 'node:async_hooks'
import { runCommandLine } from '../../../src/cli/run.ts'
import type { Outcome, Settings } from './processes.ts'

/**
 * Commands of `npx turnout` in the process of the test: starting Node and loading the application takes longer than most of them. They
 * get only the given settings, as a process of their own would. Signals, standard input and exit handlers need `turnout`, which starts
 * a process.
 */
type Said = { stdout: string; stderr: string }
const current = new AsyncLocalStorage<Said>()

for (const name of ['stdout', 'stderr'] as const) {
  const write = process[name].write.bind(process[name])
  process[name].write = ((chunk: string | Uint8Array, ...rest: unknown[]) => {
    const said = current.getStore()
    if (!said) return (write as (...args: unknown[]) => boolean)(chunk, ...rest)
    said[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()
    // A pipe waits for the call.
    const done = rest.findLast((each) => typeof each === 'function') as (() => void) | undefined
    if (done) process.nextTick(done)
    return true
  }) as typeof write
}

export async function runHere(args: string[], settings: Settings = {}): Promise<Outcome> {
  const said: Said = { stdout: '', stderr: '' }
  const code = await current.run(said, () => runCommandLine(args, { ...settings }))
  if (code === undefined) throw new Error(`${args[0]} runs until a signal, so it needs a process of its own`)
  return { code, ...said }
}
