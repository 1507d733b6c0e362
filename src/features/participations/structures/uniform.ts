import { z } from 'zod'
import { boundedStats, countPeople } from '../rules/statistics.ts'
import { defineStructure } from './structure.ts'

/** Stored configurations may carry more keys; they are kept as they are. */
export const uniformConfiguration = z.looseObject({
  minimum_age: z.int().min(0).nullish(),
  minimum_number_of_participants: z.int().min(0).nullish(),
  maximum_number_of_participants: z.int().min(0).nullish(),
  required_qualification_ids: z.array(z.int()).nullish(),
})

export const uniform = defineStructure({
  slug: 'uniform',
  configuration: uniformConfiguration,
  count: (configuration, { people }) =>
    boundedStats(countPeople(people), {
      min: configuration.minimum_number_of_participants ?? null,
      max: configuration.maximum_number_of_participants ?? null,
    }),
})
