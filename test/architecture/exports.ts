import { lineOf, type Source } from './source.ts'

const EXPORT = /^export (?:async )?(?:const|function|type|class|interface) (\w+)/gm
/** Generated, and for users outside of this repository. */
const EXEMPT = /^(?:platform\/db\/tables|extension)\.ts$/

/** Exports whose name occurs in no other file. `others`: files that may use them besides the sources. */
export function unusedExports(sources: Source[], others: Source[]): string[] {
  const filesByWord = new Map<string, Set<string>>()
  for (const { path, text } of [...sources, ...others])
    for (const word of new Set(text.match(/[A-Za-z_$][\w$]*/g)))
      filesByWord.set(word, (filesByWord.get(word) ?? new Set()).add(path))
  return sources
    .filter(({ path }) => !path.endsWith('.test.ts') && !EXEMPT.test(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(EXPORT)]
        .filter(([, name]) => filesByWord.get(name!)!.size === 1)
        .map((found) => `${path}:${lineOf(text, found.index)} exports ${found[1]}, which no other file uses`),
    )
}
