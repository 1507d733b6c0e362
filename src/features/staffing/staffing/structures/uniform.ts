import { z } from 'zod'
import { STATE } from '../rules/model.ts'
import { boundedSeats } from '../rules/seats.ts'
import { boundedStats, countPeople } from '../rules/statistics.ts'
import { defineStructure } from './structure.ts'

/** Unknown keys of stored configurations are kept. */
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
  fit: ({ required_qualification_ids, maximum_number_of_participants: max }, { people }, { state, skills }, { instant }) => {
    const missing = (required_qualification_ids ?? []).filter((id) => !skills.has(id))
    const isFull = max != null && countPeople(people).confirmedCount >= max && state !== STATE.confirmed
    return {
      reasons: [
        ...(missing.length ? [{ code: 'not_qualified', missingAnyOf: [missing] } as const] : []),
        ...(instant && isFull ? [{ code: 'full' } as const] : []),
      ],
    }
  },
  needs: ({ required_qualification_ids }) => [new Set(required_qualification_ids ?? [])],
  // Confirmed people count, qualified or not.
  seats: (configuration, { people }) =>
    boundedSeats(
      {
        id: 'shift',
        rank: 0,
        people: people.length,
        min: configuration.minimum_number_of_participants ?? 0,
        max: configuration.maximum_number_of_participants ?? null,
      },
      {
        place: null,
        label: { kind: 'shift' },
        needs: [new Set(configuration.required_qualification_ids ?? [])],
        designatedFor: new Set(people.filter(({ state }) => state === STATE.confirmed).map(({ participationId: id }) => id)),
      },
    ),
})
