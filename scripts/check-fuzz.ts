// The fuzz of the API at length: `npm run check:fuzz -- --runs 1000000 --seed 7`. What `npm test` runs is the same, shorter.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const { values } = parseArgs({ options: { runs: { type: 'string', default: '1000000' }, seed: { type: 'string' } } })
for (const [name, value] of Object.entries(values))
  if (!/^\d+$/.test(value)) {
    console.error(`--${name} must be a whole number`)
    process.exit(2)
  }

const test = fileURLToPath(new URL('../test/fuzz/fuzz.test.ts', import.meta.url))
const env = { ...process.env, TURNOUT_FUZZ_RUNS: values.runs, ...(values.seed ? { TURNOUT_FUZZ_SEED: values.seed } : {}) }
const child = spawn(process.execPath, [test], { stdio: 'inherit', env })
// Ctrl-C reaches the child, too; it ends its database and then itself.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
const [code] = await once(child, 'close')
process.exitCode = code ?? 1
