import { z } from 'zod'
import { bodyLine } from '#platform/single-line.ts'
import { MAX_AGE, MAX_COUNT, MAX_ROWS } from '../rules/count-limits.ts'

// What the flows and structures read, for the OpenAPI document. Checks and defaults are in `staffing/flows`, `staffing/structures` and
// `shift-forms/rules`: stored configurations are returned as they are, and may have more.

const moment = z.string().nullable()
const fewest = z.int().min(0).max(MAX_COUNT).nullable().optional().describe('null: 0')
const most = z.int().min(1).max(MAX_COUNT).nullable().optional().describe('null: unlimited')
const id = z.int().positive()
const minimum_age = z.int().min(0).max(MAX_AGE).nullable().optional().describe('In years')
const bounds = { min_count: fewest, max_count: most }

const selfService = z
  .looseObject({
    signup_from: moment.optional().describe('A date-time or null; in writes also an ISO 8601 duration before the start'),
    signup_until: moment.optional().describe('A date-time or null; in writes also an ISO 8601 duration before the start'),
    signup_from_rule: moment.optional().describe('The duration before the start from which `signup_from` follows'),
    signup_until_rule: moment.optional().describe('The duration before the start from which `signup_until` follows'),
    user_can_decline_confirmed: z.boolean().nullable().optional(),
    user_can_customize_signup_times: z.boolean().nullable().optional(),
    late_change_asks_again: moment
      .optional()
      .describe('From then on a change of a confirmed person is a request again; as `signup_until`. Of `request_confirm`'),
    user_can_bring: z.int().min(0).max(20).nullable().optional().describe('How many others each person may bring'),
  })
  .meta({
    id: 'SelfServiceConfiguration',
    description: 'Of the flows `request_confirm` and `instant_confirmation`',
    examples: [{ signup_until: 'P2D', user_can_decline_confirmed: false }],
  })

const manual = z.looseObject({ no_selfservice_explanation: z.string().nullable().optional() }).meta({
  id: 'ManualConfiguration',
  description: 'Of the flow `manual`',
  examples: [{ no_selfservice_explanation: 'Ask Olga' }],
})

const coupled = z
  .looseObject({
    leader_shift_id: id.nullable().optional().describe('The shift of the event whose people take part in this one, too'),
    leader_shift_index: z.int().min(0).optional().describe('In a new event instead: the place of that shift in `shifts`'),
  })
  .meta({ id: 'CoupledConfiguration', description: 'Of the flow `coupled`', examples: [{ leader_shift_id: 31 }] })

const uniform = z
  .looseObject({
    minimum_age,
    minimum_number_of_participants: fewest,
    maximum_number_of_participants: most,
    required_qualification_ids: z
      .array(id)
      .meta({ maxItems: MAX_ROWS })
      .nullable()
      .optional()
      .describe('Everybody needs all of them'),
  })
  .meta({
    id: 'UniformConfiguration',
    description: 'Of the structure `uniform`',
    examples: [{ minimum_number_of_participants: 2, maximum_number_of_participants: 4 }],
  })

const namedTeams = z
  .looseObject({
    minimum_age,
    choose_preferred_team: z.boolean().nullable().optional(),
    teams: z
      .array(
        z.looseObject({
          uuid: z.string().min(1).optional().describe('Given by the server; send it back in changes'),
          title: bodyLine.min(1),
          qualification: id.nullable().optional().describe('Everybody in the team needs it'),
          ...bounds,
        }),
      )
      .min(1)
      .meta({ maxItems: MAX_ROWS })
      .optional(),
  })
  .meta({
    id: 'NamedTeamsConfiguration',
    description: 'Of the structure `named_teams`',
    examples: [{ choose_preferred_team: true, teams: [{ title: 'Red', min_count: 1, max_count: 3 }] }],
  })

const qualificationMix = z
  .looseObject({
    minimum_age,
    qualification_requirements: z
      .array(z.looseObject({ qualification: id.nullable().optional(), ...bounds }))
      .min(1)
      .meta({ maxItems: MAX_ROWS })
      .optional(),
  })
  .meta({
    id: 'QualificationMixConfiguration',
    description: 'Of the structure `qualification_mix`',
    examples: [{ qualification_requirements: [{ qualification: 4, min_count: 2, max_count: null }] }],
  })

const complex = z
  .looseObject({
    minimum_age,
    choose_preferred_unit: z.boolean().nullable().optional(),
    starting_blocks: z
      .array(
        z.looseObject({
          uuid: z.string().min(1).optional().describe('Given by the server; send it back in changes'),
          building_block: id.describe('Of `/api/buildingblocks/`'),
          label: bodyLine.nullable().optional(),
          optional: z.boolean().nullable().optional(),
        }),
      )
      .min(1)
      .meta({ maxItems: MAX_ROWS })
      .optional(),
  })
  .meta({
    id: 'ComplexConfiguration',
    description: 'Of the structure `complex`',
    examples: [{ choose_preferred_unit: false, starting_blocks: [{ building_block: 3, label: 'Van' }] }],
  })

const references = (types: readonly z.ZodType[]): object[] =>
  types.map((type) => ({ $ref: `#/components/schemas/${z.globalRegistry.get(type)!.id}` }))
const configuration = z.record(z.string(), z.unknown())
const FLOWS = [selfService, manual, coupled]
const STRUCTURES = [uniform, namedTeams, qualificationMix, complex]

/** In writes. `{}` and the keys that several have fit more than one, so they are `anyOf`. */
export const flowConfigurationBody = configuration.meta({ anyOf: references(FLOWS) })
export const structureConfigurationBody = configuration.meta({ anyOf: references(STRUCTURES) })

/** In records: of other flows and structures, too. */
const others = { type: 'object', additionalProperties: true }
export const flowConfiguration = configuration.meta({ anyOf: [...references(FLOWS), others] })
export const structureConfiguration = configuration.meta({ anyOf: [...references(STRUCTURES), others] })
