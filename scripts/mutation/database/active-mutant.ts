/** The mutants of a file that code reached. */
export type Reached = Map<string, Set<number>>
export type MutantId = { file: string; index: number }

const state: { active: readonly MutantId[]; reached: Reached | undefined } = { active: [], reached: undefined }

/** Used by files with mutants: `of` returns a function that says whether a mutant of the file is active. */
const mutation = {
  of: (file: string) => {
    return (index: number): boolean => {
      if (state.reached) {
        const known = state.reached.get(file)
        if (known) known.add(index)
        else state.reached.set(file, new Set([index]))
      }
      return state.active.some((mutant) => mutant.index === index && mutant.file === file)
    }
  },
}
Object.assign(globalThis, { mutation })

export const activate = (mutants: readonly MutantId[]): void => {
  state.active = mutants
}

/** From now on, reached mutants are written to this map. */
export const recordTo = (reached: Reached | undefined): void => {
  state.reached = reached
}
