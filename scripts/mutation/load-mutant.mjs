// Loads one source file with a mutant, for `check:mutation`. The file on disk stays as it is. Without a mutant it changes nothing.
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

const mutant = JSON.parse(process.env.MUTANT ?? '{}')

registerHooks({
  load: (url, context, nextLoad) => {
    if (!url.startsWith('file:') || fileURLToPath(url) !== mutant.path) return nextLoad(url, context)
    const source = readFileSync(mutant.path, 'utf8')
    const changed = source.slice(0, mutant.start) + mutant.to + source.slice(mutant.end)
    return { format: 'module-typescript', source: changed, shortCircuit: true }
  },
})
