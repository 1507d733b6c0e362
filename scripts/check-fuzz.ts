// Fuzz test of the API with many runs. `npm test` runs a shorter version.
//   npm run check:fuzz -- --runs 1000000 --seed 7
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
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
const env = { ...process.env, TURNOUT_FUZZ_RUNS: values.runs, FUZZ_SEED: values.seed ?? String(randomInt(2 ** 31)) }
const child = spawn(process.execPath, [test], { stdio: 'inherit', env })
// The child also receives Ctrl-C and stops its database; wait for it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
const [code] = await once(child, 'close')
process.exitCode = code ?? 1
