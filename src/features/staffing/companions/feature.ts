import { eligibility } from '#features/staffing/eligibility/feature.ts'
import { participations } from '#features/staffing/participations/feature.ts'
import { staffing } from '#features/staffing/staffing/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { companionsWords } from './words.ts'

export const companions = defineFeature({
  name: 'companions',
  uses: [staffing, eligibility, participations],
  reads: ['event', 'participation', 'user_profile'],
  words: companionsWords,
})
