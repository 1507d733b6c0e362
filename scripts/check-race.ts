// Crowds for few places, again and again, in all structures: `npm run check:race -- --rounds 500 --crowd 500`. What `npm test` runs
// is the same, shorter.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '500' }, crowd: { type: 'string', default: '500' } },
})
for (const [name, value] of Object.entries(values))
  if (!/^[1-9]\d*$/.test(value)) {
    console.error(`--${name} must be a whole number from 1 on`)
    process.exit(2)
  }

const test = fileURLToPath(new URL('../src/features/participations/commands/race.test.ts', import.meta.url))
const env = { ...process.env, TURNOUT_RACE_ROUNDS: values.rounds, TURNOUT_RACE_CROWD: values.crowd }
const child = spawn(process.execPath, [test], { stdio: 'inherit', env })
// Ctrl-C reaches the child, too; it ends its database and then itself.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
const [code] = await once(child, 'close')
process.exitCode = code ?? 1
