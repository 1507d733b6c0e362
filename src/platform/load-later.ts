import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** A package that few requests need, loaded at its first use: it would make every start slower. `Module` is the type of the package. */
export function loadLater<Module>(name: string): () => Module {
  let loaded: Module | undefined
  return () => {
    loaded ??= require(name) as Module
    return loaded
  }
}
