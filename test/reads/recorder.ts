// Loaded into each test process with --import. It observes every raw statement of kysely and writes at the end of the process
// which call sites ran and which columns their results had. test/reads/check.ts compares that with the declared row types.
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import type { Recording } from './recording.ts'

const OBSERVED_KYSELY = new URL('./observed-kysely.ts', import.meta.url).href

registerHooks({
  resolve(specifier, context, nextResolve) {
    if (specifier === 'kysely' && context.parentURL !== OBSERVED_KYSELY) return { url: OBSERVED_KYSELY, shortCircuit: true }
    return nextResolve(specifier, context)
  },
})

/** Filled by observed-kysely.ts, which is loaded by the hook and therefore has no other way to hand it over. */
export const recording: Recording = { fragments: new Set(), reads: new Map() }

const folder = process.env.TURNOUT_RECORDED_READS
if (folder)
  process.on('exit', () => {
    const content = {
      fragments: [...recording.fragments],
      reads: [...recording.reads].map(([site, results]) => [site, [...results.values()]]),
    }
    writeFileSync(join(folder, `${randomUUID()}.json`), JSON.stringify(content))
  })
