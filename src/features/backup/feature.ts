import { changes } from '#features/changes/feature.ts'
import { defineFeature } from '#platform/feature.ts'

export const backup = defineFeature({
  name: 'backup',
  uses: [changes],
})
