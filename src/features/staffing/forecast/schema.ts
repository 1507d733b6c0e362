import { z } from 'zod'
import type { Forecast } from './rules/pickup.ts'

const people = z.int().min(0)

export const forecastValue = z
  .strictObject({
    will_stay_short: z.boolean().describe('It will probably lack people when it begins'),
    usual_percent: people.describe('Percent of the needed people who had usually signed up by now in similar shifts'),
    low: people.describe('So many people or more will be confirmed in four of five cases'),
    middle: people.describe('The most probable number of confirmed people when it begins'),
    high: people.describe('More people than these will be confirmed in one of five cases'),
    compared_with: people.describe('The number of past shifts of the same type that it is compared with'),
  })
  .nullable()
  .describe(
    'null: the shift has as many people as it needs, begins within a day or in more than six weeks, or there are too few similar shifts',
  )

export const FORECAST_EXAMPLE: z.infer<typeof forecastValue> = {
  will_stay_short: true,
  usual_percent: 80,
  low: 5,
  middle: 6,
  high: 7,
  compared_with: 24,
}

export function presentForecast(forecast: Forecast | null): z.infer<typeof forecastValue> {
  if (!forecast) return null
  const { staysShort, usualPercent, low, middle, high, comparedWith } = forecast
  return { will_stay_short: staysShort, usual_percent: usualPercent, low, middle, high, compared_with: comparedWith }
}
