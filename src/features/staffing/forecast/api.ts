import { z } from 'zod'
import { scope } from '#platform/http/access.ts'
import { type Endpoint, recordEndpoint } from '#platform/http/endpoint.ts'
import { getForecast } from './queries.ts'
import type { Forecast } from './rules/pickup.ts'
import { FORECAST_EXAMPLE, forecastValue, presentForecast } from './schema.ts'

const forecastRecord = z
  .strictObject({ id: z.int().describe('The id of the shift'), forecast: forecastValue })
  .meta({ id: 'ShiftForecast', examples: [{ id: 31, forecast: FORECAST_EXAMPLE }] })

export const forecastApi: Endpoint[] = [
  recordEndpoint({
    path: '/api/shifts/{id}/forecast/',
    access: scope('CONFIDENTIAL_READ'),
    name: 'Shift Forecast',
    operationId: 'shifts_forecast_retrieve',
    tag: 'shifts',
    summary: 'How many people a shift will probably have when it begins',
    description:
      'For those who may change the event. Made each hour from past shifts of the same event type, for types where their error in the past is at least a tenth smaller than that of “as full as now”.',
    parameters: {},
    record: forecastRecord,
    get: (context, { id }) => getForecast(context, id),
    present: ({ id, forecast }: { id: number; forecast: Forecast | null }) => ({ id, forecast: presentForecast(forecast) }),
  }),
]
