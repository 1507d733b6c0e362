// The only file of this folder that other code may import. See README.md.
export { hasCluster } from './cluster.ts'
export { readServerPid, stopLeftoverServer } from './leftovers.ts'
export { type AttachedServer, attachEmbedded, type EmbeddedOptions, type EmbeddedServer, startEmbedded } from './server.ts'
