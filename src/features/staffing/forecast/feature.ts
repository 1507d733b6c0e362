import { events } from '#features/events/events/feature.ts'
import { disposition } from '#features/staffing/disposition/feature.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { forecastApi } from './api.ts'
import { forecastTasks } from './jobs.ts'
import { forecastWords } from './words.ts'

export const forecast = defineFeature({
  name: 'forecast',
  uses: [events, disposition],
  tables: ['shift_pickup', 'forecast_quality', 'shift_forecast'],
  impersonalTables: {
    shift_pickup: 'numbers of people in past shifts',
    forecast_quality: 'errors of forecasts by event type',
    shift_forecast: 'numbers of people expected in shifts',
  },
  reads: ['event', 'event_type', 'journal', 'participation', 'shift'],
  words: forecastWords,
  endpoints: forecastApi,
  tasks: forecastTasks,
})
