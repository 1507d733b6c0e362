import { globSync } from 'node:fs'

/** Every feature with rules is a group of its own: the files with its rules. */
const features = [...new Set(globSync('src/features/*/*/{rules.ts,rules/*.ts}').map((file) => file.split('/')[3]!))].sort()

export const RULE_GROUPS: Record<string, string[]> = {
  ...Object.fromEntries(
    features.map((feature) => [feature, [`src/features/*/${feature}/rules/*.ts`, `src/features/*/${feature}/rules.ts`]]),
  ),
  federation: ['src/features/sharing/federation/partner.ts', 'src/features/sharing/federation/rules/*.ts'],
}
