import { parentPort, workerData } from 'node:worker_threads'
import { type ReadOptions, readBusyTimes } from '../rules/busy-times.ts'

const { text, options } = workerData as { text: string; options: ReadOptions }
parentPort!.postMessage(readBusyTimes(text, options))
