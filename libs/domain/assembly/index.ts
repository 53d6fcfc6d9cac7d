export { DomainsModule } from './domains.module';
export { type PeriodicTask, periodicTasks } from './periodic-tasks';
export { sweeps } from './sweeps';
export { formatWiring, readWiring } from './wiring';
