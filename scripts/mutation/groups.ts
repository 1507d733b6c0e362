import { globSync } from 'node:fs'

/** `tests` run after those that import the file, if all of these pass. */
export type Group = { files: string[]; tests: string[] }

/** Every feature with rules is a group of its own, with all tests of the feature. */
const features = [...new Set(globSync('src/features/*/{rules.ts,rules/*.ts}').map((file) => file.split('/')[2]!))].sort()

export const GROUPS: Record<string, Group> = {
  ...Object.fromEntries(
    features.map((feature) => [
      feature,
      {
        files: [`src/features/${feature}/rules/*.ts`, `src/features/${feature}/rules.ts`],
        tests: [`src/features/${feature}/**/*.test.ts`],
      },
    ]),
  ),
  federation: {
    files: ['src/features/federation/partner.ts', 'src/features/federation/rules/*.ts'],
    tests: ['src/features/federation/hostile.test.ts'],
  },
  access: {
    files: ['src/features/*/access.ts'],
    tests: ['src/features/participations/commands/visitors.test.ts', 'test/contract/{visibility,privacy}.test.ts'],
  },
}
