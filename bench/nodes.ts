import type { Dataset } from './data.ts'
import { lightThroughput } from './light-client.ts'
import { type Served, serve } from './measure.ts'

/** Requests per second of one node, and of two nodes that are asked at the same time. Alternates, so that other load affects both. */
export async function measureNodes(data: Dataset, seconds: number): Promise<{ one: number; two: number }> {
  const nodes = [await serve('./server.ts', [data.url]), await serve('./server.ts', [data.url])] as [Served, Served]
  const ask = (node: Served) => lightThroughput({ url: `${node.address}/api/events/?limit=20`, token: data.ann }, seconds)
  const [ones, twos]: [number[], number[]] = [[], []]
  for (let round = 0; round < 2; round++) {
    ones.push(await ask(nodes[0]))
    const both = await Promise.all(nodes.map(ask))
    twos.push(both[0]! + both[1]!)
  }
  await Promise.all(nodes.map((node) => node.stop()))
  return { one: Math.max(...ones), two: Math.max(...twos) }
}
