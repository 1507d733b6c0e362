import { changeFeed } from '#features/sharing/change-feed/feature.ts'
import { defineFeature } from '#platform/feature.ts'

export const backup = defineFeature({
  name: 'backup',
  uses: [changeFeed],
})
